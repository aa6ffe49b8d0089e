"""The rules of Agoran Mafia, an implementation of the contract of a game.

Source: docs/rules/agora.md; docs/adding-a-game.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.facts import Instant, SeatNo, SeatSetup, Step, Told
from games.engine.protocols import Result
from games.mafia.agora.rules import actions, days, deaths, leaving, legal, nights, view
from games.mafia.agora.rules.facts import AgoraFact, GameStarted, MafiaNamed, RoleDealt
from games.mafia.agora.rules.options import LEAST_AT_A_TABLE
from games.mafia.agora.rules.options import Options as AgoraOptions
from games.mafia.agora.rules.roles import MAFIA, MOST_CITIZENS, Role, count_roles, roles_for
from games.mafia.agora.rules.state import MAFIA_ROOM, AgoraState, Citizen, Reason
from games.mafia.common.rules.actions import Done, Leave, Post, Undone
from games.mafia.common.rules.engine import Handler, MafiaRules, numbers_of, post
from games.mafia.common.rules.gathering import phase_began
from games.mafia.common.rules.phases import Stage, started
from games.mafia.common.rules.rooms import DEAD, TOWN, RoomLines
from games.mafia.common.rules.roster import deal

#: (stage, action type) -> its handler.  Any other action is refused.
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


class Agora(MafiaRules[AgoraState]):
    """The rules of Agoran Mafia; stateless, every method is a function of its arguments.

    A table needs at least five players; a contest sets up games of three and four itself.
    """

    handlers = HANDLERS
    first_stage = Stage.NIGHT
    version: int = 1
    min_seats: int = LEAST_AT_A_TABLE
    max_seats: int = MOST_CITIZENS
    Options: Any = AgoraOptions
    State: Any = AgoraState
    Action: Any = actions.AgoraAction
    Fact: Any = AgoraFact

    def setup(
        self, options: AgoraOptions, seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[AgoraState]:
        numbers = numbers_of(seats)
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
        return Step(state, (Told(_start_of(state)), *_dealt(state), Told(phase_began(state))))

    def legal_actions(self, state: AgoraState, seat: SeatNo) -> list[actions.AgoraAction]:
        own = state.citizen(seat)
        return [] if own is None else legal.legal_actions(state, own)

    def end_phase(self, state: AgoraState, at: Instant) -> Step[AgoraState]:
        if state.stage == Stage.NIGHT:
            return nights.end_night(state, at)
        return days.end_day(state, None, at)

    def void_game(self, state: AgoraState) -> Step[AgoraState]:
        return deaths.void_game(state)

    def public_view(self, state: AgoraState) -> dict[str, Any]:
        return dict(view.PUBLIC.of(state))

    def own_view(self, state: AgoraState, seat: SeatNo) -> dict[str, Any] | None:
        own = view.own_view(state, seat)
        return None if own is None else dict(own)

    def result_of(self, state: AgoraState, member: Citizen) -> Result:
        """Return a seat's result: a player who left has lost; a voided game has no result."""
        result = state.result
        assert result is not None
        if result.reason == Reason.VOID:
            return Result.NONE
        if member.has_left:
            return Result.LOST
        if result.winner is None:
            return Result.DRAWN
        return Result.WON if member.side == result.winner else Result.LOST


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


def _dealt(state: AgoraState) -> tuple[Told, ...]:
    cards = tuple(Told(RoleDealt(c.no, c.role), {c.no}) for c in state.citizens)
    members: tuple[tuple[SeatNo, Role], ...] = tuple((c.no, c.role) for c in state.mafia)
    return (*cards, Told(MafiaNamed(members), {citizen.no for citizen in state.mafia}))
