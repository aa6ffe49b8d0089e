"""A table between two transitions: its seats, its options, its instants, the game played at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields as fields_of
from operator import attrgetter
from typing import Any, Final

from games.kernel import errors
from games.kernel.facts import Instant, Points, SeatNo, Step, replace

COUNTDOWN: Final = 5_000
NOT_READY_LIMIT: Final = 60_000
QUIET_LIMIT: Final = 15 * 60_000
#: Milliseconds.  Whoever has a longer clock need not wait at the table.
LIVE_LIMIT: Final = 5 * 60_000

OPEN, RUNNING, OVER, VOID, CLOSED = "open", "running", "over", "void", "closed"
FINISHED: Final = (OVER, VOID, CLOSED)


NO_POINTS: Final = Points(0)


@dataclass(frozen=True, slots=True)
class TableSeat:
    """One place at the table.  ``purse`` is in points and counts only while it is taken."""

    no: SeatNo
    taken: bool = False
    bot: bool = False
    purse: Points = NO_POINTS
    ready: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """A table between two transitions.

    Invariants: ``play`` is None exactly while ``stage`` is OPEN or CLOSED before a start;
    ``starting`` asks the house to collect the purses and answer with ``start`` or ``short``;
    the instants ``start_at``, ``stand_up_at``, ``kept_until`` and ``close_at`` matter while OPEN.
    """

    stage: str
    options: Mapping[str, Any]
    options_revision: int
    seats: tuple[TableSeat, ...]
    close_at: Instant
    start_at: Instant | None = None
    stand_up_at: Instant | None = None
    kept_until: Instant | None = None
    starting: bool = False
    play: Any = None

    @property
    def taken(self) -> tuple[TableSeat, ...]:
        """The seats somebody sits on."""
        return tuple(seat for seat in self.seats if seat.taken)

    @property
    def is_finished(self) -> bool:
        """Whether nothing can happen at this table any more but a rematch."""
        return self.stage in FINISHED

    def differs_in_play_only(self, other: TableState) -> bool:
        """Whether all is as in another state, except perhaps the game itself."""
        return _around_play(self) == _around_play(other)


_around_play: Final = attrgetter(*(f.name for f in fields_of(TableState) if f.name != "play"))


def fields(raw: Mapping[str, Any], **types: type) -> list[Any]:
    """Return the named fields of an action, in order.

    Raises:
        BadField: a key is missing or unknown, or a value has another type (no bool for an int).
    """
    for key in raw:
        if key != "kind" and key not in types:
            raise errors.BadField(f"unknown field {key!r}", field=str(key))
    for name, wanted in types.items():
        if name not in raw or type(raw[name]) is not wanted:
            raise errors.BadField(f"{name} must be {wanted.__name__}", field=name)
    return [raw[name] for name in types]


def join(first: Step[TableState], then: Step[TableState]) -> Step[TableState]:
    """Return one step made of two, the second made from the first one's state."""
    return Step(then.state, first.events + then.events)


def with_seat(state: TableState, changed: TableSeat) -> TableState:
    """Return the table with one seat changed."""
    seats = tuple(changed if seat.no == changed.no else seat for seat in state.seats)
    return replace(state, seats=seats)


def require_open(state: TableState) -> None:
    """Refuse what is only possible before the start; raises NotInPhase."""
    if state.stage != OPEN:
        raise errors.NotInPhase("only possible before the game starts")


def require_seat(seat: SeatNo | None) -> SeatNo:
    """Refuse spectators; raises NotSeated."""
    if seat is None:
        raise errors.NotSeated("only a seat may act")
    return seat
