"""The state of a duel: frozen values; a transition returns a new state. Only its seat knows the one
field marked SECRET; a test classifies every field. Source: docs/rules/duel.md, "What each viewer
sees".
"""

from enum import StrEnum
from typing import Annotated, Final

from msgspec import UNSET, UnsetType

from games.duel.rules.hands import Hand
from games.duel.rules.options import FirstOptions, Options
from games.engine.facts import Instant, Points, SeatNo
from games.engine.structs import SECRET, Hidden, Record, replace

#: The number of throws that the state keeps for the view.
MOST_THROWS_SHOWN: Final = 20


class Stage(StrEnum):
    """A stage of the duel with its own legal actions."""

    THROWING = "throwing"
    SUSPENDED = "suspended"
    OVER = "over"


class Reason(StrEnum):
    """The reason why a duel ended."""

    WINS = "wins"
    DRAW = "draw"
    RESIGNED = "resigned"
    SUSPENSION = "suspension"
    ABANDONED = "abandoned"
    MISSED = "missed"
    VOID = "void"


class SeatState(Hidden, frozen=True):
    """The state of one seat. ``hand`` is the hand of the current throw.  If the duel ends before
    both are in, it stays in the state and is never revealed to others.  ``is_warned``: it missed
    the first throw of its last quick duel; else left out.
    """

    no: SeatNo
    wins: int = 0
    asks_suspension: bool = False
    is_back: bool = False  # ready to resume a suspended duel
    hand: Annotated[Hand | None, SECRET] = None  # public: whether there is one
    is_warned: bool | UnsetType = UNSET


class ThrowRecord(Record, frozen=True):
    """The public record of a finished throw; a missing hand is None."""

    throw: int
    hands: tuple[Hand | None, Hand | None]
    winners: tuple[SeatNo, ...]
    counted: bool


class Result(Record, frozen=True):
    """The result of the duel; ``awards`` are the points that each seat got back."""

    winners: tuple[SeatNo, ...]
    reason: Reason
    awards: tuple[Points, Points]
    tax: Points


class FirstState(Hidden, frozen=True):
    """The state of a duel by the rules of version 1. Invariants: at most one hand is in; ``due_at``
    is None only when the duel is over; ``result`` is set only then; at most one seat asks for a
    suspension, and only while throwing; at most one seat is back, and only while suspended.
    """

    options: FirstOptions
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
        """Return the seat with that number, None if there is none."""
        return self.seats[no] if no in (0, 1) else None

    def opponent(self, seat: SeatState) -> SeatState:
        """Return the other seat."""
        return self.seats[1 - seat.no]


class DuelState(FirstState, frozen=True):
    """The state of a duel."""

    options: Options


def with_seat(state: DuelState, changed: SeatState) -> DuelState:
    """Return the state with one seat replaced."""
    first, second = state.seats
    seats = (changed, second) if changed.no == first.no else (first, changed)
    return replace(state, seats=seats)
