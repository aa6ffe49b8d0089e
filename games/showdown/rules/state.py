"""The options and the state of a game of Showdown; a test classifies every field of the state.
Source: docs/rules/showdown.md, "Seats, stakes, setup", "What each viewer sees".
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from games.engine.choices import number, switch
from games.engine.errors import refuse
from games.engine.facts import Instant, Points, SeatNo
from games.engine.stakes import Pot
from games.engine.structs import SECRET, Hidden, Record, replace
from games.engine.table.state import clock_milliseconds
from games.showdown.rules.weapons import EMPTY_STOCK, Stock, Weapon

MOST_SEATS: Final = 4

PREVIOUS_DEALER: Final = "previous_dealer"


class Options(Record, frozen=True):
    """The options of a table; clocks in seconds, amounts in points. Values marked A in the rule
    book come from the site's settings, and a game keeps its own. Raises action/bad_option if the
    largest purse is below the ante.
    """

    seats: Annotated[int, number(2, MOST_SEATS, chosen=True)] = 4
    ante: Annotated[Points, number(1, 1000, chosen=True, site="showdown.ante_default")] = Points(1)
    target: Annotated[int, number(3, 15, chosen=True, site="showdown.target")] = 5
    betting_clock: Annotated[int, number(5, 120, chosen=True, site="showdown.betting_clock")] = 20
    round_clock: Annotated[int, number(5, 120, chosen=True, site="showdown.round_clock")] = 30
    largest_purse: Annotated[
        Points, number(1, 100_000, chosen=True, site="showdown.largest_purse")
    ] = Points(100)
    tax_bp: Annotated[int, number(0, 10_000, site="showdown.tax_bp")] = 500
    win_bonus: Annotated[Points, number(0, 1000, site="showdown.win_bonus")] = Points(1)
    loser_bonus: Annotated[Points, number(0, 1000, site="showdown.loser_bonus")] = Points(0)
    full_raises: Annotated[int, number(0, 100, site="showdown.full_raises")] = 4
    dealt_percent: Annotated[int, number(0, 1000, site="showdown.dealt_percent")] = 60
    dealt_least: Annotated[int, number(1, 100, site="showdown.dealt_least")] = 3
    #: The factor by which clocks are slower; the table sets 1 unless all other seats are bots.
    clock_times: Annotated[int, number(1, 10, site="showdown.bot_clock_times")] = 1
    #: Switches of the table that the rules do not use.
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True
    #: The dealer of the table's previous game; set by the house, from ``carry_over``.
    previous_dealer: Annotated[SeatNo, Meta(ge=0, le=MOST_SEATS - 1)] | None = None

    def __post_init__(self) -> None:
        if self.largest_purse < self.ante:
            refuse("action/bad_option", "the largest purse covers the ante", option="largest_purse")

    @property
    def betting_milliseconds(self) -> int:
        return clock_milliseconds(self.betting_clock, self.clock_times)

    @property
    def round_milliseconds(self) -> int:
        return clock_milliseconds(self.round_clock, self.clock_times)


def fill_options(wanted: Mapping[str, Any], chosen: Collection[str] = ()) -> dict[str, Any]:
    """Return the wanted options, not validated yet; the site's largest purse is raised to a chosen
    ante, a chosen largest purse is not.
    """
    filled = dict(wanted)
    ante = filled.get("ante", Options().ante)
    largest = filled.get("largest_purse", Options().largest_purse)
    if "largest_purse" not in chosen and type(ante) is int and type(largest) is int:
        filled["largest_purse"] = max(largest, ante)
    return filled


def dealt_of_each(options: Options, players: int) -> int:
    """Return the number of each basic weapon that a player is dealt.
    Source: docs/rules/showdown.md: "Each player is dealt".
    """
    share = -(-options.dealt_percent * options.target // 100)  # rounded up
    return max(options.dealt_least, share) * (players - 1)


NO_POINTS: Final = Points(0)
LEAST_RAISE: Final = Points(1)


class Stage(StrEnum):
    """A stage of the game."""

    BETTING = "betting"
    ROUND = "round"
    OVER = "over"


class Status(StrEnum):
    """The status of a seat."""

    IN = "in"
    ALL_IN = "all_in"
    FOLDED = "folded"
    GAVE_UP = "gave_up"


STILL_IN: Final = frozenset({Status.IN, Status.ALL_IN})


class Reason(StrEnum):
    """The reason why a game ended."""

    TARGET = "target"
    FOLDS = "folds"
    LAST_LEFT = "last_left"
    ALL_GAVE_UP = "all_gave_up"
    VOID = "void"


Planted = tuple[tuple[SeatNo, int], ...]  # (target, mines), by target
Attacks = tuple[tuple[SeatNo, Weapon], ...]  # (target, weapon), by target


#: The most of each basic weapon, as all can count it; then the added ones seen since.
Known = tuple[int, int, int, int]


class SeatState(Hidden, frozen=True):
    """One seat, in points. While the betting lasts ``brought == purse + stake``; after it the purse
    is 0, the rest returned. The weapons of attacks are still in ``stock``.
    """

    no: SeatNo
    brought: Points
    purse: Points
    stake: Points = NO_POINTS
    status: Status = Status.IN
    has_acted: bool = False  # in the betting, since the last full raise
    points: int = 0  # victory points
    is_locked: bool = False
    is_leaving: bool = False  # has given up; out from the end of this round
    known: Known | UnsetType = UNSET  # unset: by version 1, which does not count
    stock: Annotated[Stock, SECRET] = EMPTY_STOCK
    attacks: Annotated[Attacks, SECRET] = ()  # this round's
    mines: Annotated[Planted, SECRET] = ()  # can still go off
    planted: Annotated[Planted, SECRET] = ()  # in the whole game
    added: Annotated[tuple[int, int, int], SECRET] = (0, 0, 0)  # by BASIC
    is_active: Annotated[bool, SECRET] = False  # acted in this round
    absences: Annotated[int, SECRET] = 0  # absent rounds in a row
    rounds_active: Annotated[int, SECRET] = 0

    @property
    def is_in(self) -> bool:
        return self.status in STILL_IN

    @property
    def is_done_choosing(self) -> bool:
        """Whether the round need not wait for the seat; an empty stock counts as locked."""
        return self.is_locked or self.is_leaving or not any(self.stock)


class Battle(Record, frozen=True):
    """One pair's battle, ``a`` is the lower seat; public once the round is resolved."""

    a: SeatNo
    b: SeatNo
    a_weapon: Weapon | None
    b_weapon: Weapon | None
    winner: SeatNo | None
    taken: Weapon | None
    taken_by: SeatNo | None  # the winner, if anything was taken


class RoundRecord(Record, frozen=True):
    """A resolved round, public."""

    round: int
    battles: tuple[Battle, ...]
    wins: tuple[tuple[SeatNo, int], ...]  # every seat that fought
    points: tuple[tuple[SeatNo, int], ...]  # seats that scored
    mine: tuple[SeatNo, int] | None = None  # the seat and its mines; 0: drawn at random


class Payout(Record, frozen=True):
    """The payout of one pot; tax and shares add up to the amount."""

    amount: Points
    tax: Points
    shares: tuple[tuple[SeatNo, Points], ...]


class Ending(Record, frozen=True):
    """The result of the game."""

    winners: tuple[SeatNo, ...]
    reason: Reason
    payouts: tuple[Payout, ...] = ()


class TableState(Hidden, frozen=True):
    """The state of a game: 2 to 4 seats in order; ``turn`` is set in the betting only, ``pots``
    after it; ``due_at`` is None, and ``result`` set, only when the game is over.
    """

    options: Options
    seed: Annotated[str, SECRET]  # nobody's until the game is over
    dealer: SeatNo
    seats: tuple[SeatState, ...]
    stage: Stage = Stage.BETTING
    phase: int = 0  # counts turns, rounds and the end
    round: int = 0
    turn: SeatNo | None = None
    smallest_raise: Points = LEAST_RAISE
    full_raises: int = 0
    pots: tuple[Pot, ...] = ()
    due_at: Instant | None = None
    is_excused: bool = False  # an outage fell into this round: no seat counts as absent
    last_round: RoundRecord | None = None
    result: Ending | None = None

    def seat(self, no: SeatNo) -> SeatState | None:
        for seat in self.seats:
            if seat.no == no:
                return seat
        return None

    @property
    def clock_limit(self) -> int | None:
        """The milliseconds of a turn or a round now, None when the game is over."""
        if self.stage == Stage.OVER:
            return None
        options = self.options
        is_betting = self.stage == Stage.BETTING
        return options.betting_milliseconds if is_betting else options.round_milliseconds

    @property
    def live(self) -> tuple[SeatState, ...]:
        return tuple([seat for seat in self.seats if seat.status in STILL_IN])

    @property
    def to_match(self) -> Points:
        """The highest bet; that of a folded seat still has to be matched."""
        return max([seat.stake for seat in self.seats])

    @property
    def stakes(self) -> dict[SeatNo, Points]:
        """The stake of every seat, folded ones included."""
        return {seat.no: seat.stake for seat in self.seats}


def with_seat(state: TableState, changed: SeatState) -> TableState:
    """Return the state with one seat replaced."""
    seats = tuple([changed if seat.no == changed.no else seat for seat in state.seats])
    return replace(state, seats=seats)


def raise_count(planted: Planted, target: SeatNo) -> Planted:
    """Return the mines with one more under the target."""
    counts = dict(planted)
    counts[target] = counts.get(target, 0) + 1
    return tuple(sorted(counts.items()))
