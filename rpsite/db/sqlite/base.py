"""Django's SQLite backend with explicit checkpoints and a turnstile before writes: SQLite lets
waiting writers retry after a pause, so that one that writes again and again is nearly always faster
than all of them.
"""

import fcntl
import os
import re
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from django.conf import settings
from django.db.backends.sqlite3 import base
from django.utils.asyncio import async_unsafe

#: Before this version two connections that checkpoint and write at once can lose pages, so
#: only the web process moves the log into the file, and nobody can write meanwhile.
SAFE_SQLITE: Final = (3, 51, 3)
CHECKPOINT_PAUSE: Final = 30.0
#: Nobody can write during a checkpoint: 64 MB took 50 to 100 ms.
LARGEST_LOG: Final = 8 * 2**20
#: Milliseconds that a checkpoint, and every writer behind it, waits for readers.
CHECKPOINT_PATIENCE: Final = 20

_READS: Final = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(SELECT|EXPLAIN|PRAGMA|VALUES)\b", re.IGNORECASE | re.DOTALL
)


#: Seconds between two tries of a lock: short at first, because transactions are short.
FIRST_PAUSE: Final = 0.0002
LONGEST_PAUSE: Final = 0.002


class TurnstileTimeout(Exception):
    """The turn did not come in time."""


class _Line:
    """The threads of this process that write to one database: one polls the locks, others wait
    behind it in order.
    """

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.is_taken = False
        self.first: deque[threading.Lock] = deque()
        self.others: deque[threading.Lock] = deque()

    def wait(self, place: threading.Lock, places: deque[threading.Lock], until: float) -> None:
        """Wait until a place of this line is called. Raises TurnstileTimeout."""
        if place.acquire(timeout=max(0.0, until - time.monotonic())):
            return
        with self.guard:
            if place in places:
                places.remove(place)
                raise TurnstileTimeout


_lines: dict[Path, _Line] = {}
# The threads in line stay in the parent.
os.register_at_fork(after_in_child=_lines.clear)


class Turnstile:
    """One connection's handle of the two locks of a database file. Each connection opens the files:
    a lock belongs to an open file.
    """

    def __init__(self, database: Path) -> None:
        self.database = database
        self._paths = tuple(database.with_name(database.name + end) for end in (".a", ".b"))
        self._files: list[int] = []
        self._owner = 0
        self._line = _Line()
        self.is_held = False

    def take(self, timeout: float, *, is_first: bool = False) -> None:
        """Wait at most ``timeout`` seconds for the turn; ``is_first``: before all others of this
        process that wait. Does nothing if this connection has it. Raises TurnstileTimeout.
        """
        if self.is_held and self._owner == os.getpid():
            return
        self._open()
        until, line, place = time.monotonic() + timeout, self._line, None
        with line.guard:
            if line.is_taken:
                place = threading.Lock()
                place.acquire()
                places = line.first if is_first else line.others
                places.append(place)
            line.is_taken = True
        if place is not None:
            line.wait(place, places, until)
        # The first lock is given back with the second in hand: who has just given that back finds
        # the first one taken by the next writer, and queues behind it.
        first, second = self._files
        try:
            _lock(first, until)
            try:
                _lock(second, until)
            finally:
                fcntl.flock(first, fcntl.LOCK_UN)
        except BaseException:
            self.is_held = True
            self.give_back()
            raise
        self.is_held = True

    def give_back(self) -> None:
        """Give the turn to the next writer; does nothing if this connection does not have it."""
        if self.is_held and self._owner == os.getpid():
            fcntl.flock(self._files[1], fcntl.LOCK_UN)
            line = self._line
            with line.guard:
                if places := line.first or line.others:
                    places.popleft().release()
                else:
                    line.is_taken = False
        self.is_held = False

    def close(self) -> None:
        """Give the turn back and close the files."""
        self.give_back()
        for file in self._files:
            os.close(file)
        self._files = []

    def _open(self) -> None:
        """Open the files; open them again after a fork, which would share its parent's locks."""
        if self._files and self._owner == os.getpid():
            return
        for file in self._files:
            os.close(file)
        self._files = [os.open(path, os.O_RDWR | os.O_CREAT, 0o600) for path in self._paths]
        self._owner = os.getpid()
        self._line = _lines.setdefault(self.database, _Line())
        self.is_held = False


def _lock(file: int, until: float) -> None:
    """Take one lock by polling, so that the wait can time out."""
    pause = FIRST_PAUSE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise TurnstileTimeout from None
        else:
            return
        time.sleep(pause)
        pause = min(pause * 1.5, LONGEST_PAUSE)


@lru_cache(1000)
def _own(text: str) -> tuple[str, bool]:
    """Return a statement as the driver takes it, and whether it only reads."""
    return base.FORMAT_QMARK_REGEX.sub("?", text).replace("%%", "%"), not is_write(text)


def is_write(query: str) -> bool:
    """Whether a statement may write; True in doubt.
    >>> is_write("SELECT 1"), is_write("INSERT INTO a VALUES (1)"), is_write("BEGIN IMMEDIATE")
    (False, True, True)
    """
    return _READS.match(query) is None


class Cursor(base.SQLiteCursorWrapper):
    """Takes the turn before a statement that begins a transaction or writes outside of one. It
    raises Django's errors, so it needs no ``CursorWrapper``, except where statements are logged or
    wrapped.
    """

    wrapper: "DatabaseWrapper"
    _rows: Iterator[Any] | None = None

    def execute(self, query: str, params: Any = None) -> Any:
        return self._run(super().execute, query, params, is_statement=True)

    def executemany(self, query: str, param_list: Iterable[Any]) -> Any:
        return self._run(super().executemany, query, param_list, is_statement=True)

    def _run(self, run: Callable[..., Any], *given: Any, is_statement: bool = False) -> Any:
        """Call the driver, with Django's errors; the first argument of a statement is its text."""
        if is_statement:
            self._rows = None
            if self.wrapper.needs_rollback:
                self.wrapper.validate_no_broken_transaction()
        try:
            if is_statement and not self.connection.in_transaction and is_write(given[0]):
                return self._in_turn(run, *given)
            return run(*given)
        except sqlite3.Error:
            with self.wrapper.wrap_database_errors:
                raise

    def _in_turn(self, run: Callable[..., Any], *given: Any) -> Any:
        """Run a statement that writes outside a transaction, or begins one."""
        raw = self.connection
        self.wrapper.take_turn()
        try:
            result = run(*given)
            if not raw.in_transaction and self.description is not None:
                # INSERT … RETURNING: SQLite commits it only when its rows have been fetched.
                self._rows = iter(super().fetchall())
            return result
        finally:
            if not raw.in_transaction:
                self.wrapper.turnstile.give_back()

    def fetchone(self) -> Any:
        return next(self._rows, None) if self._rows is not None else self._run(super().fetchone)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        size = self.arraysize if size is None else size
        if self._rows is not None:
            return list(islice(self._rows, size))
        rows: list[Any] = self._run(super().fetchmany, size)
        return rows

    def fetchall(self) -> list[Any]:
        return list(self._rows) if self._rows is not None else self._run(super().fetchall)

    def __next__(self) -> Any:
        return next(self._rows) if self._rows is not None else self._run(super().__next__)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        try:
            self.close()
        except sqlite3.Error:
            return  # As in Django's wrapper: it would hide the error of the statement.


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that takes turns with all others to write, waiting ``write_timeout`` seconds at
    most; ``writes_first``: before others of this process. A thread may set its connection's.
    """

    #: When each database file was last checkpointed by this process, by the monotonic clock.
    _checkpoints: ClassVar[dict[str, float]] = {}

    def __init__(self, settings_dict: Mapping[str, Any], alias: str = "default") -> None:
        super().__init__(dict(settings_dict), alias)
        self.write_timeout: float | None = None
        self.writes_first = False
        # Read once: the settings are a lazy object.
        self._is_debugging = settings.DEBUG
        self._turnstile: Turnstile | None = None
        self._of_turnstile = ""

    @property
    def turnstile(self) -> Turnstile:
        """The locks of this connection's database file; tests use another file."""
        name = str(self.settings_dict["NAME"])
        if self._turnstile is None or self._of_turnstile != name:
            self._turnstile, self._of_turnstile = Turnstile(Path(name)), name
        return self._turnstile

    def take_turn(self) -> None:
        """Wait until this connection may write. Raises sqlite3.OperationalError if the turn did not
        come in time; Django converts it.
        """
        if self.is_in_memory_db():
            return
        timeout = self.write_timeout
        if timeout is None:
            timeout = self.settings_dict["OPTIONS"].get("timeout", 5.0)
        try:
            self.turnstile.take(timeout, is_first=self.writes_first)
        except TurnstileTimeout:
            raise sqlite3.OperationalError(f"database is locked: no turn in {timeout} s") from None

    def checkpoint_if_due(self) -> bool:
        """Move the write-ahead log into the file, every 30 s or when it has 8 MB, for the web
        process; return whether it was done. Not inside a transaction, or where SQLite does it.
        Raises OperationalError if the turn did not come in time.
        """
        name = str(self.settings_dict["NAME"])
        if sqlite3.sqlite_version_info >= SAFE_SQLITE or self.is_in_memory_db():
            return False
        now = time.monotonic()
        is_early = now - self._checkpoints.setdefault(name, now) < CHECKPOINT_PAUSE
        if self.in_atomic_block or (is_early and _size(Path(name + "-wal")) < LARGEST_LOG):
            return False
        self._checkpoints[name] = now
        self.checkpoint()
        return True

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file while nobody else can write. Raises
        OperationalError if the turn did not come in time.
        """
        self.ensure_connection()
        with self.wrap_database_errors:
            self.take_turn()
            try:
                self.connection.execute(f"PRAGMA busy_timeout={CHECKPOINT_PATIENCE}")
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                timeout = self.settings_dict["OPTIONS"].get("timeout", 5.0)
                self.connection.execute(f"PRAGMA busy_timeout={int(timeout * 1000)}")
                self.turnstile.give_back()

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        raw: sqlite3.Connection = super().get_new_connection(conn_params)
        # Its writers keep the turn until the checkpoint after the commit is over, so it is safe.
        checkpoints = self.settings_dict.get("CHECKPOINTS", False)
        if sqlite3.sqlite_version_info < SAFE_SQLITE and not checkpoints:
            raw.execute("PRAGMA wal_autocheckpoint=0")
        return raw

    @async_unsafe
    def cursor(self) -> Any:
        """Return a cursor; one that goes to the driver at once, if nobody logs statements."""
        if self.connection is None:
            self.ensure_connection()
        if self.execute_wrappers or self.force_debug_cursor or self._is_debugging:
            return super().cursor()
        # Not by ``create_cursor``: each statement of the ORM would make one call more.
        cursor: Cursor = self.connection.cursor(factory=Cursor)
        cursor.wrapper = self
        return cursor

    # Past the cursor's layers, which make 16 Python calls: half of what a small statement costs.
    def run(self, text: str, values: Sequence[Any], *, is_many: bool = False) -> list[Any]:
        """Return the rows of a statement; with ``is_many`` it runs for each sequence of values."""
        raw, (own, is_read) = self.connection, _own(text)
        may_run = raw is not None and (is_read or raw.in_transaction) and not self.needs_rollback
        is_logged = self.execute_wrappers or self.force_debug_cursor or self._is_debugging
        if may_run and not is_logged:
            try:
                done = raw.executemany(own, values) if is_many else raw.execute(own, values)
                return done.fetchall()
            except sqlite3.Error:
                with self.wrap_database_errors:
                    raise
        with self.cursor() as cursor:
            (cursor.executemany if is_many else cursor.execute)(text, values)
            return cursor.fetchall()

    def create_cursor(self, name: str | None = None) -> Cursor:
        cursor: Cursor = self.connection.cursor(factory=Cursor)
        cursor.wrapper = self
        return cursor

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]  # unknown to its stubs
        finally:
            self._give_back_after_transaction()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # unknown to its stubs
        finally:
            self._give_back_after_transaction()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # unknown to its stubs
        finally:
            if self._turnstile is not None:
                self._turnstile.close()

    def _give_back_after_transaction(self) -> None:
        """Give the turn back, unless the transaction continues because its end failed."""
        if self.connection is None or not self.connection.in_transaction:
            self.turnstile.give_back()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
