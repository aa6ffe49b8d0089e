"""The view of a duel, built field by field, so that a new field of the state stays hidden. Instants
are ISO 8601 in UTC, spans seconds, amounts points.
Source: docs/rules/duel.md, "What each viewer sees"; docs/reference/protocol.md, "The view".
"""

from typing import Final, TypedDict

from games.duel.rules.actions import legal_kinds
from games.duel.rules.state import DuelState, ThrowRecord
from games.engine.facts import Growing, IdentityCache, SeatNo, iso


class SeatView(TypedDict):
    """The public part of a seat."""

    no: int
    wins: int
    hand_in: bool
    asks_suspension: bool
    is_back: bool


class YouView(TypedDict):
    """The private part of the viewer's own seat."""

    hand: str | None
    legal: list[str]


class ThrowView(TypedDict):
    """A finished throw; a missing hand is null."""

    throw: int
    hands: list[str | None]
    winners: list[int]
    counted: bool


class ResultView(TypedDict):
    """The result of the duel; ``awards`` are the points that each seat got back."""

    winners: list[int]
    reason: str  # wins, draw, resigned, suspension, abandoned, missed, void
    awards: list[int]
    tax: int


class PublicView(TypedDict):
    """The part of the view that all viewers get."""

    stage: str  # throwing, suspended, over
    throw: int
    due_at: str | None
    best_of: int
    no_ties: bool
    clock_seconds: int
    stake: int
    wins_needed: int
    uncounted: int  # matched and void throws since the last one that counted
    voids: int  # void throws since the last one that counted
    seats: list[SeatView]
    throws: list[ThrowView]
    result: ResultView | None


def own_view(state: DuelState, no: SeatNo) -> YouView | None:
    """Build the part that only the seat gets; None if the seat does not play."""
    if no not in (0, 1):
        return None
    seat = state.seats[no]
    kinds = legal_kinds(state.stage, seat.hand is None, seat.asks_suspension, seat.is_back)
    return {"hand": seat.hand, "legal": list(kinds)}


def _public_view(state: DuelState) -> PublicView:
    return {
        "stage": state.stage,
        "throw": state.throw,
        "due_at": None if state.due_at is None else iso(state.due_at),
        "best_of": state.options.best_of,
        "no_ties": state.options.no_ties,
        "clock_seconds": state.options.clock_seconds,
        "stake": state.options.stake,
        "wins_needed": state.options.wins_needed,
        "uncounted": state.uncounted,
        "voids": state.voids,
        "seats": [
            {
                "no": seat.no,
                "wins": seat.wins,
                "hand_in": seat.hand is not None,
                "asks_suspension": seat.asks_suspension,
                "is_back": seat.is_back,
            }
            for seat in state.seats
        ],
        "throws": _THROWS.of(state.throws),
        "result": None
        if state.result is None
        else {
            "winners": list(state.result.winners),
            "reason": state.result.reason,
            "awards": list(state.result.awards),
            "tax": state.result.tax,
        },
    }


#: The public view, built once per state.
PUBLIC: Final = IdentityCache(_public_view)


def _throw(record: ThrowRecord) -> ThrowView:
    return {
        "throw": record.throw,
        "hands": list(record.hands),
        "winners": list(record.winners),
        "counted": record.counted,
    }


#: All but one of the throws in a view were in the previous view.
_THROWS: Final = Growing(_throw)
