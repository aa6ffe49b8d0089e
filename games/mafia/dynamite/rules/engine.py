"""The rules of Rock, Paper, Scissors, Dynamite, an implementation of the contract of a game.
Source: docs/rules/dynamite.md; docs/how-to/add-a-game.md.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.protocols import Result
from games.engine.structs import replace
from games.mafia.common.rules.actions import Done, Leave, Undone
from games.mafia.common.rules.engine import HANDLERS, MafiaRules
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.state import closed
from games.mafia.dynamite.rules import actions, phases, view
from games.mafia.dynamite.rules.state import (
    DynamiteFact,
    DynamiteState,
    GameStarted,
    GameVoided,
    MatesNamed,
    Player,
    Reason,
    TeamDealt,
)
from games.mafia.dynamite.rules.state import Options as DynamiteOptions
from games.mafia.dynamite.rules.state import Result as Ending
from games.mafia.dynamite.rules.teams import LEAST_PLAYERS, MAFIAS, MOST_PLAYERS, Team, team_sizes


class Dynamite(MafiaRules[DynamiteState]):
    """The rules of Rock, Paper, Scissors, Dynamite."""

    handlers = {
        **HANDLERS,
        (Stage.DAY, actions.Vote): phases.vote,
        (Stage.DAY, Done): phases.done,
        (Stage.DAY, Undone): phases.undone,
        (Stage.DAY, Leave): phases.leave,
        (Stage.NIGHT, actions.Confront): phases.confront,
        (Stage.NIGHT, actions.Withdraw): phases.withdraw,
        (Stage.NIGHT, Leave): phases.leave,
    }
    first_stage = Stage.DAY
    min_seats: int = LEAST_PLAYERS
    max_seats: int = MOST_PLAYERS
    Options: Any = DynamiteOptions
    State: Any = DynamiteState
    Action: Any = actions.DynamiteAction
    Fact: Any = DynamiteFact
    public_view: Any = staticmethod(view.PUBLIC.of)
    own_view: Any = staticmethod(view.own_view)
    legal: Any = staticmethod(actions.legal_actions)
    team_rooms = MAFIAS

    def cards_for(self, options: DynamiteOptions, players: int) -> tuple[Team, ...]:
        return tuple(team for team, size in team_sizes(players) for _ in range(size))

    def new_state(self, dealt: Sequence[tuple[SeatNo, Team]], **common: Any) -> DynamiteState:
        return DynamiteState(
            players=tuple(Player(no=no, team=team) for no, team in dealt), **common
        )

    def opening_facts(self, state: DynamiteState) -> tuple[Told, ...]:
        started = GameStarted(
            seats=tuple(player.no for player in state.players),
            teams=team_sizes(len(state.players)),
            phase_seconds=state.options.phase_seconds,
            award=state.options.award,
        )
        cards = (Told(TeamDealt(p.no, p.team), {p.no}) for p in state.players)
        mates = ((team, tuple(p.no for p in state.team(team))) for team in MAFIAS)
        named = (Told(MatesNamed(team, members), members) for team, members in mates)
        return (Told(started), *cards, *named)

    def end_phase(self, state: DynamiteState, at: Instant) -> Step[DynamiteState]:
        end = phases.end_day if state.stage == Stage.DAY else phases.end_night
        return end(state, at)

    def take_over(self, state: DynamiteState, seat: SeatNo, at: Instant) -> Step[DynamiteState]:
        # A substitute does not leave as the player before meant to.
        step = super().take_over(state, seat, at)
        own = step.state.member(seat)
        assert own is not None, "a substitute takes over a seat of a player"
        return Step(step.state.with_member(replace(own, is_leaving=False)))

    def void_game(self, state: DynamiteState) -> Step[DynamiteState]:
        over = replace(closed(state), result=Ending(Reason.VOID))
        return Step(over, (Told(GameVoided(state.dealt)),))

    def result_of(self, state: DynamiteState, member: Player) -> Result:
        result = state.result
        assert result is not None
        if result.reason == Reason.VOID:
            return Result.NONE
        if member.no in result.winners:
            return Result.WON
        is_drawn = result.reason == Reason.QUIET and member.is_mafia and not member.has_left
        return Result.DRAWN if is_drawn else Result.LOST


class FirstDynamite(Dynamite):
    """The rules of version 1, for matches opened with them."""

    version: int = 1
    keeps_stage: ClassVar[bool] = False
