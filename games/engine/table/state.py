"""The state of a table: seats, options, deadlines, its game; and the functions that handlers
share.
"""

from __future__ import annotations

from typing import Any, Final, Generic, Literal, TypeVar

from msgspec import UNSET, UnsetType

from games.engine import errors
from games.engine.errors import refuse
from games.engine.facts import Instant, Points, SeatNo, Step
from games.engine.protocols import Rules
from games.engine.structs import Hidden, replace

COUNTDOWN: Final = 5_000
NOT_READY_LIMIT: Final = 60_000
QUIET_LIMIT: Final = 15 * 60_000
#: The time in which the players' programs reveal their salts, before a start.
REVEAL_LIMIT: Final = 10_000
#: Milliseconds: the countdown of a quick game, and how long a press there is consent.
QUICK_COUNTDOWN: Final = 3_000
CONSENT_LIMIT: Final = 2 * 60_000
#: Milliseconds until a table closes that its last person has left.
EMPTY_LIMIT: Final = 60_000
#: Milliseconds.  With a longer clock players need not wait at the table.
LIVE_LIMIT: Final = 5 * 60_000

OPEN: Final = "open"
RUNNING: Final = "running"
OVER: Final = "over"
VOID: Final = "void"
CLOSED: Final = "closed"
FINISHED: Final = (OVER, VOID, CLOSED)

NO_POINTS: Final = Points(0)

Options = TypeVar("Options")


class TableSeat(Hidden, frozen=True):
    """A seat at the table; ``purse`` is in points and counts only while the seat is taken."""

    no: SeatNo
    taken: bool = False
    bot: bool = False
    purse: Points = NO_POINTS
    ready: bool = False
    #: Points by which the purse was cut since the table's last game: its owner has no more.
    cut: Points = NO_POINTS
    #: Open to substitutes, regardless of the game's rules: its owner may not play on.
    is_offered: bool = False
    #: The number of take-overs of the seat.
    successions: int = 0
    #: The hash of the seat's salt, from its readiness on; empty: it was dropped, a new one is due.
    salt_hash: str | UnsetType = UNSET
    #: The salt, once revealed.
    salt: str | UnsetType = UNSET
    #: At a quick table: when the readiness of the person lapses.
    ready_until: Instant | UnsetType = UNSET

    @property
    def owes_hash(self) -> bool:
        """Whether the seat's salt was dropped and a new hash is due."""
        return self.ready and self.salt_hash == ""

    @property
    def owes_salt(self) -> bool:
        """Whether the seat is ready and has not revealed its salt, or not given a new hash."""
        return self.ready and self.salt_hash is not UNSET and self.salt is UNSET


class TableState(Hidden, Generic[Options], frozen=True):
    """A table; ``play`` is None until the start. ``starting`` asks the house to collect the purses
    and answer with ``start`` or ``short``, or ``ask_salts`` where these wait for the public log;
    ``…_at`` and ``…_until`` matter while OPEN.
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
    #: While salts are missing: when the game may start once all are revealed.
    earliest_at: Instant | UnsetType = UNSET
    #: The person who sat down last, and the instant.
    newcomer: SeatNo | None = None
    sat_at: Instant | None = None
    #: True at a challenge, whose seats are for two people who named each other; else left out.
    is_challenge: bool | UnsetType = UNSET
    #: The appointed instant of the start, while it is to come; left out without an appointment.
    begins_at: Instant | UnsetType = UNSET
    #: Whether the opening is known to be in the public log, for which salts wait; left out at a
    #: table from before 1.2, and its proof has format 1.
    is_logged: bool | UnsetType = UNSET
    #: The commitment of the game before, where its dealer matters; else left out.
    follows: str | UnsetType = UNSET
    #: True while the start waits for the public log, if the rules fix the options then.
    awaits_log: bool | UnsetType = UNSET
    #: The game's state, stored in a text of its own.
    play: Any = None

    @property
    def taken(self) -> tuple[TableSeat, ...]:
        return tuple([seat for seat in self.seats if seat.taken])

    @property
    def may_reveal(self) -> bool:
        """Whether the opening is in the public log and the countdown runs without a missing hash;
        with an appointment at once, since players may be away at the start.
        """
        if self.is_logged is False:
            return False
        if self.begins_at is not UNSET:
            return True
        return self.start_at is not None and not any(seat.owes_hash for seat in self.taken)

    @property
    def needs_log(self) -> bool:
        """Whether salts are owed and wait for the opening to be in the public log."""
        return self.is_logged is False and bool([seat for seat in self.taken if seat.owes_salt])

    @property
    def salts(self) -> tuple[tuple[SeatNo, str], ...]:
        return tuple((s.no, s.salt) for s in self.taken if s.salt is not UNSET)

    @property
    def people(self) -> tuple[TableSeat, ...]:
        return tuple([seat for seat in self.seats if seat.taken and not seat.bot])

    @property
    def unready_until(self) -> Instant | None:
        """When unready seats become free, None without such a deadline."""
        return min((t for t in (self.stand_up_at, self.kept_until) if t is not None), default=None)

    @property
    def lapses_at(self) -> Instant | None:
        """When the next readiness lapses; None during a countdown."""
        if self.start_at is not None:
            return None
        lapsing = [s.ready_until for s in self.seats if s.ready and s.ready_until is not UNSET]
        return min(lapsing, default=None)

    @property
    def quiet_from(self) -> Instant:
        """The appointed start: before it a table does not close as quiet."""
        return Instant(0) if self.begins_at is UNSET else self.begins_at

    @property
    def is_finished(self) -> bool:
        """Whether the table is finished; only a rematch can follow."""
        return self.stage in FINISHED

    def differs_around_play(self, other: TableState[Options]) -> bool:
        return replace(self, play=other.play) != other


#: The state of a table with any game.
State = TableState[Any]


def carry(rules: Rules[Any], state: State, step: Step[Any]) -> Step[State]:
    """Wrap a step of the game as a step of its table."""
    stage = OVER if rules.is_over(step.state) else RUNNING
    return Step(replace(state, stage=stage, play=step.state), step.events)


def join(first: Step[State], then: Step[State]) -> Step[State]:
    """Return one step made of two; the second was made from the first one's state."""
    return Step(then.state, first.events + then.events)


def with_seat(state: State, changed: TableSeat) -> State:
    """Return the table with one seat changed."""
    seats = tuple([changed if seat.no == changed.no else seat for seat in state.seats])
    return replace(state, seats=seats)


def is_of_contest(state: State) -> bool:
    """Whether the game belongs to a contest, which begins the next one itself."""
    return bool(getattr(state.options, "contest", False))


def is_quick(options: Any) -> bool:
    """Whether readiness is consent to any opponent: the terms are fixed, nothing is at stake."""
    return bool(getattr(options, "quick", False))


def may_configure(state: State) -> bool:
    """Whether the options of an open table may be changed now."""
    return not is_quick(state.options) and state.awaits_log is UNSET


def require_open(state: State) -> None:
    """Reject an action after the start; raises NotInPhase."""
    if state.stage != OPEN:
        raise errors.NotInPhase("only possible before the game starts")


def require_seat(seat: SeatNo | None) -> SeatNo:
    """Reject a spectator; raises action/not_seated."""
    if seat is None:
        refuse("action/not_seated", "only a seat may act")
    return seat


def clock_milliseconds(seconds: int, times: int) -> int:
    """Return the milliseconds of a slowed-down clock; a live clock stays live.
    >>> clock_milliseconds(20, 3), clock_milliseconds(120, 3), clock_milliseconds(86_400, 3)
    (60000, 300000, 86400000)
    """
    usual = 1000 * seconds
    return max(usual, min(usual * times, LIVE_LIMIT))


#: The offered purse is limited to this many antes, or to this fraction of the owner's points,
#: the larger one.
OFFERED_ANTES: Final = 20
OFFERED_PART: Final = 5


def offered_purse(limits: tuple[int, int], owned: int) -> int:
    """Return the offered purse: a part of the owner's points, never below the least one.
    >>> [offered_purse((1, 100), owned) for owned in (12, 60, 400, 0)]
    [12, 20, 80, 1]
    """
    least, most = limits
    usual = max(OFFERED_ANTES * least, owned // OFFERED_PART)
    return max(least, min(most, owned, usual))


def largest_purse(limits: tuple[int, int], owned: int) -> int:
    """Return the largest possible purse: the table's limit, or all of the owner's points."""
    return min(limits[1], owned)


def kept_seat(
    seat: TableSeat, limits: tuple[int, int], owned: int | None, wants_on: bool
) -> TableSeat:
    """Return a seat for the table's next game, its purse cut to ``owned`` points (None: no limit);
    ``wants_on``: it is ready, if it can pay.
    """
    seat = replace(seat, ready=False, is_offered=False, successions=0)
    seat = replace(seat, salt_hash=UNSET, salt=UNSET, ready_until=UNSET)
    if not seat.taken:
        return seat
    most = seat.purse if owned is None else largest_purse(limits, owned)
    purse = max(limits[0], min(seat.purse, most))
    cut = max(NO_POINTS, Points(seat.purse - purse))
    return replace(seat, purse=Points(purse), cut=cut, ready=wants_on and purse <= most)
