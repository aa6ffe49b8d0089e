"""Precise timers for matches that this process shows or commits; a sweep covers the others.
Source: docs/explanation/deadlines.md.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.utils import timezone

from games.matches.journal.snapshots import Snapshot

#: Seconds by which a timer fires late, so that the instant has passed.
LATE: Final = 0.002


class Timers:
    """One timer a match, for its next deadline or bot."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wake: Callable[[list[int]], None]) -> None:
        self._loop, self._wake = loop, wake
        self._wanted: dict[int, datetime] = {}
        self._set: dict[int, tuple[datetime, asyncio.TimerHandle]] = {}

    def watch(self, snapshot: Snapshot) -> None:
        """Set the timer of a match that has changed. A timer set for an earlier instant stays;
        otherwise each move would set it again.  When it fires, it checks whether it is too early.
        """
        match = snapshot.match
        if match.wake_at is None or match.stalled_at is not None:
            self._wanted.pop(match.id, None)
            return
        self._wanted[match.id] = match.wake_at
        set_for, timer = self._set.get(match.id, (None, None))
        if timer is None or set_for is None or match.wake_at < set_for:
            self._arm(match.id)

    def stop(self) -> None:
        """Cancel all timers."""
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
