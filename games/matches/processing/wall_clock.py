"""The machine's clock, held against one that nobody can set.

Instants are those of the machine's clock: other processes, and whoever comes after a restart, must
understand them.  When somebody sets it back they wait, and nothing acts twice; what must not wait
for that goes by this.

Source: docs/deadlines.md "A clock that is set back".
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

log = logging.getLogger(__name__)

Seconds = Callable[[], float]
#: Seconds: what is less is how clocks of machines are corrected all the time.
NOTICED: Final = 1.0
#: A process that stood still for so long between two readings has learnt nothing from them.
TOO_SLOW: Final = 0.1


class WallClock:
    """Knows what time it would be had nobody set the machine's clock since, and whether one has."""

    def __init__(self, wall: Seconds = time.time, steady: Seconds = time.monotonic) -> None:
        self._wall, self._steady = wall, steady
        self._apart = self._begun = wall() - steady()

    def now(self) -> datetime:
        """Return the instant by the steady clock; it never goes back."""
        return datetime.fromtimestamp(self._begun + self._steady(), UTC)

    def look(self) -> float:
        """Return by how many seconds the clock was set since the last look, and report it.

        Only what goes back is reported; 0 for less than a second, and for what goes forward: an
        outage looks the same.
        """
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
