"""Nights and days: votes, confrontations, deaths, and the end of the game.
Source: docs/rules/dynamite.md "Day", "Night", "Winning".
"""

from collections import Counter
from collections.abc import Mapping
from functools import partial

from games.engine.errors import refuse
from games.engine.facts import Instant, Points, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.common.rules.actions import Done, Leave, Undone
from games.mafia.common.rules.facts import AwardEarned, Voted
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import are_all_done
from games.mafia.common.rules.state import (
    after_death,
    check_in,
    closed,
    count_choices,
    count_quiet,
    next_phase,
    read_will,
    rearmed,
    require_choice,
)
from games.mafia.dynamite.rules.actions import Confront, Vote, Withdraw
from games.mafia.dynamite.rules.state import (
    MOST_KEPT,
    PRICE,
    Cause,
    ConfrontationDeclared,
    ConfrontationWithdrawn,
    DangerChanged,
    DayRecord,
    DynamiteState,
    GameEnded,
    LeavingTown,
    NightRecord,
    NobodyDied,
    Player,
    PlayerDied,
    PointsGained,
    Reason,
    Result,
    declared,
    has_free_points,
)
from games.mafia.dynamite.rules.teams import MAFIAS, VULNERABLE_TO, Team

#: The number of danger points at which a townie explodes.
EXPLODES_AT = 3


def vote(state: DynamiteState, own: Player, action: Vote, at: Instant) -> Step[DynamiteState]:
    """Set a player's vote and withdraw the check-in. Raises action/bad_target."""
    if action.choice == own.no:
        refuse("action/bad_target", "nobody votes for oneself", seat=own.no)
    require_choice(state, action.choice)
    if action.choice == own.vote:
        return Step(state)
    own = replace(own, vote=action.choice)
    step = check_in(state.with_member(own), own, is_done=False)
    return Step(step.state, (Told(Voted(own.no, action.choice)), *step.events))


def done(state: DynamiteState, own: Player, action: Done, at: Instant) -> Step[DynamiteState]:
    """Check a player in; the day ends when all the living are done. Raises action/no_vote."""
    if own.vote is None:
        refuse("action/no_vote", "vote first: who has no vote is killed when the day ends")
    return check_in(state, own, is_done=True).then(lambda after: _end_if_all_done(after, at))


def undone(state: DynamiteState, own: Player, action: Undone, at: Instant) -> Step[DynamiteState]:
    return check_in(state, own, is_done=False)


def _end_if_all_done(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """End the day if all the living are done; players who left count as done."""
    return end_day(state, at) if are_all_done(state.players) else Step(state)


def end_day(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """Apply the votes at once: stapler, action points, danger."""
    state = count_choices(state)
    votes = tuple((player.no, player.vote) for player in state.living)
    held = Counter(choice for _, choice in votes)
    gained = {team: sum(held[player.no] for player in state.team(team)) for team in MAFIAS}
    causes = {player.no: _causes_by_day(player, held[player.no]) for player in state.living}
    before = {team: state.points_of(team) for team in MAFIAS}
    after = state.with_points({team: before[team] + gained[team] for team in MAFIAS})
    for townie in (player for player in state.living if not player.is_mafia):
        after = after.with_member(replace(townie, danger=townie.danger + held[townie.no]))
    died = tuple(no for no, found in causes.items() if found)
    after = replace(after, last_day=DayRecord(state.round, votes, died))
    return (
        _kill(after, causes, before)
        .then(_lower_danger)
        .then(_end_if_decided)
        .then(lambda now: _begin_night(now, gained, at))
    )


def _causes_by_day(player: Player, held: int) -> tuple[Cause, ...]:
    """Return the causes of a player's death at the end of the day, given the votes held."""
    found = {
        Cause.STAPLER: player.vote is None,
        Cause.EXPLOSION: not player.is_mafia and player.danger + held >= EXPLODES_AT,
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


def _begin_night(
    state: DynamiteState, by_votes: Mapping[Team, int], at: Instant
) -> Step[DynamiteState]:
    """Begin the night unless the game is over; each mafia gains a point for each of its dead.
    ``by_votes``: the points by votes, counted already, announced with the rest.
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


def confront(
    state: DynamiteState, own: Player, action: Confront, at: Instant
) -> Step[DynamiteState]:
    """Declare a confrontation and reserve its points, or change its target. Raises
    action/not_mafia, action/no_points_left, action/bad_target for the dead and the own team.
    """
    _require_mafia(own)
    require_choice(state, action.target)
    if any(mate.no == action.target for mate in state.team(own.team)):
        refuse("action/bad_target", "nobody confronts the own team", seat=action.target)
    if own.target is None and not has_free_points(state, own.team):
        refuse("action/no_points_left", "your team has no two points that are free")
    if own.target == action.target:
        return Step(state)
    fact = ConfrontationDeclared(own.no, SeatNo(action.target))
    state = state.with_member(replace(own, target=action.target))
    return Step(state, (Told(fact, _mates_alive(state, own)),))


def withdraw(
    state: DynamiteState, own: Player, action: Withdraw, at: Instant
) -> Step[DynamiteState]:
    """Withdraw the confrontation if there is one. Raises action/not_mafia."""
    _require_mafia(own)
    return _without_confrontation(state, own)


def _without_confrontation(state: DynamiteState, own: Player) -> Step[DynamiteState]:
    if own.target is None:
        return Step(state)
    state = state.with_member(replace(own, target=None))
    return Step(state, (Told(ConfrontationWithdrawn(own.no), _mates_alive(state, own)),))


def _require_mafia(own: Player) -> None:
    if not own.is_mafia:
        refuse("action/not_mafia", "a townie confronts nobody")


def _mates_alive(state: DynamiteState, own: Player) -> set[SeatNo]:
    """Return the living members of a player's team, the player included."""
    return {player.no for player in state.team(own.team) if player.is_alive}


def end_night(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """Apply all confrontations at once, also those of players who die of them."""
    state = count_choices(state)
    causes = _causes_by_night(state)
    died = tuple(no for no, found in causes.items() if found)
    before = {team: state.points_of(team) for team in MAFIAS}
    left = {team: before[team] - PRICE * len(declared(state, team)) for team in MAFIAS}
    state = state.with_points({team: min(MOST_KEPT, left[team]) for team in MAFIAS})
    for player in state.living:
        if player.target is not None:
            nights = (*player.nights, (state.round, player.target))
            state = state.with_member(replace(player, nights=nights))
    state = replace(state, last_night=NightRecord(state.round, died))
    return _kill(state, causes, before).then(_end_if_decided).then(lambda now: _begin_day(now, at))


def _causes_by_night(state: DynamiteState) -> dict[SeatNo, tuple[Cause, ...]]:
    """Return the causes of death of each living player at the end of the night, in one order."""
    found: dict[SeatNo, set[Cause]] = {player.no: set() for player in state.living}
    for team in MAFIAS:
        for attacker, target in declared(state, team):
            hit = state.member(target)
            assert hit is not None, "a target lives until the night ends"
            if VULNERABLE_TO.get(hit.team) == team:
                found[target].add(Cause.CONFRONTED)
            elif not hit.is_mafia:
                found[attacker].add(Cause.TOWNIE)
    for player in state.living:
        if player.is_leaving:
            found[player.no].add(Cause.LEFT)
    return {no: tuple(cause for cause in Cause if cause in each) for no, each in found.items()}


def _begin_day(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """Begin the day after a night, unless the game is over."""
    if state.stage == Stage.OVER:
        return Step(state)
    return next_phase(replace(state, round=state.round + 1), Stage.DAY, at)


def leave(state: DynamiteState, own: Player, action: Leave, at: Instant) -> Step[DynamiteState]:
    """Mark a player as leaving: the vote stands, the confrontation is withdrawn."""
    gone = replace(own, is_leaving=True, is_done=True, target=None)
    step = _without_confrontation(state, own)
    step = Step(step.state.with_member(gone), (*step.events, Told(LeavingTown(own.no), {own.no})))
    if state.stage == Stage.DAY:
        return step.then(lambda after: _end_if_all_done(after, at))
    return Step(rearmed(step.state, at), step.events)


def _kill(
    state: DynamiteState, causes: Mapping[SeatNo, tuple[Cause, ...]], known: Mapping[Team, int]
) -> Step[DynamiteState]:
    """Kill all players with a cause of death, post their wills, count the phase that ends.
    ``known``: each team's points as its members knew them until now; the dead learn no more.
    """
    dying = [player for player in state.living if causes[player.no]]
    told: list[Told] = []
    after = state
    for player in dying:
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
    for player in dying:
        step = step.then(partial(read_will, dying=player))
    return step


def _end_if_decided(state: DynamiteState) -> Step[DynamiteState]:
    """End the game if a mafia's prey is dead, or after too many phases without a death."""
    living = {player.team for player in state.living}
    if teams := tuple(hunter for prey, hunter in VULNERABLE_TO.items() if prey not in living):
        return _end(state, Reason.ELIMINATED, teams)
    if state.quiet_phases >= state.options.quiet_limit:
        return _end(state, Reason.QUIET, ())
    return Step(state)


def _end(state: DynamiteState, reason: Reason, teams: tuple[Team, ...]) -> Step[DynamiteState]:
    """End the game: announce the winners, all teams and each winner's award."""
    # A mafioso wins with its team, dead or alive; a townie if alive.
    winners = tuple(
        p.no
        for p in state.players
        if not p.has_left and (p.team in teams if p.is_mafia else p.is_alive)
    )
    each = Points(state.options.award)
    result = Result(reason, teams, winners, tuple((no, each) for no in winners))
    ended = Told(GameEnded(reason, teams, winners, state.dealt))
    earned = tuple(Told(AwardEarned(no, each, Points(0))) for no in winners)
    return Step(replace(closed(state), result=result), (ended, *earned))
