"""Precise timers for the matches that this process holds; a sweep covers all the others.

Source: docs/deadlines.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.utils import timezone

from games.reading.snapshots import Snapshot

#: Seconds by which a timer is late, so that the instant has surely passed.
LATE: Final = 0.002


class Timers:
    """One timer a match, for its next deadline or bot."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wake: Callable[[list[int]], None]) -> None:
        self._loop, self._wake = loop, wake
        self._set: dict[int, tuple[datetime, asyncio.TimerHandle]] = {}

    def watch(self, snapshot: Snapshot) -> None:
        """Set the timer of a match that has changed."""
        match = snapshot.match
        wake_at = match.wake_at if match.stalled_at is None else None
        old_at, timer = self._set.get(match.pk, (None, None))
        if wake_at == old_at:
            return
        if timer is not None:
            timer.cancel()
            del self._set[match.pk]
        if wake_at is not None:
            seconds = max(0.0, (wake_at - timezone.now()).total_seconds()) + LATE
            self._set[match.pk] = (wake_at, self._loop.call_later(seconds, self._fire, match.pk))

    def stop(self) -> None:
        """Let no timer fire any more."""
        for _, timer in self._set.values():
            timer.cancel()

    def _fire(self, match_id: int) -> None:
        self._set.pop(match_id, None)
        self._wake([match_id])
