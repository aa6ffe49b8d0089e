"""The turnstile: writers on SQLite take turns, in threads and in processes."""

import fcntl
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction

from rpsite.db.sqlite import turnstile
from rpsite.db.sqlite.base import SAFE_SQLITE, DatabaseWrapper, is_write
from rpsite.db.sqlite.turnstile import Turnstile, TurnstileTimeout
from tests.boot import PATIENCE, ROOT
from tests.platform import forks

pytestmark = pytest.mark.sqlite


@pytest.fixture
def wrapper(tmp_path: Path, django_db_blocker) -> Iterator[DatabaseWrapper]:
    """A connection to a database with one table, apart from the tests' own."""
    with django_db_blocker.unblock():
        made = open_wrapper(tmp_path / "turns.sqlite3")
        with made.cursor() as cursor:
            cursor.execute("CREATE TABLE tally (writer text UNIQUE, writes integer DEFAULT 0)")
        yield made
        made.close()


def open_wrapper(path: Path) -> DatabaseWrapper:
    settings = connection.settings_dict | {"NAME": str(path)}
    made = DatabaseWrapper(settings)
    made.inc_thread_sharing()
    return made


def is_free(path: Path) -> bool:
    """Whether a stranger gets the turn at once."""
    stranger = Turnstile(path)
    try:
        stranger.take(timeout=0)
    except TurnstileTimeout:
        return False
    finally:
        stranger.close()
    return True


def file_of(wrapper: DatabaseWrapper) -> Path:
    return Path(wrapper.settings_dict["NAME"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT 1", False),
        ("  -- why\n select 1", False),
        ("/* why */ EXPLAIN SELECT 1", False),
        ("PRAGMA journal_mode", False),
        ("INSERT INTO a VALUES (1)", True),
        ("BEGIN IMMEDIATE", True),
        ("WITH b AS (SELECT 1) DELETE FROM a", True),
        ("SELECTED", True),
        ("VACUUM", True),
    ],
)
def test_statements_that_may_write_are_told_from_reads(query, expected):
    assert is_write(query) is expected


def test_a_transaction_keeps_the_turn_until_its_commit(wrapper):
    wrapper.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    wrapper.in_atomic_block = True
    assert not is_free(file_of(wrapper))
    wrapper.in_atomic_block = False
    wrapper.commit()
    assert is_free(file_of(wrapper))


@pytest.mark.parametrize("end", [DatabaseWrapper.rollback, DatabaseWrapper.close])
def test_a_transaction_gives_the_turn_back_when_it_is_rolled_back_or_its_connection_closed(
    wrapper, end
):
    wrapper.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    end(wrapper)
    assert is_free(file_of(wrapper))


def test_a_write_outside_a_transaction_is_committed_and_gives_the_turn_back(wrapper):
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('me') RETURNING writer, writes")
        assert is_free(file_of(wrapper))
        with closing(sqlite3.connect(file_of(wrapper))) as other:
            assert other.execute("SELECT count(*) FROM tally").fetchone() == (1,)
        assert cursor.fetchone() == ("me", 0)
        assert cursor.fetchone() is None


@pytest.mark.parametrize(
    "fetch",
    [
        lambda cursor: cursor.fetchall(),
        lambda cursor: cursor.fetchmany(5),
        list,
        lambda cursor: [cursor.fetchone(), cursor.fetchone()],
    ],
)
def test_returned_rows_can_be_fetched_in_every_way(wrapper, fetch):
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('a'), ('b') RETURNING writer")
        assert fetch(cursor) == [("a",), ("b",)]


def test_a_refused_write_gives_the_turn_back(wrapper):
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('me')")
        with pytest.raises(Exception, match="UNIQUE"):
            cursor.execute("INSERT INTO tally (writer) VALUES ('me')")
    assert is_free(file_of(wrapper))


def test_a_read_needs_no_turn(wrapper):
    other = Turnstile(file_of(wrapper))
    other.take(timeout=1)
    wrapper.write_timeout = 0
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tally")
        assert cursor.fetchone() == (0,)
    other.close()


def test_a_turn_that_does_not_come_is_an_operational_error(wrapper):
    other = Turnstile(file_of(wrapper))
    other.take(timeout=1)
    wrapper.write_timeout = 0.05
    begun = time.monotonic()
    with wrapper.cursor() as cursor, pytest.raises(OperationalError, match="locked"):
        cursor.execute("DELETE FROM tally")
    # Not at once, and not only after the settings' five seconds.
    assert 0.05 <= time.monotonic() - begun < 4
    other.close()
    with wrapper.cursor() as cursor:
        cursor.execute("DELETE FROM tally")


@pytest.mark.django_db(transaction=True)
def test_savepoints_and_nested_blocks_keep_one_turn():
    path = Path(connection.settings_dict["NAME"])
    with transaction.atomic():
        with pytest.raises(RuntimeError), transaction.atomic():
            raise RuntimeError
        with transaction.atomic():
            pass
        assert not is_free(path)
    assert is_free(path)


def test_a_forked_process_does_not_share_the_turn(wrapper):
    turnstile = wrapper.turnstile
    turnstile.take(timeout=1)
    child = os.fork()
    if child == 0:
        try:
            turnstile.take(timeout=0)
        except TurnstileTimeout:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    turnstile.give_back()
    assert is_free(file_of(wrapper))


def test_threads_that_write_lose_no_update(wrapper):
    path = file_of(wrapper)
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('all')")
    problems: list[BaseException] = []

    def add() -> None:
        mine = open_wrapper(path)
        try:
            for _ in range(50):
                with mine.cursor() as cursor:
                    cursor.execute("BEGIN IMMEDIATE")
                    cursor.execute("SELECT writes FROM tally")
                    (writes,) = cursor.fetchone()
                    cursor.execute("UPDATE tally SET writes = %s", [writes + 1])
                mine.commit()
        except BaseException as problem:
            problems.append(problem)
        finally:
            mine.close()

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT writes FROM tally")
        assert (problems, cursor.fetchone()) == ([], (200,))


@pytest.mark.skipif(sqlite3.sqlite_version_info >= SAFE_SQLITE, reason="SQLite checkpoints itself")
def test_the_log_is_moved_into_the_file_when_due_and_by_nobody_else(wrapper, monkeypatch):
    log = file_of(wrapper).with_name(file_of(wrapper).name + "-wal")
    with wrapper.cursor() as cursor:
        cursor.execute("PRAGMA wal_autocheckpoint")
        assert cursor.fetchone() == (0,)
        cursor.execute("INSERT INTO tally (writer) VALUES ('me')")
    assert not wrapper.checkpoint_if_due()
    assert log.stat().st_size > 0
    monkeypatch.setattr("rpsite.db.sqlite.base.CHECKPOINT_PAUSE", 0.0)
    assert wrapper.checkpoint_if_due()
    assert log.stat().st_size == 0
    assert is_free(file_of(wrapper))
    with wrapper.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (5000,)


@pytest.mark.skipif(sqlite3.sqlite_version_info >= SAFE_SQLITE, reason="SQLite checkpoints itself")
def test_a_large_log_is_moved_at_once(wrapper, monkeypatch):
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('me')")
    assert not wrapper.checkpoint_if_due()
    monkeypatch.setattr("rpsite.db.sqlite.base.LARGEST_LOG", 1)
    assert wrapper.checkpoint_if_due()


def test_a_killed_writer_leaves_the_turn_to_others(wrapper):
    path = file_of(wrapper)
    code = (
        "import sys, time; from pathlib import Path;"
        "from rpsite.db.sqlite.turnstile import Turnstile; Turnstile(Path(sys.argv[1])).take(1);"
        "print('mine', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, cwd=ROOT
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"mine\n"
        assert not is_free(path)
        holder.kill()
        holder.wait(PATIENCE)
    assert is_free(path)


SECONDS = 2.0


@pytest.mark.processes
def test_a_busy_writer_does_not_starve_a_calm_one(wrapper):
    """A calm writer waits for one transaction of the busy one, not for a gap between many."""
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('busy'), ('calm')")
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{file_of(wrapper)}"}
    writers = {
        kind: forks.Forked(
            *("-m", "tests.platform.writers", kind, str(SECONDS)),
            env=environment,
            stdout=subprocess.PIPE,
        )
        for kind in ("busy", "calm")
    }
    said = {}
    for kind, writer in writers.items():
        with writer:
            said[kind] = writer.stdout.read().split()
    assert "locked" not in said["busy"] + said["calm"]
    busy, calm = (sorted(map(float, said[kind])) for kind in ("busy", "calm"))
    assert len(calm) > 10, "the calm writer wrote too seldom"
    assert len(busy) > 50, "the busy writer was not busy"
    middle = busy[len(busy) // 2]
    # Without turns it is three hundred times as long.
    assert calm[int(len(calm) * 0.9)] < 40 * middle, "one write in ten waited for long"


@pytest.mark.plain
def test_threads_of_a_process_write_in_order_and_those_that_players_wait_for_first(tmp_path):
    path, order = tmp_path / "turns.sqlite3", []
    holder = Turnstile(path)
    holder.take(PATIENCE)

    def write(name: str, *, is_first: bool) -> None:
        own = Turnstile(path)
        own.take(PATIENCE, is_first=is_first)
        order.append(name)
        own.close()

    line = turnstile._lines[path]
    threads = []
    for name in ("page 1", "page 2", "batch", "page 3", "clock"):
        is_first = not name.startswith("page")
        threads.append(threading.Thread(target=write, args=(name,), kwargs={"is_first": is_first}))
        before = len(line.first) + len(line.others)
        threads[-1].start()
        while len(line.first) + len(line.others) == before:
            time.sleep(0.001)
    holder.give_back()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["batch", "clock", "page 1", "page 2", "page 3"]
    assert is_free(path)


def test_who_waits_in_line_polls_no_lock(tmp_path, monkeypatch):
    path, polled = tmp_path / "turns.sqlite3", []
    holder = Turnstile(path)
    holder.take(PATIENCE)
    monkeypatch.setattr(turnstile, "_lock", lambda *given: polled.append(given))
    for is_first in (False, True):
        with pytest.raises(TurnstileTimeout):
            Turnstile(path).take(0.01, is_first=is_first)
    assert polled == []
    monkeypatch.undo()
    holder.give_back()
    assert is_free(path)


def test_a_turn_that_another_process_keeps_lets_the_next_thread_try(tmp_path):
    path = tmp_path / "turns.sqlite3"
    with (tmp_path / "turns.sqlite3.b").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        for _ in range(2):
            assert not is_free(path)
    assert is_free(path)
