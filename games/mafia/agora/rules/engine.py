"""The rules of Agoran Mafia, an implementation of the contract of a game.
Source: docs/rules/agora.md; docs/how-to/add-a-game.md.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.protocols import Result
from games.engine.structs import replace
from games.mafia.agora.rules import actions, phases, view
from games.mafia.agora.rules.roles import MAFIA, MOST_CITIZENS, Role, count_roles, roles_for
from games.mafia.agora.rules.state import (
    LEAST_AT_A_TABLE,
    MAFIA_ROOM,
    AgoraFact,
    AgoraState,
    Citizen,
    GameStarted,
    GameVoided,
    MafiaNamed,
    Reason,
    RoleDealt,
)
from games.mafia.agora.rules.state import Options as AgoraOptions
from games.mafia.agora.rules.state import Result as Ending
from games.mafia.common.rules.actions import Leave
from games.mafia.common.rules.engine import HANDLERS, MafiaRules
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.state import closed


class Agora(MafiaRules[AgoraState]):
    """The rules of Agoran Mafia. A table needs at least five players; a contest sets up games of
    three and four itself.
    """

    handlers = {
        **HANDLERS,
        (Stage.NIGHT, actions.Choose): phases.choose,
        (Stage.NIGHT, Leave): phases.leave,
        (Stage.DAY, actions.Vote): phases.vote,
        (Stage.DAY, Leave): phases.leave,
    }
    first_stage = Stage.NIGHT
    min_seats: int = LEAST_AT_A_TABLE
    max_seats: int = MOST_CITIZENS
    Options: Any = AgoraOptions
    State: Any = AgoraState
    Action: Any = actions.AgoraAction
    Fact: Any = AgoraFact
    public_view: Any = staticmethod(view.PUBLIC.of)
    own_view: Any = staticmethod(view.own_view)
    legal: Any = staticmethod(actions.legal_actions)
    team_rooms = (MAFIA_ROOM,)

    def cards_for(self, options: AgoraOptions, players: int) -> tuple[Role, ...]:
        if players < LEAST_AT_A_TABLE and not options.contest:
            raise ValueError(f"at least {LEAST_AT_A_TABLE} play at a table")
        return roles_for(players)

    def new_state(self, dealt: Sequence[tuple[SeatNo, Role]], **common: Any) -> AgoraState:
        citizens = (Citizen(no=no, role=role, is_file_mafia=role in MAFIA) for no, role in dealt)
        return AgoraState(citizens=tuple(citizens), **common)

    def opening_facts(self, state: AgoraState) -> tuple[Told, ...]:
        options = state.options
        started = GameStarted(
            seats=tuple(citizen.no for citizen in state.citizens),
            roles=count_roles(len(state.citizens)),
            phase_seconds=options.phase_seconds,
            threshold=options.threshold,
            early_end=options.early_end,
            reveal_on_death=options.reveal_on_death,
        )
        cards = (Told(RoleDealt(c.no, c.role), {c.no}) for c in state.citizens)
        members = tuple((citizen.no, citizen.role) for citizen in state.mafia)
        mafia = Told(MafiaNamed(members), {citizen.no for citizen in state.mafia})
        return (Told(started), *cards, mafia)

    def end_phase(self, state: AgoraState, at: Instant) -> Step[AgoraState]:
        if state.stage == Stage.NIGHT:
            return phases.end_night(state, at)
        return phases.end_day(state, None, at)

    def void_game(self, state: AgoraState) -> Step[AgoraState]:
        over = replace(closed(state), result=Ending(Reason.VOID, None))
        return Step(over, (Told(GameVoided(state.roles)),))

    def result_of(self, state: AgoraState, member: Citizen) -> Result:
        result = state.result
        assert result is not None
        if result.reason == Reason.VOID:
            return Result.NONE
        if member.has_left:
            return Result.LOST
        if result.winner is None:
            return Result.DRAWN
        return Result.WON if member.side == result.winner else Result.LOST


class FirstAgora(Agora):
    """The rules of version 1, for matches opened with them."""

    version: int = 1
    keeps_stage: ClassVar[bool] = False
