"""A duel between two transitions: frozen values, never changed, only replaced.

The one field that is marked is known to its seat alone; a test classifies every field.

Source: docs/rules/duel.md, "What each viewer sees".
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from games.duel.rules.hands import Hand
from games.duel.rules.options import Options
from games.engine.facts import Instant, Points, SeatNo
from games.engine.structs import SECRET, Hidden, Record, replace

#: As many throws are remembered for the view.
MOST_THROWS_SHOWN: Final = 20

SECOND: Final = 1_000  # milliseconds
DAY: Final = 86_400 * SECOND


class Stage(StrEnum):
    """A stretch of the duel with its own legal actions."""

    THROWING = "throwing"
    SUSPENDED = "suspended"
    OVER = "over"


class Reason(StrEnum):
    """Why a duel ended."""

    WINS = "wins"
    DRAW = "draw"
    RESIGNED = "resigned"
    SUSPENSION = "suspension"
    ABANDONED = "abandoned"
    VOID = "void"


class SeatState(Hidden, frozen=True):
    """One seat's part of the duel.

    ``hand`` is that of the throw that runs.  It stays when the duel ends before both are in, and
    is then shown to nobody else.
    """

    no: SeatNo
    wins: int = 0
    asks_suspension: bool = False
    is_back: bool = False  # ready to go on with a suspended duel
    hand: Annotated[Hand | None, SECRET] = None  # that it is in is public


class ThrowRecord(Record, frozen=True):
    """What everybody knows of a throw that is done; a hand that never came is None."""

    throw: int
    hands: tuple[Hand | None, Hand | None]
    winners: tuple[SeatNo, ...]
    counted: bool


class Result(Record, frozen=True):
    """How the duel ended; ``awards`` is what each seat got back, in points."""

    winners: tuple[SeatNo, ...]
    reason: Reason
    awards: tuple[Points, Points]
    tax: Points


class DuelState(Hidden, frozen=True):
    """A whole duel.

    Invariants: never both hands are in; ``due_at`` is None when over only; ``result`` is set
    when over only; nobody asks for a suspension but while throwing, nobody is back but while
    suspended, and never both.
    """

    options: Options
    seats: tuple[SeatState, SeatState]
    stage: Stage = Stage.THROWING
    phase: int = 0  # counts throws, suspensions, resumptions and the end
    throw: int = 0
    uncounted: int = 0  # matched and void throws since the last one that counted
    voids: int = 0  # void throws since the last one that counted
    due_at: Instant | None = None
    throws: tuple[ThrowRecord, ...] = ()  # the last ones
    result: Result | None = None

    def seat(self, no: SeatNo) -> SeatState | None:
        """Return the seat of that number, None if there is none."""
        return next((seat for seat in self.seats if seat.no == no), None)

    def opponent(self, seat: SeatState) -> SeatState:
        """Return the other seat."""
        return self.seats[1 - seat.no]

    @property
    def clock_limit(self) -> int | None:
        """How many milliseconds the clock that runs now was given; None when over."""
        if self.stage == Stage.OVER:
            return None
        if self.stage == Stage.SUSPENDED:
            return self.options.suspension_days * DAY
        return self.options.clock_milliseconds


def with_seat(state: DuelState, changed: SeatState) -> DuelState:
    """Return the state with one seat replaced."""
    first, second = state.seats
    seats = (changed, second) if changed.no == first.no else (first, changed)
    return replace(state, seats=seats)


def with_clock(state: DuelState, at: Instant) -> tuple[DuelState, Instant]:
    """Return the state with the clock of its stage started in full, and when that ends.

    Raises:
        ValueError: the duel is over.
    """
    limit = state.clock_limit
    if limit is None:
        raise ValueError("a duel that is over has no clock")
    due_at = Instant(at + limit)
    return replace(state, due_at=due_at), due_at
