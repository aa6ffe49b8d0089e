"""Agoran Mafia behind the contract every game keeps.

Source: docs/rules/agora.md; docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.agora.rules import actions, days, deaths, leaving, legal, nights, view
from games.agora.rules.facts import AgoraFact, GameStarted, MafiaNamed, NightBegan, RoleDealt
from games.agora.rules.options import LEAST_AT_A_TABLE
from games.agora.rules.options import Options as AgoraOptions
from games.agora.rules.roles import MAFIA, MOST_CITIZENS, Role, count_roles, roles_for
from games.agora.rules.state import MAFIA_ROOM, AgoraState, Citizen, Reason
from games.kernel.contract import Outcome, Result, Room, require_run_out, view_of
from games.kernel.errors import NotInPhase, NotSeated, StaleAction
from games.kernel.facts import (
    ClockPostponed,
    Instant,
    Points,
    SeatNo,
    SeatSetup,
    Step,
    Told,
    Viewer,
)
from games.kernel.structs import replace
from games.mafia.rules import gathering
from games.mafia.rules.actions import Done, Leave, Post, Undone
from games.mafia.rules.errors import NotAlive
from games.mafia.rules.phases import Stage, postponed, started
from games.mafia.rules.rooms import DEAD, TOWN, RoomLines
from games.mafia.rules.roster import deal, idle_seats, taken_over

Handler = Callable[[AgoraState, Citizen, Any, Instant], Step[AgoraState]]


def post(state: AgoraState, own: Citizen, action: Post, at: Instant) -> Step[AgoraState]:
    """Say something in a room, which is no part in the game; raises RoomClosed, BlankPost."""
    return gathering.post(state, own, action)


#: The whole game at a glance: what may be asked when.  What is absent is refused.
HANDLERS: Final[Mapping[tuple[Stage, type[Any]], Handler]] = {
    (Stage.NIGHT, actions.Choose): nights.choose,
    (Stage.NIGHT, Done): nights.done,
    (Stage.NIGHT, Undone): nights.undone,
    (Stage.NIGHT, Post): post,
    (Stage.NIGHT, Leave): leaving.leave,
    (Stage.DAY, actions.Vote): days.vote,
    (Stage.DAY, Post): post,
    (Stage.DAY, Leave): leaving.leave,
}


class Earned(Outcome, frozen=True):
    """How a game ended for one seat; ``points`` on either axis are what the rules award.

    ``net`` is 0: nobody brings anything, and what is paid is for the house.
    """

    points: Points = Points(0)


class Agora:
    """The rules of Agoran Mafia; holds nothing, every method is a function of its arguments.

    At a table at least five play; a contest sets three and four up by itself.
    """

    version: int = 1
    min_seats: int = LEAST_AT_A_TABLE
    max_seats: int = MOST_CITIZENS
    Options: Any = AgoraOptions
    State: Any = AgoraState
    Action: Any = actions.AgoraAction
    Fact: Any = AgoraFact

    def purse_limits(self, options: AgoraOptions) -> tuple[int, int]:
        """Return nothing twice: one plays without points."""
        return 0, 0

    def setup(
        self, options: AgoraOptions, seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[AgoraState]:
        """Deal the roles and begin the first night.

        Raises:
            ValueError: too few or too many play, a seat twice, or one that brings points.
        """
        numbers = sorted(seat.no for seat in seats)
        if len(set(numbers)) != len(numbers) or any(seat.purse for seat in seats):
            raise ValueError("each seat plays once, and brings no points")
        if len(numbers) < LEAST_AT_A_TABLE and not options.contest:
            raise ValueError(f"at least {LEAST_AT_A_TABLE} play at a table")
        roles = deal(seed, roles_for(len(numbers)))
        citizens = tuple(
            Citizen(no=no, role=role, is_file_mafia=role in MAFIA)
            for no, role in zip(numbers, roles, strict=True)
        )
        rooms = tuple(RoomLines(room) for room in (TOWN, MAFIA_ROOM, DEAD))
        clock = started(at, options.phase_milliseconds)
        state = AgoraState(
            options=options,
            seed=seed,
            citizens=citizens,
            clock=clock,
            stage=Stage.NIGHT,
            rooms=rooms,
        )
        return Step(state, (Told(_start_of(state)), *_dealt(state), Told(_first_night(state))))

    def legal_actions(self, state: AgoraState, seat: SeatNo) -> list[actions.AgoraAction]:
        """List what the seat may do now, posts aside, in a stable order."""
        own = state.citizen(seat)
        return [] if own is None else legal.legal_actions(state, own)

    def apply(
        self, state: AgoraState, seat: SeatNo, action: actions.AgoraAction, at: Instant
    ) -> Step[AgoraState]:
        """Return what follows from a seat's action.

        Raises:
            IllegalAction: one of its kinds, as the handlers name them; also NotSeated,
                NotInPhase, NotAlive, and StaleAction past the deadline.
        """
        own = state.citizen(seat)
        if own is None:
            raise NotSeated("only a citizen may act")
        handler = HANDLERS.get((state.stage, type(action)))
        if handler is None:
            raise NotInPhase(_not_now(state.stage), stage=state.stage.value)
        if at >= state.clock.due_at:
            raise StaleAction("the phase is over")
        if isinstance(action, Post):
            return handler(state, own, action, at)
        if not own.is_alive:
            raise NotAlive("the dead have no part in this")
        active = replace(own, is_active=True)
        return handler(state.with_member(active), active, action, at)

    def on_deadline(self, state: AgoraState, at: Instant) -> Step[AgoraState]:
        """End the night, with what was chosen, or the day, without a lynching.

        Raises:
            NotInPhase: the game is over.
            TooEarly: the phase is not.
        """
        require_run_out(state.due_at, at)
        if state.stage == Stage.NIGHT:
            return nights.end_night(state, at)
        return days.end_day(state, None, at)

    def deadline(self, state: AgoraState) -> Instant | None:
        """Return when the phase ends as things stand, which may be earlier than is shown."""
        return state.due_at

    def shown_deadline(self, state: AgoraState) -> Instant | None:
        """Return when the phase ends at the latest: that all are done must not show."""
        return None if state.stage == Stage.OVER else state.clock.ends_at

    def clock_limit(self, state: AgoraState) -> int | None:
        """Return how many milliseconds a phase lasts, None when over."""
        return None if state.stage == Stage.OVER else state.clock.limit

    def postpone(self, state: AgoraState, due_at: Instant) -> Step[AgoraState]:
        """Repay an outage: the later deadline counts, the shown and the hidden one alike."""
        if state.stage == Stage.OVER:
            return Step(state)
        clock = postponed(state.clock, due_at)
        return Step(replace(state, clock=clock), (Told(ClockPostponed(clock.ends_at)),))

    def void(self, state: AgoraState) -> Step[AgoraState]:
        """End the game as if it had not been; raises NotInPhase when it is over."""
        if state.stage == Stage.OVER:
            raise NotInPhase(_not_now(state.stage), stage=state.stage.value)
        return deaths.void_game(state)

    def leave(self, state: AgoraState, seat: SeatNo, at: Instant) -> Step[AgoraState]:
        """Leave town; raises as ``apply`` does."""
        return self.apply(state, seat, Leave(), at)

    def open_seats(self, state: AgoraState) -> tuple[SeatNo, ...]:
        """Return the seats that did nothing for two phases, where substitutes are wanted."""
        if state.stage == Stage.OVER or not state.options.substitutes:
            return ()
        return idle_seats(state.citizens)

    def take_over(self, state: AgoraState, seat: SeatNo, at: Instant) -> Step[AgoraState]:
        """Let somebody else be a citizen: role, choices, vote and what it was told stay."""
        own = state.citizen(seat)
        if own is None or state.stage == Stage.OVER:
            raise NotInPhase(_not_now(state.stage), stage=state.stage.value)
        return Step(state.with_member(taken_over(own)))

    def rooms(self, state: AgoraState, viewer: Viewer) -> Mapping[str, Room]:
        """Return the rooms that the viewer may know of; posts in them are actions."""
        return state.talk.seen_by(viewer)

    def phase(self, state: AgoraState) -> int:
        """Return the public counter of nights, days and the end."""
        return state.phase

    def view(self, state: AgoraState, viewer: Viewer) -> dict[str, Any]:
        """Build what the viewer may see."""
        return view_of(self, state, viewer)

    def public_view(self, state: AgoraState) -> dict[str, Any]:
        """Build what everybody may see; view.PublicView names every field."""
        return dict(view.PUBLIC.of(state))

    def own_view(self, state: AgoraState, seat: SeatNo) -> dict[str, Any] | None:
        """Build what a seat may see besides; view.YouView names every field."""
        own = view.own_view(state, seat)
        return None if own is None else dict(own)

    def is_over(self, state: AgoraState) -> bool:
        """Tell whether the game has ended, by play or by voiding."""
        return state.stage == Stage.OVER

    def outcome(self, state: AgoraState) -> dict[SeatNo, Outcome]:
        """Return each seat's result; who left has lost, a voided game is nothing for anybody."""
        if state.result is None:
            return {}
        awards = dict(state.result.awards)
        return {
            c.no: Earned(_result_of(state, c), 0, awards.get(c.no, Points(0)))
            for c in state.citizens
        }

    def carry_over(self, state: AgoraState) -> dict[str, Any]:
        """Return nothing: the next game has the table's options as they stand."""
        return {}

    def pending_seats(self, state: AgoraState) -> tuple[SeatNo, ...]:
        """Return who lives and is not done by night, who lives by day: a vote may be changed."""
        if state.stage == Stage.OVER:
            return ()
        return tuple(citizen.no for citizen in state.living if not citizen.is_done)


def _start_of(state: AgoraState) -> GameStarted:
    options = state.options
    return GameStarted(
        seats=tuple(citizen.no for citizen in state.citizens),
        roles=count_roles(len(state.citizens)),
        phase_seconds=options.phase_seconds,
        threshold=options.threshold,
        early_end=options.early_end,
        reveal_on_death=options.reveal_on_death,
    )


def _first_night(state: AgoraState) -> NightBegan:
    return NightBegan(state.round, state.clock.ends_at)


def _dealt(state: AgoraState) -> tuple[Told, ...]:
    cards = tuple(Told(RoleDealt(c.no, c.role), {c.no}) for c in state.citizens)
    members: tuple[tuple[SeatNo, Role], ...] = tuple((c.no, c.role) for c in state.mafia)
    return (*cards, Told(MafiaNamed(members), {citizen.no for citizen in state.mafia}))


def _result_of(state: AgoraState, citizen: Citizen) -> Result:
    result = state.result
    assert result is not None
    if result.reason == Reason.VOID:
        return Result.NONE
    if citizen.has_left:
        return Result.LOST
    if result.winner is None:
        return Result.DRAWN
    return Result.WON if citizen.side == result.winner else Result.LOST


def _not_now(stage: Stage) -> str:
    return "the game is over" if stage == Stage.OVER else f"not by {stage.value}"
