"""The protocols of a game's rules: pure functions of frozen states, with time as an argument and
chance from the seed.
Source: docs/how-to/add-a-game.md "The rules".
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Final, Protocol, TypeGuard, TypeVar

from games.engine.errors import NotInPhase, refuse
from games.engine.facts import ClockPostponed, Instant, SeatNo, SeatSetup, Step, Told, Viewer
from games.engine.structs import Kinded, Record, replace

S = TypeVar("S")


class Result(StrEnum):
    """The result of a finished game for one seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    NONE = ""


class Outcome(Record, frozen=True):
    """The outcome for one seat; ``net`` is in points, less those paid in. A game may add fields."""

    result: Result
    net: int


class Places(Record, frozen=True):
    """The places of a finished game by play, from 1; equal play shares one. ``out``: the seats that
    left before the play and have none.
    """

    of: Mapping[SeatNo, int]
    out: frozenset[SeatNo] = frozenset()


class Room(Record, frozen=True):
    """A viewer's part in one chat room, whose lines are numbered from 1: to read from line
    ``reads_from`` (0: the first) to ``reads_to`` (None: the last); ``may_speak`` is of the present.
    """

    may_speak: bool
    reads_from: int = 0
    reads_to: int | None = None


#: A draw is a shared first place.
_PLACE: Final = {Result.WON: 1, Result.DRAWN: 1, Result.LOST: 2}


#: The rooms of a table.
TABLE_ROOM, SPECTATORS_ROOM = "table", "spectators"


class Engine(Protocol[S]):
    """The rules of any game, with seats or without: what the referee needs. ``State``, ``Action``
    and ``Fact`` are types, unions if there are several kinds.
    """

    version: int
    State: Any
    Action: Any
    Fact: Any
    Options: Any

    def setup(self, options: Any, seats: Sequence[SeatSetup], seed: str, at: Instant) -> Step[S]:
        """Begin a game; raises action/bad_option, or ValueError for seats that cannot play."""

    def apply(self, state: S, seat: SeatNo, action: Any, at: Instant) -> Step[S]:
        """Return the step of an action; raises IllegalAction, and then nothing changed."""

    def on_deadline(self, state: S, at: Instant) -> Step[S]:
        """Act for the late seats; raises NotInPhase without a clock, or action/too_early."""

    def deadline(self, state: S) -> Instant | None:
        """Return the end of the running clock, None if no clock runs."""

    def legal_actions(self, state: S, seat: SeatNo) -> Sequence[Kinded]:
        """Return the seat's legal actions, in a stable order."""

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """Build the viewer's view, field by field: the public view, and the own view as ``you``."""


class Rules(Engine[S], Protocol[S]):
    """The rules of a game that is played at a table, by seats."""

    min_seats: int
    max_seats: int

    def purse_limits(self, options: Any) -> tuple[int, int]:
        """Return the least and the most points in a purse."""

    def public_view(self, state: S) -> dict[str, Any]:
        """Build what all viewers get; it does not contain ``you``."""

    def own_view(self, state: S, seat: SeatNo) -> dict[str, Any] | None:
        """Build what only the seat gets; None if the seat does not play."""

    def own_sources(self, state: S) -> Mapping[SeatNo, object]:
        """Return by seat what its own view is made from: while that is equal, so is the view in
        this game. The view of a seat that is left out is made in each state.
        """

    def phase(self, state: S) -> int:
        """Return the public counter of turns and rounds, from 1 upwards."""

    def pending_seats(self, state: S) -> tuple[SeatNo, ...]:
        """Return the seats that have a pending decision."""

    def clock_limit(self, state: S) -> int | None:
        """Return the full length of the running clock in milliseconds, None if no clock runs."""

    def shown_deadline(self, state: S) -> Instant | None:
        """Return the deadline that viewers get; it does not reveal a hidden early end."""

    def postpone(self, state: S, due_at: Instant) -> Step[S]:
        """Move the deadline to the later of itself and ``due_at`` (an outage is repaid)."""

    def void(self, state: S) -> Step[S]:
        """Void the game and return all points; raises NotInPhase when it is over."""

    def leave(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        """Apply a seat's leaving of the running game; raises IllegalAction."""

    def open_seats(self, state: S) -> tuple[SeatNo, ...]:
        """Return the seats that a substitute may take over now; the list is public."""

    def take_over(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        """Give an open seat to a substitute, without any lateness of the previous player."""

    #: Whether options are fixed while the opening waits for the public log.
    holds_options: ClassVar[bool]
    #: Whether a game may be played out; then its summary tells who is dead.
    plays_out: ClassVar[bool]

    def may_play_out(self, state: S, bots: Collection[int]) -> bool:
        """Whether only the bots on these seats have a part in the game any more."""

    def play_out(self, state: S, at: Instant) -> Step[S]:
        """Shorten the rest of the game to seconds; call only where ``may_play_out``."""

    def rooms(self, state: S, viewer: Viewer) -> Mapping[str, Room]:
        """Return the chat rooms that the viewer may know of."""

    def is_over(self, state: S) -> bool:
        """Whether the game has ended, by play or by voiding."""

    def outcome(self, state: S) -> Mapping[SeatNo, Outcome]:
        """Return each seat's result; empty while the game runs."""

    def places(self, state: S) -> Places:
        """Return who came before whom, for ratings; no places without a result."""

    def carry_over(self, state: S) -> dict[str, Any]:
        """Return the options that a finished game sets for the table's next one."""


class TableRules:
    """The base of a game's rules: the usual answers; a game writes the methods that differ. Its
    state has ``phase``, and ``due_at``, the end of the running clock or None; there are no purses,
    substitutes, hidden deadlines or rooms of its own.
    """

    def purse_limits(self, options: Any) -> tuple[int, int]:
        return 0, 0

    def view(self: Rules[S], state: S, viewer: Viewer) -> dict[str, Any]:
        own = None if viewer.seat is None else self.own_view(state, viewer.seat)
        return {**self.public_view(state), "you": own}

    def own_sources(self, state: Any) -> Mapping[SeatNo, object]:
        return {}

    def phase(self, state: Any) -> int:
        return int(state.phase)

    def deadline(self, state: Any) -> Instant | None:
        due_at: Instant | None = state.due_at
        return due_at

    shown_deadline = deadline

    def postpone(self, state: Any, due_at: Instant) -> Step[Any]:
        if state.due_at is None:
            return Step(state)
        later = max(state.due_at, due_at)
        return Step(replace(state, due_at=later), (Told(ClockPostponed(later)),))

    def open_seats(self, state: Any) -> tuple[SeatNo, ...]:
        return ()

    def take_over(self, state: Any, seat: SeatNo, at: Instant) -> Step[Any]:
        raise NotInPhase("nobody takes over a seat in this game", seat=seat)

    holds_options: ClassVar[bool] = False
    plays_out: ClassVar[bool] = False

    def may_play_out(self, state: Any, bots: Collection[int]) -> bool:
        return False

    def play_out(self, state: Any, at: Instant) -> Step[Any]:
        raise NotInPhase("this game is played to its end by its own clock")

    def rooms(self, state: Any, viewer: Viewer) -> Mapping[str, Room]:
        return table_rooms(viewer)

    def is_over(self: Rules[S], state: S) -> bool:
        return bool(self.outcome(state))

    def places(self: Rules[S], state: S) -> Places:
        results = {no: ended.result for no, ended in self.outcome(state).items()}
        return Places({no: _PLACE[result] for no, result in results.items() if result in _PLACE})

    def carry_over(self, state: Any) -> dict[str, Any]:
        return {}


def is_for_seats(rules: Engine[S]) -> TypeGuard[Rules[S]]:
    """Whether rules are for a table: a game ends, has an outcome and can be voided."""
    return hasattr(rules, "outcome")


def require_run_out(due_at: Instant | None, at: Instant) -> None:
    """Reject a deadline action: NotInPhase if no clock runs, action/too_early before its end."""
    if due_at is None:
        raise NotInPhase("no clock runs")
    if at < due_at:
        refuse("action/too_early", "the clock has not run out", due_at=due_at)


def table_rooms(viewer: Viewer) -> dict[str, Room]:
    """Return the rooms of a game without secrets: sitters speak and read at the table, spectators
    speak beside it and read both.
    """
    if viewer.seat is not None:
        return {TABLE_ROOM: Room(may_speak=True)}
    return {TABLE_ROOM: Room(may_speak=False), SPECTATORS_ROOM: Room(may_speak=True)}
