"""A table between two transitions: its seats, its options, its instants, the game played at it."""

from __future__ import annotations

from typing import Any, Final, Generic, Literal, TypeVar

from games.engine import errors
from games.engine.facts import Instant, Points, SeatNo, Step
from games.engine.structs import Hidden, Record, replace

COUNTDOWN: Final = 5_000
NOT_READY_LIMIT: Final = 60_000
QUIET_LIMIT: Final = 15 * 60_000
#: Milliseconds.  Whoever has a longer clock need not wait at the table.
LIVE_LIMIT: Final = 5 * 60_000

OPEN: Final = "open"
RUNNING: Final = "running"
OVER: Final = "over"
VOID: Final = "void"
CLOSED: Final = "closed"
FINISHED: Final = (OVER, VOID, CLOSED)

NO_POINTS: Final = Points(0)

Options = TypeVar("Options")


class TableSeat(Record, frozen=True):
    """One place at the table.  ``purse`` is in points and counts only while it is taken."""

    no: SeatNo
    taken: bool = False
    bot: bool = False
    purse: Points = NO_POINTS
    ready: bool = False
    #: How much less it brings than to the table's game before: its owner has no more.
    cut: Points = NO_POINTS
    #: Anybody may take it over, whatever the game says: its owner may not play on.
    is_offered: bool = False
    #: How often somebody has taken it over.
    successions: int = 0


class TableState(Hidden, Generic[Options], frozen=True):
    """A table between two transitions.

    Invariants: ``play`` is None exactly while ``stage`` is OPEN or CLOSED before a start;
    ``starting`` asks the house to collect the purses and answer with ``start`` or ``short``;
    the instants ``start_at``, ``stand_up_at``, ``kept_until`` and ``close_at`` matter while OPEN.
    """

    stage: Literal["open", "running", "over", "void", "closed"]
    options: Options
    options_revision: int
    seats: tuple[TableSeat, ...]
    close_at: Instant
    start_at: Instant | None = None
    stand_up_at: Instant | None = None
    kept_until: Instant | None = None
    starting: bool = False
    #: The person who sat down last, and when.
    newcomer: SeatNo | None = None
    sat_at: Instant | None = None
    #: The game's state, which has a text of its own.
    play: Any = None

    @property
    def taken(self) -> tuple[TableSeat, ...]:
        """The seats somebody sits on."""
        return tuple([seat for seat in self.seats if seat.taken])

    @property
    def people(self) -> tuple[TableSeat, ...]:
        """The seats on which somebody sits who is no bot."""
        return tuple(seat for seat in self.taken if not seat.bot)

    @property
    def unready_until(self) -> Instant | None:
        """When whoever is not ready loses the seat, None where nobody waits for them."""
        return min((t for t in (self.stand_up_at, self.kept_until) if t is not None), default=None)

    @property
    def is_finished(self) -> bool:
        """Whether nothing can happen at this table any more but a rematch."""
        return self.stage in FINISHED

    def differs_around_play(self, other: TableState[Options]) -> bool:
        """Whether anything but the game itself is other than in another state."""
        return replace(self, play=other.play) != other


#: A table at which any game is played.
State = TableState[Any]


def join(first: Step[State], then: Step[State]) -> Step[State]:
    """Return one step made of two, the second made from the first one's state."""
    return Step(then.state, first.events + then.events)


def with_seat(state: State, changed: TableSeat) -> State:
    """Return the table with one seat changed."""
    seats = tuple(changed if seat.no == changed.no else seat for seat in state.seats)
    return replace(state, seats=seats)


def is_of_contest(state: State) -> bool:
    """Whether the game is one of a contest, which has its next one when it wants one."""
    return bool(getattr(state.options, "contest", False))


def require_open(state: State) -> None:
    """Refuse what is only possible before the start; raises NotInPhase."""
    if state.stage != OPEN:
        raise errors.NotInPhase("only possible before the game starts")


def require_seat(seat: SeatNo | None) -> SeatNo:
    """Refuse spectators; raises NotSeated."""
    if seat is None:
        raise errors.NotSeated("only a seat may act")
    return seat
