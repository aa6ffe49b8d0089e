"""The common rules of all Mafia games; each game adds its deal, its actions and its end.
Source: docs/rules/agora.md "Phases"; docs/how-to/add-a-game.md.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeVar

from games.engine.errors import NotInPhase, StaleAction, refuse
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
from games.mafia.common.rules.actions import Done, Leave, Post, Undone, WriteWill
from games.mafia.common.rules.facts import PlayedOut
from games.mafia.common.rules.phases import PLAYED_OUT, SECOND, Stage, postponed, started
from games.mafia.common.rules.rooms import DEAD, TOWN, RoomLines
from games.mafia.common.rules.roster import deal, idle_seats
from games.mafia.common.rules.state import (
    TownState,
    check_in_by_night,
    phase_began,
    post,
    rearmed,
    write_will,
)

S = TypeVar("S", bound=TownState[Any])

#: What is accepted without being a choice, posts aside.
NO_CHOICES: Final = (Done, Undone, Leave)

#: What follows from an action, given the state, who acts, the action and the instant.
Handler = Callable[[Any, Any, Any, Instant], Step[Any]]

#: The handlers that every game has.
HANDLERS: Final[Mapping[tuple[Stage, type[Any]], Handler]] = {
    (Stage.NIGHT, Done): check_in_by_night,
    (Stage.NIGHT, Undone): check_in_by_night,
    **{(stage, Post): post for stage in (Stage.NIGHT, Stage.DAY)},
    **{(stage, WriteWill): write_will for stage in (Stage.NIGHT, Stage.DAY)},
}


class Earned(Outcome, frozen=True):
    """The result of a game for one seat; ``points`` are the award by the rules, which the house may
    pay. ``net`` is 0.
    """

    points: Points = Points(0)


class MafiaRules(TableRules, Rules[S]):
    """Rules of nights and days; stateless, every method is a function of its arguments. An action
    without a handler for the stage is refused. ``legal`` lists the legal actions of a member.
    """

    handlers: ClassVar[Mapping[tuple[Stage, type[Any]], Handler]]
    legal: Any
    #: The first phase of a round: night or day.
    first_stage: ClassVar[Stage]
    team_rooms: ClassVar[tuple[str, ...]]
    version: int = 2
    #: Whether a death keeps its stage.
    keeps_stage: ClassVar[bool] = True

    def cards_for(self, options: Any, players: int) -> Sequence[Any]:
        """Return a card for each player. Raises ValueError for a number that cannot play."""
        raise NotImplementedError

    def new_state(self, dealt: Sequence[tuple[SeatNo, Any]], **common: Any) -> S:
        """Return the state of a new game from each seat's card and the fields of ``TownState``."""
        raise NotImplementedError

    def opening_facts(self, state: S) -> tuple[Told, ...]:
        """Return the facts of a new game, before its first phase begins."""
        raise NotImplementedError

    def end_phase(self, state: S, at: Instant) -> Step[S]:
        raise NotImplementedError

    def void_game(self, state: S) -> Step[S]:
        raise NotImplementedError

    def result_of(self, state: S, member: Any) -> Result:
        """Return a seat's result: who left has lost; a voided game has none."""
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
        if self.keeps_stage:
            state = state.with_members(tuple(replace(m, died_stage=None) for m in state.members))
        return Step(state, (*self.opening_facts(state), Told(phase_began(state))))

    def apply(self, state: S, seat: SeatNo, action: Any, at: Instant) -> Step[S]:
        """Return the step of a seat's action. Raises action/not_seated, NotInPhase,
        action/not_alive, StaleAction past the deadline, and what the handler raises.
        """
        own = state.member(seat)
        if own is None:
            refuse("action/not_seated", "only who plays may act")
        handler = self.handlers.get((state.stage, type(action)))
        if handler is None:
            raise _not_now(state)
        if at >= state.clock.due_at:
            raise StaleAction("the phase is over")
        if isinstance(action, (Post, WriteWill)):
            return handler(state, own, action, at)
        if not own.may_act:
            refuse("action/not_alive", "you have no part in this any more")
        has_chosen = own.has_chosen or not isinstance(action, NO_CHOICES)
        active = replace(own, is_active=True, has_chosen=has_chosen)
        return handler(state.with_member(active), active, action, at)

    def on_deadline(self, state: S, at: Instant) -> Step[S]:
        require_run_out(state.due_at, at)
        return self.end_phase(state, at)

    def shown_deadline(self, state: S) -> Instant | None:
        # The latest end of the phase: a viewer must not see that all are done.
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
        if state.stage == Stage.OVER or not state.has_substitutes:
            return ()
        return idle_seats(state.members)

    def take_over(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        """Give a seat to a substitute, who keeps its role, choices, vote and private facts."""
        own = state.member(seat)
        if own is None or state.stage == Stage.OVER:
            raise _not_now(state)
        # Coming counts as having acted. A will is its author's: nobody posts it in another's name.
        taken = replace(
            own, idle_phases=0, is_active=True, unchosen_phases=0, has_chosen=True, will=""
        )
        return Step(state.with_member(taken))

    plays_out: ClassVar[bool] = True

    def may_play_out(self, state: S, bots: Collection[int]) -> bool:
        if state.stage == Stage.OVER or state.is_played_out:
            return False
        return all(member.no in bots for member in state.living)

    def play_out(self, state: S, at: Instant) -> Step[S]:
        """Shorten this phase and all that follow, so that dead people see soon how it ends."""
        clock = started(at, PLAYED_OUT)
        state = rearmed(replace(state, is_played_out=True, clock=clock), at)
        return Step(state, (Told(PlayedOut(clock.ends_at)),))

    def legal_actions(self, state: S, seat: SeatNo) -> list[Any]:
        own = state.member(seat)
        return [] if own is None else self.legal(state, own)

    def own_sources(self, state: S) -> Mapping[SeatNo, object]:
        # By night a seat's view follows from what its team does; by day from these alone.
        if state.stage != Stage.DAY:
            return {}
        lines, teams = {room.room: room.lines for room in state.rooms}, state.talk.teams
        return {
            member.no: (
                *(member, state.phase, lines[TOWN]),
                lines.get(teams.get(member.no, "")) if member.reads_to is None else None,
                None if member.is_alive else lines[DEAD],
            )
            for member in state.members
        }

    def rooms(self, state: S, viewer: Viewer) -> Mapping[str, Room]:
        return state.talk.seen_by(viewer)

    def is_over(self, state: S) -> bool:
        return state.stage == Stage.OVER

    def outcome(self, state: S) -> dict[SeatNo, Outcome]:
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
        return tuple([member.no for member in state.living if not member.is_done])


def _not_now(state: TownState[Any]) -> NotInPhase:
    message = "the game is over" if state.stage == Stage.OVER else f"not by {state.stage.value}"
    return NotInPhase(message, stage=state.stage.value)
