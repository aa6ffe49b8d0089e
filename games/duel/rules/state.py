"""The hands, the options and the state of a duel; a test classifies every field of the state.
Source: docs/rules/duel.md, "Naming a hand", "Options", "What each viewer sees".
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final

from msgspec import UNSET, UnsetType

from games.engine.choices import number, switch
from games.engine.errors import refuse
from games.engine.facts import Instant, Points, SeatNo
from games.engine.structs import SECRET, Hidden, Record, replace
from games.engine.table.state import clock_milliseconds

#: Refusals of this game alone that no code catches: code -> its meaning.
REFUSALS: Final = {
    "action/bad_hand": "A hand begins with r, p or s",
    "action/already_thrown": "The seat's hand is in, and cannot be changed",
    "action/already_asked": "The seat has made this request already; the opponent has not answered"
    " yet",
    "action/not_asked": "There is no request to withdraw",
}


class Hand(StrEnum):
    """A hand of a throw."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"


#: Hand -> the hand that it beats.
BEATS: Final[Mapping[Hand, Hand]] = {
    Hand.ROCK: Hand.SCISSORS,
    Hand.PAPER: Hand.ROCK,
    Hand.SCISSORS: Hand.PAPER,
}

#: First letter -> hand.
LETTERS: Final[Mapping[str, Hand]] = {hand.value[0]: hand for hand in Hand}


def hand_named(text: str) -> Hand:
    """Return the hand whose first letter a text has, in either case; raises action/bad_hand.
    >>> hand_named("paper plane").value
    'paper'
    """
    letter = text[:1]
    hand = LETTERS.get(letter.lower()) if letter.isascii() else None
    if hand is None:
        message = "a hand is rock, paper or scissors: its first letter is r, p or s"
        refuse("action/bad_hand", message)
    return hand


SEATS: Final = 2

#: Milliseconds.
DAY: Final = 86_400_000

_NONE: Final = Points(0)
_LARGEST: Final = Points(100)

#: The options of a quick duel, and of a long one.
QUICK: Final[Mapping[str, int | bool]] = {"best_of": 5, "no_ties": True, "stake": 0, "rated": True}
LONG: Final[Mapping[str, int | bool]] = {**QUICK, "best_of": 21, "clock_seconds": 8}


class FirstOptions(Record, frozen=True):
    """The options of version 1; seconds, days, points and basis points. The rules do not use
    ``rated``, ``listed``, ``spectators``. Raises action/bad_option if two options conflict.
    """

    seats: Annotated[int, number(SEATS, SEATS)] = SEATS
    best_of: Annotated[int, number(1, 99, chosen=True)] = 1
    clock_seconds: Annotated[int, number(5, 86_400, chosen=True, site="duel.clock")] = 30
    clock_times: Annotated[int, number(1, 10, site="duel.bot_clock_times")] = 1
    stake: Annotated[Points, number(0, 100_000, chosen=True)] = _NONE
    largest_stake: Annotated[Points, number(1, 100_000, site="duel.largest_stake")] = _LARGEST
    tax_bp: Annotated[int, number(0, 10_000, site="duel.tax_bp")] = 500
    void_limit: Annotated[int, number(1, 100)] = 3
    uncounted_limit: Annotated[int, number(1, 1000, site="duel.uncounted_limit")] = 20
    suspension_days: Annotated[int, number(1, 365, site="duel.suspension_days")] = 7
    no_ties: Annotated[bool, switch(chosen=True)] = False
    rated: Annotated[bool, switch(chosen=True)] = False
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True

    def __post_init__(self) -> None:
        if self.best_of % 2 == 0:
            message = "best_of is an odd number"
            refuse("action/bad_option", message, option="best_of", least=1, most=99)
        if self.stake > self.largest_stake:
            most = self.largest_stake
            message = f"the stake is at most {most}"
            refuse("action/bad_option", message, option="stake", least=0, most=most)
        if self.rated and self.stake:
            refuse("action/bad_option", "a rated duel is played without a stake", option="rated")

    @property
    def clock_milliseconds(self) -> int:
        """The length of a throw; longer against a bot, by the site's factor."""
        return clock_milliseconds(self.clock_seconds, self.clock_times)

    @property
    def suspension_milliseconds(self) -> int:
        return self.suspension_days * DAY

    @property
    def wins_needed(self) -> int:
        return self.best_of // 2 + 1


def has_terms(options: FirstOptions, terms: Mapping[str, int | bool]) -> bool:
    return all(getattr(options, name) == term for name, term in terms.items())


class Options(FirstOptions, frozen=True):
    """The options of a duel. ``quick``: readiness is for any opponent; the site sets it.
    ``dossiers``: whether its throws count for a dossier; the rules do not use it.
    """

    quick: Annotated[bool, switch()] = False
    dossiers: Annotated[bool, switch(chosen=True)] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.quick and not (has_terms(self, QUICK) or has_terms(self, LONG)):
            refuse("action/bad_option", "a quick duel has fixed terms", option="quick")


#: The number of throws that the state keeps for the view.
MOST_THROWS_SHOWN: Final = 20


class Stage(StrEnum):
    """A stage of the duel."""

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
    """One seat; only it knows ``hand``, that of the current throw, never revealed if the duel ends
    before both are in. ``is_warned``: it missed the first throw of its last quick duel; else left
    out.
    """

    no: SeatNo
    wins: int = 0
    asks_suspension: bool = False
    is_back: bool = False  # ready to resume a suspended duel
    hand: Annotated[Hand | None, SECRET] = None  # public: whether there is one
    is_warned: bool | UnsetType = UNSET


class ThrowRecord(Record, frozen=True):
    """A finished throw, public; a missing hand is None."""

    throw: int
    hands: tuple[Hand | None, Hand | None]
    winners: tuple[SeatNo, ...]
    counted: bool


class Result(Record, frozen=True):
    """The result; ``awards`` are the points that each seat got back."""

    winners: tuple[SeatNo, ...]
    reason: Reason
    awards: tuple[Points, Points]
    tax: Points


class FirstState(Hidden, frozen=True):
    """The state by version 1. At most one hand is in; ``due_at`` is None, and ``result`` set, only
    when it is over; at most one seat asks for a suspension (while throwing) or is back (while
    suspended).
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
        return self.seats[no] if no in (0, 1) else None

    def opponent(self, seat: SeatState) -> SeatState:
        return self.seats[1 - seat.no]


class DuelState(FirstState, frozen=True):
    """The state of a duel."""

    options: Options


def with_seat(state: DuelState, changed: SeatState) -> DuelState:
    """Return the state with one seat replaced."""
    first, second = state.seats
    seats = (changed, second) if changed.no == first.no else (first, changed)
    return replace(state, seats=seats)
