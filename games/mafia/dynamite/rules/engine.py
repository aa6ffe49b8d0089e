"""The rules of Rock, Paper, Scissors, Dynamite, an implementation of the contract of a game.
Source: docs/rules/dynamite.md; docs/how-to/add-a-game.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.protocols import Result
from games.engine.structs import replace
from games.mafia.common.rules.actions import Done, Leave, Post, Undone, WriteWill
from games.mafia.common.rules.engine import Handler, MafiaRules
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.state import (
    closed,
    done_by_night,
    post,
    rearmed,
    undone_by_night,
    write_will,
)
from games.mafia.dynamite.rules import actions, days, deaths, legal, nights, view
from games.mafia.dynamite.rules.facts import (
    DynamiteFact,
    GameStarted,
    GameVoided,
    LeavingTown,
    MatesNamed,
    TeamDealt,
)
from games.mafia.dynamite.rules.options import Options as DynamiteOptions
from games.mafia.dynamite.rules.state import DynamiteState, Player, Reason
from games.mafia.dynamite.rules.state import Result as Ending
from games.mafia.dynamite.rules.teams import LEAST_PLAYERS, MAFIAS, MOST_PLAYERS, Team, team_sizes


def leave(state: DynamiteState, own: Player, action: Leave, at: Instant) -> Step[DynamiteState]:
    """Mark a player as leaving: the vote stands, the confrontation is withdrawn."""
    gone = replace(own, is_leaving=True, is_done=True, target=None)
    step = nights.without_confrontation(state, own)
    step = Step(step.state.with_member(gone), (*step.events, Told(LeavingTown(own.no), {own.no})))
    if state.stage == Stage.DAY:
        return step.then(lambda after: days.end_if_all_done(after, at))
    return Step(rearmed(step.state, at), step.events)


#: (stage, action type) -> its handler.  Any other action is refused.
HANDLERS: Final[Mapping[tuple[Stage, type[Any]], Handler]] = {
    (Stage.DAY, actions.Vote): days.vote,
    (Stage.DAY, Done): days.done,
    (Stage.DAY, Undone): days.undone,
    (Stage.DAY, Post): post,
    (Stage.DAY, WriteWill): write_will,
    (Stage.DAY, Leave): leave,
    (Stage.NIGHT, actions.Confront): nights.confront,
    (Stage.NIGHT, actions.Withdraw): nights.withdraw,
    (Stage.NIGHT, Done): done_by_night,
    (Stage.NIGHT, Undone): undone_by_night,
    (Stage.NIGHT, Post): post,
    (Stage.NIGHT, WriteWill): write_will,
    (Stage.NIGHT, Leave): leave,
}


class Dynamite(MafiaRules[DynamiteState]):
    """The rules of the game; stateless, every method is a function of its arguments."""

    handlers = HANDLERS
    first_stage = Stage.DAY
    version: int = 1
    min_seats: int = LEAST_PLAYERS
    max_seats: int = MOST_PLAYERS
    Options: Any = DynamiteOptions
    State: Any = DynamiteState
    Action: Any = actions.DynamiteAction
    Fact: Any = DynamiteFact
    public_view: Any = staticmethod(view.PUBLIC.of)
    own_view: Any = staticmethod(view.own_view)
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

    def legal_actions(self, state: DynamiteState, seat: SeatNo) -> list[actions.DynamiteAction]:
        own = state.member(seat)
        return [] if own is None else legal.legal_actions(state, own)

    def end_phase(self, state: DynamiteState, at: Instant) -> Step[DynamiteState]:
        end = days.end_day if state.stage == Stage.DAY else nights.end_night
        return end(state, at)

    def take_over(self, state: DynamiteState, seat: SeatNo, at: Instant) -> Step[DynamiteState]:
        """Give a seat to a substitute; the leaving of the previous player is cancelled."""
        step = super().take_over(state, seat, at)
        own = step.state.member(seat)
        assert own is not None, "a substitute takes over a seat of a player"
        return Step(step.state.with_member(replace(own, is_leaving=False)))

    def void_game(self, state: DynamiteState) -> Step[DynamiteState]:
        over = replace(closed(state), result=Ending(Reason.VOID))
        return Step(over, (Told(GameVoided(deaths.teams_of(state))),))

    def result_of(self, state: DynamiteState, member: Player) -> Result:
        """Return a seat's result: a player who left has lost; a voided game has no result."""
        result = state.result
        assert result is not None
        if result.reason == Reason.VOID:
            return Result.NONE
        if member.no in result.winners:
            return Result.WON
        is_drawn = result.reason == Reason.QUIET and member.is_mafia and not member.has_left
        return Result.DRAWN if is_drawn else Result.LOST
