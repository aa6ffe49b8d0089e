"""The common rules of all Mafia games; each game adds its deal, its actions and its end.
Source: docs/rules/agora.md "Phases"; docs/how-to/add-a-game.md.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeVar

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
from games.engine.protocols import Outcome, Result, Room, Rules, TableRules, require_run_out
from games.engine.structs import replace
from games.mafia.common.rules.actions import Done, Leave, NotAlive, Post, Undone, WriteWill
from games.mafia.common.rules.facts import PlayedOut
from games.mafia.common.rules.options import SECOND
from games.mafia.common.rules.phases import PLAYED_OUT, Stage, postponed, started
from games.mafia.common.rules.rooms import DEAD, TOWN, RoomLines
from games.mafia.common.rules.roster import deal, idle_seats
from games.mafia.common.rules.state import TownState, phase_began, rearmed

S = TypeVar("S", bound=TownState[Any])

#: What is accepted without being a choice, posts aside.
NO_CHOICES: Final = (Done, Undone, Leave)

#: What follows from an action, given the state, who acts, the action and the instant.
Handler = Callable[[Any, Any, Any, Instant], Step[Any]]


class Earned(Outcome, frozen=True):
    """The result of a game for one seat; ``points`` are the award by the rules. ``net`` is 0:
    nobody brings points, and the house decides about payment.
    """

    points: Points = Points(0)


class MafiaRules(TableRules, Rules[S]):
    """Rules of nights and days; stateless, every method is a function of its arguments.
    ``handlers`` maps (stage, action type) to a handler; any other action is refused.
    """

    handlers: ClassVar[Mapping[tuple[Stage, type[Any]], Handler]]
    #: The first phase of a round: night or day.
    first_stage: ClassVar[Stage]
    team_rooms: ClassVar[tuple[str, ...]]

    def cards_for(self, options: Any, players: int) -> Sequence[Any]:
        """Return a card for each player; raises ValueError for a number that cannot play."""
        raise NotImplementedError

    def new_state(self, dealt: Sequence[tuple[SeatNo, Any]], **common: Any) -> S:
        """Return the state of a new game. ``dealt``: each seat with its card. ``common``: the
        fields of ``TownState``.
        """
        raise NotImplementedError

    def opening_facts(self, state: S) -> tuple[Told, ...]:
        """Return the facts of a new game, before its first phase begins."""
        raise NotImplementedError

    def end_phase(self, state: S, at: Instant) -> Step[S]:
        """Return the step at the end of a phase."""
        raise NotImplementedError

    def void_game(self, state: S) -> Step[S]:
        """Void a running game."""
        raise NotImplementedError

    def result_of(self, state: S, member: Any) -> Result:
        """Return the result of a finished game for a seat."""
        raise NotImplementedError

    def setup(self, options: Any, seats: Sequence[SeatSetup], seed: str, at: Instant) -> Step[S]:
        numbers = sorted(seat.no for seat in seats)
        if len(set(numbers)) != len(numbers) or any(seat.purse for seat in seats):
            raise ValueError("each seat plays once, and brings no points")
        cards = deal(seed, self.cards_for(options, len(numbers)))
        state = self.new_state(
            list(zip(numbers, cards, strict=True)),
            options=options,
            seed=seed,
            clock=started(at, SECOND * options.phase_seconds),
            stage=self.first_stage,
            rooms=tuple(RoomLines(room) for room in (TOWN, *self.team_rooms, DEAD)),
        )
        return Step(state, (*self.opening_facts(state), Told(phase_began(state))))

    def apply(self, state: S, seat: SeatNo, action: Any, at: Instant) -> Step[S]:
        """Return the step of a seat's action. Raises IllegalAction: one of its kinds, as the
        handlers name them; also NotSeated, NotInPhase, NotAlive, and StaleAction past the deadline.
        """
        own = state.member(seat)
        if own is None:
            raise NotSeated("only who plays may act")
        handler = self.handlers.get((state.stage, type(action)))
        if handler is None:
            raise _not_now(state)
        if at >= state.clock.due_at:
            raise StaleAction("the phase is over")
        if isinstance(action, (Post, WriteWill)):
            return handler(state, own, action, at)
        if not own.may_act:
            raise NotAlive("you have no part in this any more")
        has_chosen = own.has_chosen or not isinstance(action, NO_CHOICES)
        active = replace(own, is_active=True, has_chosen=has_chosen)
        return handler(state.with_member(active), active, action, at)

    def on_deadline(self, state: S, at: Instant) -> Step[S]:
        require_run_out(state.due_at, at)
        return self.end_phase(state, at)

    def shown_deadline(self, state: S) -> Instant | None:
        """Return the latest end of the phase: a viewer must not see that all are done."""
        return None if state.stage == Stage.OVER else state.clock.ends_at

    def clock_limit(self, state: S) -> int | None:
        return None if state.stage == Stage.OVER else state.clock.limit

    def postpone(self, state: S, due_at: Instant) -> Step[S]:
        if state.stage == Stage.OVER:
            return Step(state)
        clock = postponed(state.clock, due_at)
        return Step(replace(state, clock=clock), (Told(ClockPostponed(clock.ends_at)),))

    def void(self, state: S) -> Step[S]:
        if state.stage == Stage.OVER:
            raise _not_now(state)
        return self.void_game(state)

    def leave(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        return self.apply(state, seat, Leave(), at)

    def open_seats(self, state: S) -> tuple[SeatNo, ...]:
        """Return the seats that were idle for two phases, if the options allow substitutes."""
        if state.stage == Stage.OVER or not state.has_substitutes:
            return ()
        return idle_seats(state.members)

    def take_over(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        """Give a seat to a substitute, who keeps its role, choices, vote and private facts."""
        own = state.member(seat)
        if own is None or state.stage == Stage.OVER:
            raise _not_now(state)
        # Coming counts as having acted.
        taken = replace(own, idle_phases=0, is_active=True, unchosen_phases=0, has_chosen=True)
        # A will is its author's: nobody posts it in another's name.
        taken = replace(taken, will="")
        return Step(state.with_member(taken))

    plays_out: ClassVar[bool] = True

    def may_play_out(self, state: S, bots: Collection[int]) -> bool:
        """Whether only bots live, so that nobody plays any more who needs time."""
        if state.stage == Stage.OVER or state.is_played_out:
            return False
        return all(member.no in bots for member in state.living)

    def play_out(self, state: S, at: Instant) -> Step[S]:
        """Shorten this phase and all that follow; people who are dead see soon how it ends."""
        clock = started(at, PLAYED_OUT)
        state = rearmed(replace(state, is_played_out=True, clock=clock), at)
        return Step(state, (Told(PlayedOut(clock.ends_at)),))

    def rooms(self, state: S, viewer: Viewer) -> Mapping[str, Room]:
        return state.talk.seen_by(viewer)

    def is_over(self, state: S) -> bool:
        return state.stage == Stage.OVER

    def outcome(self, state: S) -> dict[SeatNo, Outcome]:
        """Return each seat's result and its award by the rules."""
        result: Any = getattr(state, "result", None)
        if result is None:
            return {}
        awards = dict(result.awards)
        return {
            member.no: Earned(self.result_of(state, member), 0, awards.get(member.no, Points(0)))
            for member in state.members
        }

    def pending_seats(self, state: S) -> tuple[SeatNo, ...]:
        if state.stage == Stage.OVER:
            return ()
        return tuple(member.no for member in state.living if not member.is_done)


def _not_now(state: TownState[Any]) -> NotInPhase:
    message = "the game is over" if state.stage == Stage.OVER else f"not by {state.stage.value}"
    return NotInPhase(message, stage=state.stage.value)
