"""Notes in the database that worker and beat work, from a thread that may wait for it.
Source: docs/how-to/run-a-site.md "The status page".
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError, connections

from games.matches.processing.status import EVERY, note_working
from rpsite.disk import warn_of_disk
from rpsite.status_copy import write_copy

log = logging.getLogger(__name__)


class Pulse:
    """Notes at most every 15 s, and never twice at once, that some components work. ``then`` is
    done after each note, also after one that failed.
    """

    def __init__(self, *names: str, then: Callable[[], None] | None = None) -> None:
        self._names, self._then = names, then
        self._next = 0.0
        self._thread: threading.Thread | None = None

    def beat(self) -> None:
        """Note it, if it is time; return at once."""
        if time.monotonic() < self._next or (self._thread and self._thread.is_alive()):
            return
        self._next = time.monotonic() + EVERY
        self._thread = threading.Thread(target=self._note, name="pulse", daemon=True)
        self._thread.start()

    def _note(self) -> None:
        warn_of_disk()
        try:
            note_working(self._names)
        except DatabaseError as problem:
            log.warning("%s could not be noted: %s", self._names[0], type(problem).__name__)
        try:
            if self._then:
                self._then()
        finally:
            # No process that the worker forks later may share a connection.
            for connection in connections.all(initialized_only=True):
                connection.close()
                if close_pool := getattr(connection, "close_pool", None):
                    close_pool()


WORKER: Final = Pulse("worker", "redis", "database")
BEAT: Final = Pulse("beat", "database", then=write_copy)
