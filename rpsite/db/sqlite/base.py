"""Django's SQLite backend with a turnstile before writes and explicit checkpoints.

Source: docs/explanation/decisions/ "Turnstile on SQLite".
"""

import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from django.db.backends.sqlite3 import base

from rpsite.db.sqlite.turnstile import Turnstile, TurnstileTimeout

#: Before this version two connections that checkpoint and write at once can lose pages, so
#: only the web process moves the log into the file, and nobody can write meanwhile.
SAFE_SQLITE: Final = (3, 51, 3)
CHECKPOINT_PAUSE: Final = 30.0
#: Nobody can write during a checkpoint: 64 MB took 50 to 100 ms.
LARGEST_LOG: Final = 8 * 2**20
#: Milliseconds that a checkpoint, and every writer behind it, waits for readers.
CHECKPOINT_PATIENCE: Final = 20

_READS: Final = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(SELECT|EXPLAIN|PRAGMA|VALUES)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_write(query: str) -> bool:
    """Whether a statement may write; True in doubt.

    >>> is_write("SELECT 1"), is_write("INSERT INTO a VALUES (1)"), is_write("BEGIN IMMEDIATE")
    (False, True, True)
    """
    return _READS.match(query) is None


class TurnstileCursor(base.SQLiteCursorWrapper):
    """Takes the turn before a statement that begins a transaction or writes outside of one."""

    wrapper: "DatabaseWrapper"
    _rows: Iterator[Any] | None = None

    def execute(self, query: str, params: Any = None) -> Any:
        """Run a statement; wait for the turn if it writes."""
        self._rows = None
        if self.connection.in_transaction:
            return super().execute(query, params)
        return self._in_turn(query, lambda: super(TurnstileCursor, self).execute(query, params))

    def executemany(self, query: str, param_list: Iterable[Any]) -> Any:
        """Run a statement for each row of parameters, in turn."""
        self._rows = None
        if self.connection.in_transaction:
            return super().executemany(query, param_list)
        return self._in_turn(
            query, lambda: super(TurnstileCursor, self).executemany(query, param_list)
        )

    def _in_turn(self, query: str, run: Callable[[], Any]) -> Any:
        """Run a statement outside a transaction, or the one that begins a transaction."""
        raw = self.connection
        if not is_write(query):
            return run()
        self.wrapper.take_turn()
        try:
            result = run()
            if not raw.in_transaction and self.description is not None:
                # INSERT … RETURNING: SQLite commits it only when its rows have been fetched.
                self._rows = iter(super().fetchall())
            return result
        finally:
            if not raw.in_transaction:
                self.wrapper.turnstile.give_back()

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        return super().fetchone() if self._rows is None else next(self._rows, None)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """Return up to ``size`` rows."""
        size = self.arraysize if size is None else size
        if self._rows is None:
            return super().fetchmany(size)
        return [row for _, row in zip(range(size), self._rows, strict=False)]

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""
        return super().fetchall() if self._rows is None else list(self._rows)

    def __next__(self) -> Any:
        """Return the next row."""
        return super().__next__() if self._rows is None else next(self._rows)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that takes turns with all others to write.

    ``write_timeout`` is the limit of its wait for a turn, in seconds; a thread may set its
    connection's.
    """

    #: When each database file was last checkpointed by this process, by the monotonic clock.
    _checkpoints: ClassVar[dict[str, float]] = {}

    def __init__(self, settings_dict: Mapping[str, Any], alias: str = "default") -> None:
        super().__init__(dict(settings_dict), alias)
        self.write_timeout: float | None = None
        self._turnstile: Turnstile | None = None

    @property
    def turnstile(self) -> Turnstile:
        """The locks of this connection's database file; tests use another file."""
        database = Path(str(self.settings_dict["NAME"]))
        if self._turnstile is None or self._turnstile.database != database:
            self._turnstile = Turnstile(database)
        return self._turnstile

    def take_turn(self) -> None:
        """Wait until this connection may write.

        Raises:
            sqlite3.OperationalError: the turn did not come in time; Django converts it.
        """
        if self.is_in_memory_db():
            return
        timeout = self.write_timeout
        if timeout is None:
            timeout = self.settings_dict["OPTIONS"].get("timeout", 5.0)
        try:
            self.turnstile.take(timeout)
        except TurnstileTimeout:
            raise sqlite3.OperationalError(f"database is locked: no turn in {timeout} s") from None

    def checkpoint_if_due(self) -> bool:
        """Move the write-ahead log into the file, every 30 s or when it has 8 MB.

        For the web process.  Does nothing inside a transaction, or where SQLite checkpoints
        automatically.  Returns whether it was done.

        Raises:
            OperationalError: the turn did not come in time.
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
        """Move the write-ahead log into the file while nobody else can write.

        Raises:
            OperationalError: the turn did not come in time.
        """
        self.ensure_connection()
        with self.wrap_database_errors:
            self.take_turn()
            try:
                self.connection.execute(f"PRAGMA busy_timeout={CHECKPOINT_PATIENCE}")
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._restore_patience()
                self.turnstile.give_back()

    def _restore_patience(self) -> None:
        milliseconds = int(self.settings_dict["OPTIONS"].get("timeout", 5.0) * 1000)
        self.connection.execute(f"PRAGMA busy_timeout={milliseconds}")

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        """Open a connection; where automatic checkpoints are unsafe, turn them off.

        They are safe for a database with CHECKPOINTS in its settings: its writers keep the turn
        until the checkpoint after the commit is over.
        """
        raw: sqlite3.Connection = super().get_new_connection(conn_params)
        checkpoints = self.settings_dict.get("CHECKPOINTS", False)
        if sqlite3.sqlite_version_info < SAFE_SQLITE and not checkpoints:
            raw.execute("PRAGMA wal_autocheckpoint=0")
        return raw

    def create_cursor(self, name: str | None = None) -> TurnstileCursor:
        """Return a cursor that takes turns."""
        cursor: TurnstileCursor = self.connection.cursor(factory=TurnstileCursor)
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
