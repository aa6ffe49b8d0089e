"""What every game's rules offer, and what they answer with.

All of it is functions of their arguments: a state is frozen, nothing changes its input, time comes
as an argument and chance from the seed.

Source: docs/adding-a-game.md "The rules".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeGuard, TypeVar

from games.engine.errors import NotInPhase, TooEarly
from games.engine.facts import Instant, SeatNo, SeatSetup, Step, Viewer
from games.engine.structs import Kinded, Record

S = TypeVar("S")


class Result(StrEnum):
    """What a finished game was for one seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    NONE = ""


class Outcome(Record, frozen=True):
    """How a game ended for one seat; ``net`` is in points, what was paid in deducted.

    A game may add fields of its own.
    """

    result: Result
    net: int


class Room(Record, frozen=True):
    """What somebody may do in one chat room of a match.

    Lines are numbered in each room from 1: from which one (0: from the first) and to which one
    (None: to the last) one may read, and whether one may speak there now.
    """

    may_speak: bool
    reads_from: int = 0
    reads_to: int | None = None


#: The rooms of a table.
TABLE_ROOM, SPECTATORS_ROOM = "table", "spectators"


class Engine(Protocol[S]):
    """The rules of any game, with seats or without: what the referee needs.

    ``State``, ``Action`` and ``Fact`` are the types of its states, of its actions and of its facts
    (a union, where there are several kinds).
    """

    version: int
    State: Any
    Action: Any
    Fact: Any
    Options: Any

    def setup(self, options: Any, seats: Sequence[SeatSetup], seed: str, at: Instant) -> Step[S]:
        """Begin; raises BadOption, ValueError for seats that cannot play."""

    def apply(self, state: S, seat: SeatNo, action: Any, at: Instant) -> Step[S]:
        """Return what follows from the action; raises IllegalAction and then nothing changed."""

    def on_deadline(self, state: S, at: Instant) -> Step[S]:
        """Act for whoever is late; raises NotInPhase without a clock, TooEarly before its end."""

    def deadline(self, state: S) -> Instant | None:
        """Return when the running clock ends, None when none runs."""

    def legal_actions(self, state: S, seat: SeatNo) -> Sequence[Kinded]:
        """Return what the seat may do now, in a stable order."""

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """Build what the viewer may see, field by field."""


class Rules(Engine[S], Protocol[S]):
    """The rules of a game that is played at a table, by seats."""

    min_seats: int
    max_seats: int

    def purse_limits(self, options: Any) -> tuple[int, int]:
        """Return the least and the most points one sits down with."""

    def public_view(self, state: S) -> dict[str, Any]:
        """Build what everybody may see of the game; ``you`` is not in it."""

    def own_view(self, state: S, seat: SeatNo) -> dict[str, Any] | None:
        """Build what a seat may see besides; None for a seat that does not play."""

    def phase(self, state: S) -> int:
        """Return the public counter of turns and rounds, from 1 upwards."""

    def pending_seats(self, state: S) -> tuple[SeatNo, ...]:
        """Return the seats that have something to decide now."""

    def clock_limit(self, state: S) -> int | None:
        """Return how many milliseconds the clock that runs now was given, None when none runs."""

    def shown_deadline(self, state: S) -> Instant | None:
        """Return the deadline that viewers are told; a hidden early end is not in it."""

    def postpone(self, state: S, due_at: Instant) -> Step[S]:
        """Move the deadline to the later of itself and ``due_at`` (an outage is repaid)."""

    def void(self, state: S) -> Step[S]:
        """End the game and give everything back; raises NotInPhase when it is over."""

    def leave(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        """Let a seat walk out of the running game; raises IllegalAction."""

    def open_seats(self, state: S) -> tuple[SeatNo, ...]:
        """Return the seats that somebody else may take over now; everybody may know them."""

    def take_over(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        """Let somebody else go on with an open seat, who is not late for anything yet."""

    def rooms(self, state: S, viewer: Viewer) -> Mapping[str, Room]:
        """Return the chat rooms that the viewer may know of."""

    def is_over(self, state: S) -> bool:
        """Tell whether the game has ended, by play or by voiding."""

    def outcome(self, state: S) -> Mapping[SeatNo, Outcome]:
        """Return each seat's result; empty while the game runs."""

    def carry_over(self, state: S) -> dict[str, Any]:
        """Return the options that a finished game sets for the table's next one."""


class Unsubstituted:
    """Part of the rules of a game in which nobody takes over a seat."""

    def open_seats(self, state: Any) -> tuple[SeatNo, ...]:
        """Return nothing."""
        return ()

    def take_over(self, state: Any, seat: SeatNo, at: Instant) -> Step[Any]:
        """Refuse; raises NotInPhase."""
        raise NotInPhase("nobody takes over a seat in this game", seat=seat)


def is_for_seats(rules: Engine[S]) -> TypeGuard[Rules[S]]:
    """Whether rules are those of a table: a game ends, has an outcome and can be called off."""
    return hasattr(rules, "outcome")


def view_of(rules: Rules[S], state: S, viewer: Viewer) -> dict[str, Any]:
    """Return what a viewer may see of a game: the public part, and under ``you`` the own."""
    own = None if viewer.seat is None else rules.own_view(state, viewer.seat)
    return {**rules.public_view(state), "you": own}


def require_run_out(due_at: Instant | None, at: Instant) -> None:
    """Let the clock act only when it runs and has run out.

    Raises:
        NotInPhase: no clock runs.
        TooEarly: it has not run out.
    """
    if due_at is None:
        raise NotInPhase("no clock runs")
    if at < due_at:
        raise TooEarly("the clock has not run out", due_at=due_at)


def table_rooms(viewer: Viewer) -> dict[str, Room]:
    """Return the rooms of a game without secrets: sitters talk at the table, spectators beside it.

    Spectators hear both rooms, sitters the table's alone.
    """
    if viewer.seat is not None:
        return {TABLE_ROOM: Room(may_speak=True)}
    return {TABLE_ROOM: Room(may_speak=False), SPECTATORS_ROOM: Room(may_speak=True)}
