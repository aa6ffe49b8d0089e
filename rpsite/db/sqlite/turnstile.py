"""Two file locks that writers take in turn, so that none of them starves.

SQLite lets waiting writers retry after a pause; one that writes again and again is nearly always
faster than all of them.  Here a writer takes lock A, then lock B, then gives A back, and keeps B
until its transaction ends.  A writer that has just given B back finds A taken by the next one, and
queues behind it.

Source: docs/explanation/decisions/ "Turnstile on SQLite";
docs/explanation/concurrency.md "Writers on SQLite".
"""

import fcntl
import os
import time
from pathlib import Path
from typing import Final

#: Seconds between two tries of a lock: short at first, because transactions are short.
FIRST_PAUSE: Final = 0.0002
LONGEST_PAUSE: Final = 0.002


class TurnstileTimeout(Exception):
    """The turn did not come in time."""


class Turnstile:
    """One connection's handle of the two locks of a database file.

    Every connection opens the files separately: a lock belongs to an open file, so threads and
    processes queue in the same way.
    """

    def __init__(self, database: Path) -> None:
        self.database = database
        self._paths = tuple(database.with_name(database.name + end) for end in (".a", ".b"))
        self._files: list[int] = []
        self._owner = 0
        self.is_held = False

    def take(self, timeout: float) -> None:
        """Wait for the turn; does nothing if this connection has it.

        Args:
            timeout: the limit of the wait, in seconds.

        Raises:
            TurnstileTimeout: other connections kept the turn for longer.
        """
        if self.is_held and self._owner == os.getpid():
            return
        self._open()
        until = time.monotonic() + timeout
        first, second = self._files
        _lock(first, until)
        try:
            _lock(second, until)
        finally:
            fcntl.flock(first, fcntl.LOCK_UN)
        self.is_held = True

    def give_back(self) -> None:
        """Give the turn to the next writer; does nothing if this connection does not have it."""
        if self.is_held and self._owner == os.getpid():
            fcntl.flock(self._files[1], fcntl.LOCK_UN)
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
