"""Nights and days: their length and clock, and the hidden moment of an early end.
Source: docs/rules/agora.md "Phases", "The contest".
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final

from games.engine.facts import Instant
from games.engine.structs import SECRET, Hidden, replace
from games.engine.table.state import LIVE_LIMIT

SECOND: Final = 1_000  # milliseconds
SHORTEST_PHASE: Final = 60
LONGEST_PHASE: Final = 7 * 86_400

#: The length of a phase in a game of one sitting.
QUICK_PHASE: Final[Mapping[str, int | bool]] = {"phase_seconds": 120}


#: Milliseconds: an early end falls on a multiple of this, or of a sixth of the phase if shorter.
LONGEST_GRID: Final = 60_000
PARTS: Final = 6
#: Milliseconds: the length of a phase of a game that is played out, because no person lives.
PLAYED_OUT: Final = 2_500


class Stage(StrEnum):
    """A night, a day, or the end; each has its own legal actions."""

    NIGHT = "night"
    DAY = "day"
    OVER = "over"


class Clock(Hidden, frozen=True):
    """The clock of one phase; ``limit`` is its length in milliseconds. ``early_at``, set while all
    the living are done, is for no viewer.
    """

    began_at: Instant
    limit: int
    ends_at: Instant
    early_at: Annotated[Instant | None, SECRET] = None

    @property
    def due_at(self) -> Instant:
        return self.ends_at if self.early_at is None else min(self.early_at, self.ends_at)


def started(at: Instant, limit: int) -> Clock:
    return Clock(at, limit, Instant(at + limit))


def hidden_moment(clock: Clock, at: Instant) -> Instant:
    """Return the first moment after ``at`` at which an early end may fall.
    >>> hidden_moment(started(Instant(0), 120_000), Instant(20_000))
    40000
    """
    grid = max(1, min(LONGEST_GRID, clock.limit // PARTS))
    return Instant(clock.began_at + ((at - clock.began_at) // grid + 1) * grid)


def armed(clock: Clock, *, is_wanted: bool, at: Instant) -> Clock:
    """Set or clear the early end of the clock; an early end that is set does not move."""
    if is_wanted and clock.early_at is not None:
        return clock
    return replace(clock, early_at=hidden_moment(clock, at) if is_wanted else None)


def postponed(clock: Clock, due_at: Instant) -> Clock:
    """Return the clock with the time of an outage repaid: a live clock is due no sooner than the
    instant given. Viewers get the same time whether an early end was near or not.
    """
    # The house counts from the current deadline, which may be the hidden one: both move alike.
    if clock.limit > LIVE_LIMIT:
        by = max(0, due_at - clock.due_at)
        early_at = None if clock.early_at is None else Instant(clock.early_at + by)
        return replace(clock, ends_at=Instant(clock.ends_at + by), early_at=early_at)
    ends_at, early_at = max(clock.ends_at, due_at), clock.early_at
    if early_at is not None and early_at < due_at:
        early_at = hidden_moment(clock, due_at)
    return replace(clock, ends_at=ends_at, early_at=early_at)
