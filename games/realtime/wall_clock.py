"""The machine's clock, compared with the monotonic clock, which nobody can set.
Source: docs/explanation/deadlines.md "A clock that is set back".
"""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

log = logging.getLogger(__name__)

Seconds = Callable[[], float]
#: Seconds: smaller steps are normal corrections of a machine's clock.
NOTICED: Final = 1.0
#: Seconds: readings of the two clocks further apart than this are discarded.
TOO_SLOW: Final = 0.1


class WallClock:
    """Computes the time as if nobody had set the machine's clock since, and detects a setting."""

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
