import json
import os
import re
import signal
import subprocess

import pytest

from tests import moved_clock
from tests.boot import PATIENCE
from tests.platform import forks
from tests.platform.forks import Forked
from tests.platform.prepared import copy_databases, manage
from tests.platform.site import alive, environment, wait_until_gone

#: Environments that differ in what a test's may.
ENVIRONMENTS = {
    "site": {
        "DJANGO_SETTINGS_MODULE": "rpsite.settings.site",
        "SECRET_KEY": "a secret of this one",
        "SITE_CONTACT": "call@me.example",
        "SITE_HOSTS": "play.example",
        "PUBLIC_URL": "http://play.example",
        "REDIS_URL": "redis://127.0.0.1:1/3",
        "EMAIL_URL": "smtp://mail.example:2525",
        "LOG_JSON": "1",
        "LOG_LEVEL": "WARNING",
        "SOCKET_RATE": "7",
        "SOCKETS_PER_USER": "3",
        "HOUSE_BOTS": "9",
        "BACKUPS_KEPT": "2",
        "SIGNUP_RATE": "2/d/ip",
        "PYTHONUNBUFFERED": "1",
    },
    "faults": {"DJANGO_SETTINGS_MODULE": "tests.faults.settings", "HINT_BUS_URL": "redis://x/2"},
    "test": {"DJANGO_SETTINGS_MODULE": "rpsite.settings.test"},
}
DESCRIBE = ("-m", "tests.platform.description", "a word")


@pytest.mark.processes
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_forked_process_has_the_settings_and_gives_the_answers_of_a_plain_one(
    name, tmp_path, prepared
):
    copy_databases(prepared, tmp_path)
    (tmp_path / "static").symlink_to(prepared / "static")
    if name == "faults":
        (tmp_path / "clock").write_text("7200")
    variables = environment(tmp_path, **ENVIRONMENTS[name])
    variables[moved_clock.VARIABLE] = str(tmp_path / "clock")
    said = [run(*DESCRIBE, env=variables) for run in (forks.plain, forks.run)]
    assert [each.returncode for each in said] == [0, 0], said
    wanted, found = (json.loads(each.stdout) for each in said)
    for what, value in wanted.items():
        assert found[what] == value, what
    assert (found.keys(), found["page"][0]) == (wanted.keys(), 200)
    assert found["ahead"] == (7200 if name == "faults" else 0)


def test_a_setting_that_the_server_has_kept_ends_the_process(tmp_path):
    public = {"DJANGO_SETTINGS_MODULE": "rpsite.settings.prod", "SECRET_KEY": "x" * 60}
    done = manage(tmp_path, "check", PUBLIC_URL="https://play.example", **public)
    assert done.returncode == 1
    assert re.search("cannot have other values of .*SESSION_COOKIE_NAME", done.stderr)


END = "atexit.register(print, 'end'); threading.Thread(target=lambda: print('thread')).start()"


@pytest.mark.parametrize(
    ("code", "expected", "said"),
    [
        ("pass", 0, ""),
        ("raise SystemExit(7)", 7, ""),
        ("1 / 0", 1, "ZeroDivisionError"),
        ("import os; os._exit(9)", 9, ""),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM, ""),
        (f"import atexit, threading; {END}", 0, "thread\nend\n"),
    ],
)
def test_the_exit_code_is_that_of_the_process(code, expected, said):
    """Functions registered for the end are called, and threads are waited for."""
    done = forks.run("-c", code, env=os.environ)
    assert done.returncode == expected
    assert said in done.stdout + done.stderr
    assert ("ZeroDivisionError" in done.stderr) == ("/" in code)


def test_a_session_of_its_own_is_led_from_the_first_moment():
    """A process that is killed has ended, however it was started."""
    words = ("-c", "import time; time.sleep(600)")
    leader, other = (
        Forked(*words, env=os.environ, start_new_session=is_leader) for is_leader in (True, False)
    )
    assert os.getsid(leader.pid) == os.getpgid(leader.pid) == leader.pid
    assert os.getpgid(other.pid) == os.getpgid(0)
    assert other.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        other.wait(0.01)
    os.killpg(leader.pid, signal.SIGKILL)
    other.kill()
    assert leader.wait(PATIENCE) == other.wait(PATIENCE) == other.poll() == -signal.SIGKILL
    assert alive([leader.pid, other.pid]) == []


def test_two_processes_throw_other_dice():
    code = "import random, secrets, uuid; print(random.random(), secrets.token_hex(), uuid.uuid4())"
    first, second = (forks.run("-c", code, env=os.environ).stdout.split() for _ in range(2))
    assert not set(first) & set(second)


def test_the_server_and_its_children_end_with_whoever_started_it():
    """Even if that is killed."""
    code = (
        "import os, sys, time; from tests.platform import forks;"
        "child = forks.Forked('-c', 'import time; time.sleep(600)', env=os.environ);"
        "print(child.pid, forks.server().process.pid, flush=True); sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with forks.unforked("-c", code, env=os.environ, **pipes) as starter:
        pids = [int(word) for word in starter.stdout.readline().split()]
        assert alive(pids) == sorted(pids)
        starter.kill()
    assert wait_until_gone(pids) == []
