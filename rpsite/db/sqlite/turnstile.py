"""Two file locks that processes take in turn to write, and a line of threads in each process.

SQLite lets waiting writers retry after a pause; one that writes again and again is nearly always
faster than all of them.  Here a writer takes lock A, then lock B, then gives A back, and keeps B
until its transaction ends.  A writer that has just given B back finds A taken by the next one, and
queues behind it.  A lock is polled, so one thread of a process does it, and the others wait behind
it in order; those that players wait for go first.

Source: docs/explanation/decisions/ "Turnstile on SQLite";
docs/explanation/concurrency.md "Writers on SQLite".
"""

import fcntl
import os
import threading
import time
from collections import deque
from pathlib import Path
from typing import Final

#: Seconds between two tries of a lock: short at first, because transactions are short.
FIRST_PAUSE: Final = 0.0002
LONGEST_PAUSE: Final = 0.002


class TurnstileTimeout(Exception):
    """The turn did not come in time."""


class _Line:
    """The threads of this process that write to one database: one at the locks, others behind."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.is_taken = False
        self.first: deque[threading.Lock] = deque()
        self.others: deque[threading.Lock] = deque()

    def wait(self, place: threading.Lock, places: deque[threading.Lock], until: float) -> None:
        """Wait until a place of this line is called; raises TurnstileTimeout."""
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
    """One connection's handle of the two locks of a database file. Every connection opens the files
    separately: a lock belongs to an open file.
    """

    def __init__(self, database: Path) -> None:
        self.database = database
        self._paths = tuple(database.with_name(database.name + end) for end in (".a", ".b"))
        self._files: list[int] = []
        self._owner = 0
        self._line = _Line()
        self.is_held = False

    def take(self, timeout: float, *, is_first: bool = False) -> None:
        """Wait at most ``timeout`` seconds for the turn; does nothing if this connection has it.
        ``is_first``: before all others of this process that wait.  Raises TurnstileTimeout.
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
