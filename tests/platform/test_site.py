import os
import signal
import time
from pathlib import Path

import pytest

from tests.boot import PATIENCE
from tests.platform import forks
from tests.platform.prepared import copy_all
from tests.platform.site import COMPLETE, Site, below, environment, free_port, wait_until_gone

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]

#: How a running Valkey calls itself.
VALKEY = "valkey.sock"
#: Seconds; leftovers of the runner would end only six seconds after it.
AT_ONCE = 5


@pytest.fixture(scope="module")
def calm_site(tmp_path_factory, prepared):
    """One site for all tests that only read it, and then for those that end a part of it."""
    with Site(copy_all(prepared, tmp_path_factory.mktemp("calm"))) as running:
        yield running


def assert_says_one_line(var: Path, port: int, line: str) -> None:
    refused = forks.plain("manage.py", "up", "--port", str(port), env=environment(var))
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    assert line in refused.stderr


def test_the_site_answers_and_says_little(calm_site):
    assert calm_site.get("/healthz") == (200, b"ok")
    status, page = calm_site.get("/")
    assert status == 200
    assert b"Rock &amp; Racket" in page
    names = {line.split("|")[0].strip() for line in calm_site.lines}
    assert names == {"site"}, "a quiet start says only what the runner says"
    assert "received" not in " ".join(calm_site.lines)
    for word in ("beat", "worker", "web", VALKEY):
        assert calm_site.pid_of(word)
    assert (calm_site.var / "valkey.sock").stat().st_mode & 0o777 == 0o700


def test_a_second_start_says_one_line_and_one_on_a_busy_port_how_to_use_another(
    calm_site, tmp_path
):
    line = f"already runs in this checkout: process {calm_site.process.pid}"
    assert_says_one_line(calm_site.var, free_port(), line)
    assert calm_site.get("/healthz")[0] == 200
    line = f"Cannot use 127.0.0.1:{calm_site.port}: Address already in use. Try --port"
    assert_says_one_line(tmp_path, calm_site.port, line)


@pytest.mark.fault_profile
def test_ctrl_c_ends_everything_in_good_order(tmp_path, prepared):
    with Site(copy_all(prepared, tmp_path)) as site:
        assert_ends_in_good_order(site, signal.SIGINT)


def assert_ends_in_good_order(site: Site, number: signal.Signals) -> None:
    pids = site.wait_until_complete()
    begun = time.monotonic()
    site.process.send_signal(number)
    assert site.process.wait(2 * PATIENCE) == 0
    # A worker that did not listen would be killed after fifteen seconds.
    assert time.monotonic() - begun < 10 + site.start_took
    assert wait_until_gone(pids, AT_ONCE) == []
    assert site.lines[-1].endswith("stopped")
    assert not [line for line in site.lines if "Traceback" in line]


@pytest.mark.fault_profile
def test_the_first_start_says_a_password_once_and_both_starts_end_in_good_order(tmp_path):
    """The first by SIGTERM, the second with its terminal."""
    with Site(tmp_path) as site:
        said = [line for line in site.lines if "password" in line]
        assert len(said) == 1
        secret = site.var / "secret_key"
        assert secret.stat().st_mode & 0o777 == 0o600
        before = secret.read_bytes()
        assert_ends_in_good_order(site, signal.SIGTERM)
    assert b"password" not in said_until_the_terminal_closes(tmp_path)
    assert secret.read_bytes() == before


def said_until_the_terminal_closes(var: Path) -> bytes:
    """Run a site whose terminal goes away, until nothing is left; return what it said at first."""
    master, slave = os.openpty()
    code = (
        "import os, sys; os.setsid(); import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
        f"os.execv(sys.executable, [sys.executable, 'manage.py', 'up', '--port', '{free_port()}'])"
    )
    streams = {"stdin": slave, "stdout": slave, "stderr": slave}
    with forks.unforked("-c", code, env=environment(var), **streams) as runner:
        os.close(slave)
        said = b""
        while b"is at http://" not in said:
            said += os.read(master, 4096)
        while len(pids := [running.pid for running in below(runner.pid)]) < COMPLETE:
            time.sleep(0.1)
        os.close(master)
        runner.wait(2 * PATIENCE)
    assert wait_until_gone(pids, AT_ONCE) == []
    return said


def test_a_killed_worker_leaves_no_process_and_is_replaced(calm_site):
    site = calm_site
    site.wait_until_complete()
    worker = site.pid_of("worker")
    pool = [running.pid for running in below(worker)]
    assert len(pool) == 2
    os.kill(worker, signal.SIGKILL)
    assert wait_until_gone([worker, *pool]) == []
    site.wait_for_line("was ended by SIGKILL; starting it again")
    until = time.monotonic() + PATIENCE
    while not {*site.children("worker")} - {worker}:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_killed_web_process_is_back_sooner_than_a_site_starts(calm_site):
    """Requests wait meanwhile: the runner holds the socket, so none is refused."""
    os.kill(calm_site.pid_of("web"), signal.SIGKILL)
    begun = time.monotonic()
    assert calm_site.get("/healthz") == (200, b"ok")
    # The site's own start has much more to do; two seconds are for chance.
    assert time.monotonic() - begun < 2 + calm_site.start_took


def test_pages_answer_while_redis_stands_still(calm_site):
    site = calm_site
    valkey = site.pid_of(VALKEY)
    os.kill(valkey, signal.SIGSTOP)
    try:
        for path in ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"):
            begun = time.monotonic()
            assert site.get(path)[0] == 200
            # Code that waits for Redis would wait without end, or longer than this.
            assert time.monotonic() - begun < 2 + site.start_took
    finally:
        os.kill(valkey, signal.SIGCONT)


@pytest.mark.fault_profile
def test_a_killed_runner_leaves_no_process_and_the_site_starts_again_at_once(calm_site):
    """The last test of the file: the site of all others is gone afterwards."""
    site = calm_site
    pids = site.wait_until_complete()
    site.process.kill()
    site.process.wait()
    with Site(site.var, port=site.port) as second:
        assert second.get("/healthz")[0] == 200
        assert second.pid_of(VALKEY)
        assert (site.var / "valkey.sock").exists()
        assert wait_until_gone(pids) == []
