"""Deaths at one moment, the winners, and their awards.
Source: docs/rules/dynamite.md "Winning".
"""

from collections.abc import Mapping
from functools import partial

from games.engine.facts import Points, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.common.rules.facts import AwardEarned
from games.mafia.common.rules.state import after_death, closed, count_quiet, read_will
from games.mafia.dynamite.rules.facts import GameEnded, NobodyDied, PlayerDied
from games.mafia.dynamite.rules.state import Cause, DynamiteState, Reason, Result
from games.mafia.dynamite.rules.teams import VULNERABLE_TO, Team


def kill(
    state: DynamiteState, causes: Mapping[SeatNo, tuple[Cause, ...]], known: Mapping[Team, int]
) -> Step[DynamiteState]:
    """Kill all players with a cause of death, post their wills, count the phase that ends.
    ``known``: each team's points as its members knew them until now; the dead learn no more.
    """
    told: list[Told] = []
    after = state
    for player in state.living:
        if not causes[player.no]:
            continue
        dead = replace(
            after_death(state, player, has_left=player.is_leaving),
            causes=causes[player.no],
            points_known=known.get(player.team),
            is_leaving=False,
        )
        after = after.with_member(dead)
        told.append(Told(PlayerDied(dead.no, dead.team, dead.causes)))
    after = count_quiet(replace(after, has_seen_death=bool(told)))
    step = Step(after, tuple(told) or (Told(NobodyDied(state.round)),))
    for player in state.living:
        if causes[player.no]:
            step = step.then(partial(read_will, dying=player))
    return step


def winning_teams(state: DynamiteState) -> tuple[Team, ...]:
    """Return the mafias whose prey has no living member."""
    living = {player.team for player in state.living}
    return tuple(hunter for prey, hunter in VULNERABLE_TO.items() if prey not in living)


def end_if_decided(state: DynamiteState) -> Step[DynamiteState]:
    """End the game if a mafia has won, or after too many phases without a death."""
    if teams := winning_teams(state):
        return end(state, Reason.ELIMINATED, teams)
    if state.quiet_phases >= state.options.quiet_limit:
        return end(state, Reason.QUIET, ())
    return Step(state)


def end(state: DynamiteState, reason: Reason, teams: tuple[Team, ...]) -> Step[DynamiteState]:
    """End the game: announce the winners, all teams and each winner's award."""
    # A mafioso wins with its team, dead or alive; a townie if alive.
    winners = tuple(
        p.no
        for p in state.players
        if not p.has_left and (p.team in teams if p.is_mafia else p.is_alive)
    )
    each = Points(state.options.award)
    result = Result(reason, teams, winners, tuple((no, each) for no in winners))
    ended = Told(GameEnded(reason, teams, winners, teams_of(state)))
    earned = tuple(Told(AwardEarned(no, each, Points(0))) for no in winners)
    return Step(replace(closed(state), result=result), (ended, *earned))


def teams_of(state: DynamiteState) -> tuple[tuple[SeatNo, Team], ...]:
    """Return the team of each player, in seat order."""
    return tuple((player.no, player.team) for player in state.players)
