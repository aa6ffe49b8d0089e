"""The rules of Rock, Paper, Scissors, Dynamite, an implementation of the contract of a game.

Source: docs/rules/dynamite.md; docs/adding-a-game.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.facts import Instant, SeatNo, SeatSetup, Step, Told
from games.engine.protocols import Result
from games.engine.structs import replace
from games.mafia.common.rules.actions import Done, Leave, Post, Undone
from games.mafia.common.rules.engine import Handler, MafiaRules, numbers_of, post
from games.mafia.common.rules.gathering import phase_began
from games.mafia.common.rules.phases import Stage, started
from games.mafia.common.rules.rooms import DEAD, TOWN, RoomLines
from games.mafia.common.rules.roster import deal
from games.mafia.dynamite.rules import actions, days, deaths, leaving, legal, nights, view
from games.mafia.dynamite.rules.facts import DynamiteFact, GameStarted, MatesNamed, TeamDealt
from games.mafia.dynamite.rules.options import Options as DynamiteOptions
from games.mafia.dynamite.rules.state import DynamiteState, Player, Reason
from games.mafia.dynamite.rules.teams import (
    LEAST_PLAYERS,
    MAFIAS,
    MOST_PLAYERS,
    cards_for,
    team_sizes,
)

#: (stage, action type) -> its handler.  Any other action is refused.
HANDLERS: Final[Mapping[tuple[Stage, type[Any]], Handler]] = {
    (Stage.DAY, actions.Vote): days.vote,
    (Stage.DAY, Done): days.done,
    (Stage.DAY, Undone): days.undone,
    (Stage.DAY, Post): post,
    (Stage.DAY, Leave): leaving.leave,
    (Stage.NIGHT, actions.Confront): nights.confront,
    (Stage.NIGHT, actions.Withdraw): nights.withdraw,
    (Stage.NIGHT, Done): nights.done,
    (Stage.NIGHT, Undone): nights.undone,
    (Stage.NIGHT, Post): post,
    (Stage.NIGHT, Leave): leaving.leave,
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

    def setup(
        self, options: DynamiteOptions, seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[DynamiteState]:
        numbers = numbers_of(seats)
        cards = deal(seed, cards_for(len(numbers)))
        players = (Player(no=no, team=team) for no, team in zip(numbers, cards, strict=True))
        state = DynamiteState(
            options=options,
            seed=seed,
            players=tuple(players),
            clock=started(at, options.phase_milliseconds),
            stage=Stage.DAY,
            rooms=tuple(RoomLines(room) for room in (TOWN, *MAFIAS, DEAD)),
        )
        return Step(state, (Told(_start_of(state)), *_dealt(state), Told(phase_began(state))))

    def legal_actions(self, state: DynamiteState, seat: SeatNo) -> list[actions.DynamiteAction]:
        own = state.player(seat)
        return [] if own is None else legal.legal_actions(state, own)

    def end_phase(self, state: DynamiteState, at: Instant) -> Step[DynamiteState]:
        end = days.end_day if state.stage == Stage.DAY else nights.end_night
        return end(state, at)

    def void_game(self, state: DynamiteState) -> Step[DynamiteState]:
        return deaths.void_game(state)

    def take_over(self, state: DynamiteState, seat: SeatNo, at: Instant) -> Step[DynamiteState]:
        """Give a seat to a substitute; the leaving of the previous player is cancelled."""
        step = super().take_over(state, seat, at)
        own = step.state.player(seat)
        assert own is not None, "a seat is taken over by whoever plays"
        return Step(step.state.with_member(replace(own, is_leaving=False)))

    def public_view(self, state: DynamiteState) -> dict[str, Any]:
        return dict(view.PUBLIC.of(state))

    def own_view(self, state: DynamiteState, seat: SeatNo) -> dict[str, Any] | None:
        own = view.own_view(state, seat)
        return None if own is None else dict(own)

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


def _start_of(state: DynamiteState) -> GameStarted:
    return GameStarted(
        seats=tuple(player.no for player in state.players),
        teams=team_sizes(len(state.players)),
        phase_seconds=state.options.phase_seconds,
        award=state.options.award,
    )


def _dealt(state: DynamiteState) -> tuple[Told, ...]:
    cards = tuple(Told(TeamDealt(p.no, p.team), {p.no}) for p in state.players)
    mates = tuple((team, tuple(p.no for p in state.team(team))) for team in MAFIAS)
    return (*cards, *(Told(MatesNamed(team, members), members) for team, members in mates))
