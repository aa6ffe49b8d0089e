"""Celery's consumer and scheduler with signs of life, and their notes in the database that they
work.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from celery import beat
from celery.worker import consumer
from django.db import DatabaseError, connections

from games.matches.processing.status import EVERY, note_working
from games.realtime.clocks import WallClock
from rpsite.disk import warn_of_disk
from rpsite.processes.signs import sign
from rpsite.status import write_copy

log = logging.getLogger(__name__)


class Pulse:
    """Notes at most every 15 s, from a thread that may wait for the database, that components work.
    ``then`` is done after each note, also after one that failed.
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


class Consumer(consumer.Consumer):
    """The worker's consumer, which gives signs also while it waits for a broker that is away;
    connected, it gives them with its heartbeats.
    """

    def ensure_connected(self, conn: Any) -> Any:
        ensure = conn.ensure_connection

        def ensure_with_signs(*given: Any, callback: Any, **named: Any) -> Any:
            def look() -> None:
                sign()
                callback()

            return ensure(*given, callback=look, **named)

        conn.ensure_connection = ensure_with_signs
        return super().ensure_connected(conn)


class Scheduler(beat.Scheduler):
    """Beat's scheduler without a file, by the monotonic clock: set back an hour, the machine's
    clock would have it send nothing for an hour.
    """

    def setup_schedule(self) -> None:
        self.clock = WallClock()
        super().setup_schedule()
        for entry in self.schedule.values():
            vars(entry.schedule)["nowfun"] = self.clock.now
            entry.last_run_at = entry.default_now()

    def tick(self, *given: Any, **named: Any) -> float:
        self.clock.look()
        sign()
        BEAT.beat()
        return float(super().tick(*given, **named))

    def _ensure_connected(self) -> Any:
        """Connect to the broker; a broker that is away is waited for, which is no hang."""

        def tell(problem: Exception, pause: float) -> None:
            log.error(
                "the broker is away: %s; trying again in %.0f s", type(problem).__name__, pause
            )

        return self.connection.ensure_connection(tell, callback=sign)
