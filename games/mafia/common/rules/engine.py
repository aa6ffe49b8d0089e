"""What the rules of every Mafia game answer alike; each adds its deal, its deeds and its end.

Source: docs/rules/agora.md "Phases"; docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

from games.engine.errors import NotInPhase, NotSeated, StaleAction
from games.engine.facts import (
    ClockPostponed,
    Instant,
    Points,
    SeatNo,
    SeatSetup,
    Step,
    Told,
    Viewer,
)
from games.engine.protocols import Outcome, Result, Room, require_run_out, view_of
from games.engine.structs import replace
from games.mafia.common.rules import gathering
from games.mafia.common.rules.actions import Done, Leave, Post, Undone
from games.mafia.common.rules.errors import NotAlive
from games.mafia.common.rules.gathering import Gathering
from games.mafia.common.rules.phases import Stage, postponed
from games.mafia.common.rules.roster import Member, find, idle_seats, taken_over

S = TypeVar("S", bound=Gathering)

#: What is accepted without being a choice, posts aside.
NO_CHOICES: Final = (Done, Undone, Leave)

#: What follows from an action, given the state, who acts, the action and the instant.
Handler = Callable[[Any, Any, Any, Instant], Step[Any]]


class Earned(Outcome, frozen=True):
    """How a game ended for one seat; ``points`` are what the rules award.

    ``net`` is 0: nobody brings anything, and what is paid is for the house.
    """

    points: Points = Points(0)


def post(state: Any, own: Member, action: Post, at: Instant) -> Step[Any]:
    """Say something in a room, which is no part in the game; raises RoomClosed, BlankPost."""
    return gathering.post(state, own, action)


class MafiaRules(Generic[S]):
    """Rules of nights and days; holds nothing, every method is a function of its arguments.

    ``handlers`` is the whole game at a glance: what may be asked when; what is absent is refused.
    """

    handlers: ClassVar[Mapping[tuple[Stage, type[Any]], Handler]]
    #: Whether a round begins with its night or with its day.
    first_stage: ClassVar[Stage]

    def end_phase(self, state: S, at: Instant) -> Step[S]:
        """Return what follows when the phase ends."""
        raise NotImplementedError

    def void_game(self, state: S) -> Step[S]:
        """End a running game as if it had not been."""
        raise NotImplementedError

    def public_view(self, state: S) -> dict[str, Any]:
        """Build what everybody may see."""
        raise NotImplementedError

    def own_view(self, state: S, seat: SeatNo) -> dict[str, Any] | None:
        """Build what a seat may see besides; None for who takes no part."""
        raise NotImplementedError

    def result_of(self, state: S, member: Any) -> Result:
        """Return what a finished game was for a seat."""
        raise NotImplementedError

    def purse_limits(self, options: Any) -> tuple[int, int]:
        """Return nothing twice: one plays without points."""
        return 0, 0

    def apply(self, state: S, seat: SeatNo, action: Any, at: Instant) -> Step[S]:
        """Return what follows from a seat's action.

        Raises:
            IllegalAction: one of its kinds, as the handlers name them; also NotSeated,
                NotInPhase, NotAlive, and StaleAction past the deadline.
        """
        own = find(state.members, seat)
        if own is None:
            raise NotSeated("only who plays may act")
        handler = self.handlers.get((state.stage, type(action)))
        if handler is None:
            raise _not_now(state)
        if at >= state.clock.due_at:
            raise StaleAction("the phase is over")
        if isinstance(action, Post):
            return handler(state, own, action, at)
        if not own.may_act:
            raise NotAlive("you have no part in this any more")
        has_chosen = own.has_chosen or not isinstance(action, NO_CHOICES)
        active = replace(own, is_active=True, has_chosen=has_chosen)
        return handler(state.with_member(active), active, action, at)

    def on_deadline(self, state: S, at: Instant) -> Step[S]:
        """End the night or the day with what was chosen.

        Raises:
            NotInPhase: the game is over.
            TooEarly: the phase is not.
        """
        require_run_out(state.due_at, at)
        return self.end_phase(state, at)

    def deadline(self, state: S) -> Instant | None:
        """Return when the phase ends as things stand, which may be earlier than is shown."""
        return state.due_at

    def shown_deadline(self, state: S) -> Instant | None:
        """Return when the phase ends at the latest: that all are done must not show."""
        return None if state.stage == Stage.OVER else state.clock.ends_at

    def clock_limit(self, state: S) -> int | None:
        """Return how many milliseconds a phase lasts, None when over."""
        return None if state.stage == Stage.OVER else state.clock.limit

    def postpone(self, state: S, due_at: Instant) -> Step[S]:
        """Repay an outage: the later deadline counts, the shown and the hidden one alike."""
        if state.stage == Stage.OVER:
            return Step(state)
        clock = postponed(state.clock, due_at)
        return Step(replace(state, clock=clock), (Told(ClockPostponed(clock.ends_at)),))

    def void(self, state: S) -> Step[S]:
        """End the game as if it had not been; raises NotInPhase when it is over."""
        if state.stage == Stage.OVER:
            raise _not_now(state)
        return self.void_game(state)

    def leave(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        """Leave town; raises as ``apply`` does."""
        return self.apply(state, seat, Leave(), at)

    def open_seats(self, state: S) -> tuple[SeatNo, ...]:
        """Return the seats that did nothing for two phases, where substitutes are wanted."""
        if state.stage == Stage.OVER or not state.has_substitutes:
            return ()
        return idle_seats(state.members)

    def take_over(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        """Let somebody else play a seat: its role, choices, vote and what it was told stay."""
        own = find(state.members, seat)
        if own is None or state.stage == Stage.OVER:
            raise _not_now(state)
        return Step(state.with_member(taken_over(own)))

    def rooms(self, state: S, viewer: Viewer) -> Mapping[str, Room]:
        """Return the rooms that the viewer may know of; posts in them are actions."""
        return state.talk.seen_by(viewer)

    def phase(self, state: S) -> int:
        """Return the public counter of nights, days and the end."""
        return state.phase

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """Build what the viewer may see."""
        return view_of(self, state, viewer)  # type: ignore[arg-type]

    def is_over(self, state: S) -> bool:
        """Tell whether the game has ended, by play or by voiding."""
        return state.stage == Stage.OVER

    def outcome(self, state: S) -> dict[SeatNo, Outcome]:
        """Return each seat's result, and what the rules award it."""
        result: Any = getattr(state, "result", None)
        if result is None:
            return {}
        awards = dict(result.awards)
        return {
            member.no: Earned(self.result_of(state, member), 0, awards.get(member.no, Points(0)))
            for member in state.members
        }

    def carry_over(self, state: S) -> dict[str, Any]:
        """Return nothing: the next game has the table's options as they stand."""
        return {}

    def pending_seats(self, state: S) -> tuple[SeatNo, ...]:
        """Return who lives and is not done."""
        if state.stage == Stage.OVER:
            return ()
        return tuple(member.no for member in state.living if not member.is_done)


def numbers_of(seats: Iterable[SeatSetup]) -> list[SeatNo]:
    """Return the numbers of the seats that play, in order.

    Raises:
        ValueError: a seat plays twice, or brings points.
    """
    listed = list(seats)
    numbers = sorted(seat.no for seat in listed)
    if len(set(numbers)) != len(numbers) or any(seat.purse for seat in listed):
        raise ValueError("each seat plays once, and brings no points")
    return numbers


_NOT_NOW: Final = {Stage.OVER: "the game is over"}


def _not_now(state: Gathering) -> NotInPhase:
    message = _NOT_NOW.get(state.stage, f"not by {state.stage.value}")
    return NotInPhase(message, stage=state.stage.value)
