import json
import logging

import pytest
from celery.signals import worker_ready
from django.core import management
from django.db import DatabaseError

import manage
from bench.load.watch import Used
from games.matches.models import LogLeaf
from games.proofs import commitments
from rpsite import tasks
from rpsite.celery import application
from rpsite.processes.runner import say
from rpsite.variables import CANNOT_START
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user
from tests.platform.prepared import manage as run_command
from tools import cluster

UNREACHED = "DATABASE_URL must be the address of a database that can be reached."
LACKING = "The database lacks migrations"
AWAY = {"DATABASE_URL": "postgres://user:canary@127.0.0.1:1/name"}


@pytest.mark.processes
@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("words", "sentence", "more"),
    [
        ("audit_ledger", LACKING, {}),
        ("replay_match", LACKING, {}),
        ("cut_devices", LACKING, {}),
        ("retention", LACKING, {}),
        ("restore", "There is no copy in", {}),
        ("audit_ledger", UNREACHED, AWAY),
    ],
)
def test_a_command_on_an_empty_database_says_one_sentence(words, sentence, more, tmp_path):
    done = run_command(tmp_path, words, **more)
    assert done.returncode == (CANNOT_START if more else 1)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert "canary" not in done.stderr


@pytest.mark.both_databases
@pytest.mark.django_db
def test_a_fault_of_a_command_is_no_database_that_cannot_be_reached(monkeypatch):
    def fail(_):
        raise DatabaseError("the save changed no row")

    monkeypatch.setattr(management, "execute_from_command_line", fail)
    monkeypatch.setattr("sys.argv", ["manage.py", "retention"])
    with pytest.raises(DatabaseError, match="changed no row"):
        manage.main()


@pytest.mark.processes
@pytest.mark.sqlite
def test_restore_without_a_name_lists_the_copies_with_size_and_age(tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "site-20261126T130000000Z.sqlite3").write_bytes(b"x" * 2_000_000)
    done = run_command(tmp_path, "restore")
    assert done.returncode == 1
    assert "site-20261126T130000000Z.sqlite3  2.0 MB, 0.0 hours old" in done.stderr


def test_lines_of_the_runner_are_json_where_logs_are(capsys, monkeypatch):
    say("web", "starting")
    assert capsys.readouterr().out == "web    | starting\n"
    monkeypatch.setenv("LOG_JSON", "1")
    child = json.dumps({"at": "2026", "level": "ERROR", "message": "a bug"})
    for text in ("starting", child, "[]"):
        say("web", text)
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    lines = [(line["program"], line["message"]) for line in told]
    assert lines == [("web", "starting"), ("web", "a bug"), ("web", "[]")]
    assert told[1]["level"] == "ERROR"


@pytest.mark.django_db
def test_two_processes_that_write_the_public_log_say_nothing(caplog, monkeypatch):
    kit = DuelKit(new_user(), new_user())
    found = commitments._unlogged(None)
    assert found
    commitments.sequence(kit.now)
    monkeypatch.setattr(commitments, "_unlogged", lambda _: found)
    monkeypatch.setattr(LogLeaf.objects, "order_by", lambda *_: LogLeaf.objects.none())
    with caplog.at_level(logging.INFO):
        assert commitments.sequence(kit.now) == 0
    assert caplog.messages == []


def test_a_worker_that_starts_looks_at_the_mail_at_once(monkeypatch):
    sent = []
    monkeypatch.setattr(application, "send_task", lambda name, **_: sent.append(name))
    worker_ready.send(sender=None)
    assert sent == [tasks.watch_mail.name]


def test_a_wait_for_the_processor_never_falls() -> None:
    used = Used("web", (0.0, 0.0))
    for seen in ((1.0, 5.0), (2.0, 3.0), (3.0, 4.0)):
        used.add(seen)
    assert (used.spent, used.waited) == (3.0, 6.0)


@pytest.mark.parametrize(
    ("asked", "given", "length"), [(None, None, 30.0), (None, 2.0, 2.0), (0.5, 2.0, 0.5)]
)
def test_the_cluster_keeps_the_time_side_by_side_that_it_was_started_with(asked, given, length):
    words = [] if given is None else ["--side-by-side", str(given)]
    assert cluster.length_of(asked, cluster.parse(words)) == length
