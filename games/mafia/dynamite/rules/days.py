"""A day: public votes, and their effects when it ends.
Source: docs/rules/dynamite.md "Day".
"""

from collections.abc import Mapping

from games.engine.errors import BadTarget
from games.engine.facts import Instant, Step, Told
from games.engine.structs import replace
from games.mafia.common.rules.actions import Done, Undone
from games.mafia.common.rules.facts import Voted
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import are_all_done
from games.mafia.common.rules.state import check_in, count_choices, next_phase, require_choice
from games.mafia.dynamite.rules import deaths
from games.mafia.dynamite.rules.actions import NoVote, Vote
from games.mafia.dynamite.rules.facts import DangerChanged, PointsGained
from games.mafia.dynamite.rules.state import Cause, DayRecord, DynamiteState, Player, votes_held
from games.mafia.dynamite.rules.teams import MAFIAS, Team

#: The number of danger points at which a townie explodes.
EXPLODES_AT = 3


def vote(state: DynamiteState, own: Player, action: Vote, at: Instant) -> Step[DynamiteState]:
    """Set a player's vote and withdraw the check-in; raises BadTarget."""
    if action.choice == own.no:
        raise BadTarget("nobody votes for oneself", seat=own.no)
    require_choice(state, action.choice)
    if action.choice == own.vote:
        return Step(state)
    own = replace(own, vote=action.choice)
    step = check_in(state.with_member(own), own, is_done=False)
    return Step(step.state, (Told(Voted(own.no, action.choice)), *step.events))


def done(state: DynamiteState, own: Player, action: Done, at: Instant) -> Step[DynamiteState]:
    """Check a player in for the day, which ends when all the living are done; raises NoVote."""
    if own.vote is None:
        raise NoVote("vote first: who has no vote is killed when the day ends")
    return check_in(state, own, is_done=True).then(lambda after: end_if_all_done(after, at))


def undone(state: DynamiteState, own: Player, action: Undone, at: Instant) -> Step[DynamiteState]:
    """Withdraw the check-in."""
    return check_in(state, own, is_done=False)


def end_if_all_done(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """End the day if all the living are done; players who left count as done."""
    return end_day(state, at) if are_all_done(state.players) else Step(state)


def end_day(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """Apply the votes at once: stapler, action points, danger."""
    state = count_choices(state)
    held = votes_held(state)
    gained = {team: sum(held.get(p.no, 0) for p in state.team(team)) for team in MAFIAS}
    causes = {player.no: _causes(player, held[player.no]) for player in state.living}
    votes = tuple((player.no, player.vote) for player in state.living)
    after = state.with_points({team: state.points_of(team) + gained[team] for team in MAFIAS})
    for townie in (player for player in state.living if not player.is_mafia):
        after = after.with_member(replace(townie, danger=townie.danger + held[townie.no]))
    died = tuple(no for no, found in causes.items() if found)
    after = replace(after, last_day=DayRecord(state.round, votes, died))
    step = deaths.kill(after, causes, {team: state.points_of(team) for team in MAFIAS})
    return (
        step.then(_lower_danger)
        .then(deaths.end_if_decided)
        .then(lambda now: _begin_night(now, gained, at))
    )


def _begin_night(
    state: DynamiteState, by_votes: Mapping[Team, int], at: Instant
) -> Step[DynamiteState]:
    """Begin the night unless the game is over; each mafia gains a point for each of its dead.
    ``by_votes``: the points that each mafia gained by votes, counted already; they are announced
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


def _causes(player: Player, held: int) -> tuple[Cause, ...]:
    """Return the causes of a player's death at the end of the day, given the votes held."""
    explodes = not player.is_mafia and player.danger + held >= EXPLODES_AT
    found = {
        Cause.STAPLER: player.vote is None,
        Cause.EXPLOSION: explodes,
        Cause.LEFT: player.is_leaving,
    }
    return tuple(cause for cause, kills in found.items() if kills)


def _lower_danger(state: DynamiteState) -> Step[DynamiteState]:
    """Take one danger point from every surviving townie."""
    told: list[Told] = []
    for townie in (player for player in state.living if not player.is_mafia):
        calmer = replace(townie, danger=max(0, townie.danger - 1))
        state = state.with_member(calmer)
        told.append(Told(DangerChanged(calmer.no, calmer.danger), {calmer.no}))
    return Step(state, tuple(told))
