"""A clock that nobody can set, and a timer for each match that this process shows."""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from django.utils import timezone

if TYPE_CHECKING:
    # Celery's beat imports this module before there are models.
    from games.matches.journal.snapshots import Snapshot

log = logging.getLogger(__name__)

Seconds = Callable[[], float]
#: Seconds: smaller steps are normal corrections of a machine's clock.
NOTICED: Final = 1.0
#: Seconds: readings of the two clocks further apart than this are discarded.
TOO_SLOW: Final = 0.1
#: Seconds by which a timer fires late, so that the instant has passed.
LATE: Final = 0.002


class WallClock:
    """The time as if nobody had set the machine's clock since, and whether somebody has."""

    def __init__(self, wall: Seconds = time.time, steady: Seconds = time.monotonic) -> None:
        self._wall, self._steady = wall, steady
        self._apart = self._begun = wall() - steady()

    def now(self) -> datetime:
        """Return the instant by the monotonic clock; it never goes back."""
        return datetime.fromtimestamp(self._begun + self._steady(), UTC)

    def look(self) -> float:
        """Return by how many seconds the clock was set back since the last look, and log it."""
        before = self._steady()
        wall = self._wall()
        if self._steady() - before > TOO_SLOW:
            return 0.0
        set_by, self._apart = wall - before - self._apart, wall - before
        if set_by > -NOTICED:
            return 0.0
        log.critical(
            "the clock of this machine was set back by %.0f s:"
            " clocks of games and limits wait until it has caught up",
            -set_by,
        )
        return set_by


class Timers:
    """One timer a match, for its next deadline or bot."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wake: Callable[[list[int]], None]) -> None:
        self._loop, self._wake = loop, wake
        self._wanted: dict[int, datetime] = {}
        self._set: dict[int, tuple[datetime, asyncio.TimerHandle]] = {}

    def watch(self, snapshot: "Snapshot") -> None:
        """Set the timer of a match that has changed."""
        match = snapshot.match
        if match.wake_at is None or match.stalled_at is not None:
            self._wanted.pop(match.id, None)
            return
        self._wanted[match.id] = match.wake_at
        set_for, timer = self._set.get(match.id, (None, None))
        # A timer for an earlier instant stays: otherwise each move would set it again.
        if timer is None or set_for is None or match.wake_at < set_for:
            self._arm(match.id)

    def stop(self) -> None:
        for _, timer in self._set.values():
            timer.cancel()

    def _fire(self, match_id: int) -> None:
        set_for, _ = self._set.pop(match_id)
        wanted = self._wanted.get(match_id)
        if wanted is None:
            return
        if wanted > set_for:
            self._arm(match_id)
            return
        del self._wanted[match_id]
        self._wake([match_id])

    def _arm(self, match_id: int) -> None:
        if match_id in self._set:
            self._set[match_id][1].cancel()
        wanted = self._wanted[match_id]
        seconds = max(0.0, (wanted - timezone.now()).total_seconds()) + LATE
        self._set[match_id] = (wanted, self._loop.call_later(seconds, self._fire, match_id))
