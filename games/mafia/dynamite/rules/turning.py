"""The transitions from day to night, with points for the dead, and from night to day.

Source: docs/rules/dynamite.md "Night".
"""

from collections.abc import Mapping

from games.engine.facts import Instant, Step, Told
from games.engine.structs import replace
from games.mafia.common.rules.gathering import next_phase
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.facts import PointsGained
from games.mafia.dynamite.rules.state import DynamiteState
from games.mafia.dynamite.rules.teams import MAFIAS, Team


def fall_night(
    state: DynamiteState, by_votes: Mapping[Team, int], at: Instant
) -> Step[DynamiteState]:
    """Begin the night unless the game is over; each mafia gains a point for each of its dead.

    Args:
        by_votes: the points that each mafia gained by votes, counted already; they are announced
            with the rest.
    """
    if state.stage == Stage.OVER:
        return Step(state)
    told: list[Told] = []
    for team in MAFIAS:
        members = state.team(team)
        by_dead = sum(not player.is_alive for player in members)
        points = state.points_of(team) + by_dead
        state = state.with_points({team: points})
        living = {player.no for player in members if player.is_alive}
        told.append(Told(PointsGained(team, by_votes[team], by_dead, points), living))
    step = next_phase(state, Stage.NIGHT, at)
    return Step(step.state, (*step.events, *told))


def break_day(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """Begin the day after a night, unless the game is over."""
    if state.stage == Stage.OVER:
        return Step(state)
    return next_phase(replace(state, round=state.round + 1), Stage.DAY, at)
