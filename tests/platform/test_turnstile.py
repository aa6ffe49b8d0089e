import fcntl
import os
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction

from rpsite.db.sqlite import base
from rpsite.db.sqlite.base import (
    SAFE_SQLITE,
    DatabaseWrapper,
    Turnstile,
    TurnstileTimeout,
    is_write,
)
from tests.boot import PATIENCE
from tests.platform import forks

pytestmark = pytest.mark.sqlite


@pytest.fixture
def wrapper(tmp_path, django_db_blocker):
    """A connection to a database with one table, apart from the tests' own."""
    with django_db_blocker.unblock():
        made = open_wrapper(tmp_path / "turns.sqlite3")
        with made.cursor() as cursor:
            cursor.execute("CREATE TABLE tally (writer text UNIQUE, writes integer DEFAULT 0)")
        yield made
        made.close()


def open_wrapper(path: Path) -> DatabaseWrapper:
    made = DatabaseWrapper(connection.settings_dict | {"NAME": str(path)})
    made.inc_thread_sharing()
    return made


def is_free(where: DatabaseWrapper | Path) -> bool:
    """Whether a stranger gets the turn at once."""
    stranger = Turnstile(where if isinstance(where, Path) else file_of(where))
    try:
        stranger.take(timeout=0)
    except TurnstileTimeout:
        return False
    finally:
        stranger.close()
    return True


def file_of(wrapper: DatabaseWrapper) -> Path:
    return Path(wrapper.settings_dict["NAME"])


READS = "SELECT 1;  -- why\n select 1;/* why */ EXPLAIN SELECT 1;PRAGMA journal_mode"
WRITES = (
    "INSERT INTO a VALUES (1);BEGIN IMMEDIATE;WITH b AS (SELECT 1) DELETE FROM a;SELECTED;VACUUM"
)


def test_statements_that_may_write_are_told_from_reads():
    assert [query for query in READS.split(";") if is_write(query)] == []
    assert [query for query in WRITES.split(";") if not is_write(query)] == []


def test_a_transaction_keeps_the_turn_until_its_commit(wrapper):
    """A rollback and the end of the connection give it back, too."""
    for end in (DatabaseWrapper.commit, DatabaseWrapper.rollback, DatabaseWrapper.close):
        wrapper.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        wrapper.in_atomic_block = True
        assert not is_free(wrapper)
        wrapper.in_atomic_block = False
        end(wrapper)
        assert is_free(wrapper)
        wrapper.set_autocommit(True)


def test_a_write_outside_a_transaction_is_committed_and_gives_the_turn_back(wrapper):
    """SQLite commits one that returns rows only when they have been fetched."""
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('me') RETURNING writer, writes")
        assert is_free(wrapper)
        assert not wrapper.connection.in_transaction
        with closing(sqlite3.connect(file_of(wrapper))) as other:
            assert other.execute("SELECT count(*) FROM tally").fetchone() == (1,)
        assert cursor.fetchone() == ("me", 0)
        assert cursor.fetchone() is None
        assert cursor.fetchall() == []
        with pytest.raises(Exception, match="UNIQUE"):
            cursor.execute("INSERT INTO tally (writer) VALUES ('me')")
    assert is_free(wrapper), "it was refused"


def test_returned_rows_can_be_fetched_in_every_way(wrapper):
    with wrapper.cursor() as cursor:

        def fetch_each():
            return [cursor.fetchone(), cursor.fetchone()]

        cursor.execute("INSERT INTO tally (writer) VALUES ('a'), ('b')")
        for fetch in (cursor.fetchall, lambda: cursor.fetchmany(5), cursor.__iter__, fetch_each):
            cursor.execute("UPDATE tally SET writes = 1 RETURNING writer")
            assert list(fetch()) == [("a",), ("b",)]


def test_a_turn_that_does_not_come_is_an_operational_error(wrapper):
    """A read needs none."""
    other = Turnstile(file_of(wrapper))
    other.take(timeout=1)
    wrapper.write_timeout = 0
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tally")
        assert cursor.fetchone() == (0,)
        wrapper.write_timeout = 0.05
        begun = time.monotonic()
        with pytest.raises(OperationalError, match="locked"):
            cursor.execute("DELETE FROM tally")
        # Not at once, and not only after the settings' five seconds.
        assert 0.05 <= time.monotonic() - begun < 4
        other.close()
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
    assert is_free(wrapper)


def test_threads_that_write_lose_no_update(wrapper):
    path = file_of(wrapper)
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('all')")

    def add(_: int) -> None:
        with closing(open_wrapper(path)) as mine:
            for _ in range(50):
                with mine.cursor() as cursor:
                    cursor.execute("BEGIN IMMEDIATE")
                    cursor.execute("SELECT writes FROM tally")
                    (writes,) = cursor.fetchone()
                    cursor.execute("UPDATE tally SET writes = %s", [writes + 1])
                mine.commit()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(4)))
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT writes FROM tally")
        assert cursor.fetchone() == (200,)


@pytest.mark.skipif(sqlite3.sqlite_version_info >= SAFE_SQLITE, reason="SQLite checkpoints itself")
def test_the_log_is_moved_into_the_file_when_due_and_by_nobody_else(wrapper, monkeypatch):
    log = file_of(wrapper).with_name(file_of(wrapper).name + "-wal")
    with wrapper.cursor() as cursor:
        cursor.execute("PRAGMA wal_autocheckpoint")
        assert cursor.fetchone() == (0,)
        cursor.execute("INSERT INTO tally (writer) VALUES ('me')")
        assert not wrapper.checkpoint_if_due()
        assert log.stat().st_size > 0
        with monkeypatch.context() as patch:
            patch.setattr("rpsite.db.sqlite.base.CHECKPOINT_PAUSE", 0.0)
            assert wrapper.checkpoint_if_due()
        assert log.stat().st_size == 0
        assert is_free(wrapper)
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (5000,)
        cursor.execute("DELETE FROM tally")
        assert not wrapper.checkpoint_if_due()
        monkeypatch.setattr("rpsite.db.sqlite.base.LARGEST_LOG", 1)
        assert wrapper.checkpoint_if_due(), "a large log is moved at once"


def test_a_killed_writer_leaves_the_turn_to_others(wrapper):
    code = (
        "import sys, time; from pathlib import Path;"
        "from rpsite.db.sqlite.base import Turnstile; Turnstile(Path(sys.argv[1])).take(1);"
        "print('mine', flush=True); time.sleep(60)"
    )
    words = ("-c", code, str(file_of(wrapper)))
    with forks.unforked(*words, env=os.environ, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"mine\n"
        assert not is_free(wrapper)
        holder.kill()
        holder.wait(PATIENCE)
    assert is_free(wrapper)


SECONDS = 2.0
#: Writes until the time is over: busily, or every 20 ms.  A line is the seconds of a write.
WRITER = """
import sys, time, django; django.setup()
from django.db import connection, transaction
kind, until = sys.argv[1], time.monotonic() + float(sys.argv[2])
while (begun := time.monotonic()) < until:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE tally SET writes = writes + 1 WHERE writer = %s", [kind])
        time.sleep(0.004 if kind == "busy" else 0)
    print(time.monotonic() - begun, flush=True)
    time.sleep(0.02 if kind == "calm" else 0)
"""


@pytest.mark.processes
def test_a_busy_writer_does_not_starve_a_calm_one(wrapper):
    """A calm writer waits for one transaction of the busy one, not for a gap between many."""
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO tally (writer) VALUES ('busy'), ('calm')")
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{file_of(wrapper)}"}

    def write(kind: str) -> list[float]:
        done = forks.run("-c", WRITER, kind, str(SECONDS), env=environment)
        assert done.returncode == 0, done.stderr
        return sorted(map(float, done.stdout.split()))

    with ThreadPoolExecutor(2) as pool:
        busy, calm = pool.map(write, ("busy", "calm"))
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

    line = base._lines[path]
    with ThreadPoolExecutor(5) as pool:
        for name in ("page 1", "page 2", "batch", "page 3", "clock"):
            before = len(line.first) + len(line.others)
            pool.submit(write, name, is_first=not name.startswith("page"))
            while len(line.first) + len(line.others) == before:
                time.sleep(0.001)
        holder.give_back()
    assert order == ["batch", "clock", "page 1", "page 2", "page 3"]
    assert is_free(path)


def test_who_waits_in_line_polls_no_lock(tmp_path, monkeypatch):
    path, polled = tmp_path / "turns.sqlite3", []
    holder = Turnstile(path)
    holder.take(PATIENCE)
    monkeypatch.setattr(base, "_lock", lambda *given: polled.append(given))
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
