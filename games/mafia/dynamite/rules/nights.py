"""A night: confrontations and their price, the check-in, and the effects of the confrontations.
Source: docs/rules/dynamite.md "Night".
"""

from games.engine.errors import BadTarget
from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.state import count_choices, next_phase, require_choice
from games.mafia.dynamite.rules import deaths
from games.mafia.dynamite.rules.actions import Confront, NoPointsLeft, NotMafia, Withdraw
from games.mafia.dynamite.rules.facts import ConfrontationDeclared, ConfrontationWithdrawn
from games.mafia.dynamite.rules.state import (
    MOST_KEPT,
    PRICE,
    Cause,
    DynamiteState,
    NightRecord,
    Player,
    declared,
)
from games.mafia.dynamite.rules.teams import MAFIAS, VULNERABLE_TO, Team


def confront(
    state: DynamiteState, own: Player, action: Confront, at: Instant
) -> Step[DynamiteState]:
    """Declare a confrontation and reserve its points, or change the target of a declared one.
    Raises NotMafia: a townie confronts nobody; BadTarget: there is no living player on that seat,
    or it is of the own team; NoPointsLeft: all of the team's points are reserved.
    """
    require_mafia(own)
    require_choice(state, action.target)
    if any(mate.no == action.target for mate in state.team(own.team)):
        raise BadTarget("nobody confronts the own team", seat=action.target)
    if own.target is None and not has_free_points(state, own.team):
        raise NoPointsLeft("your team has no two points that are free")
    if own.target == action.target:
        return Step(state)
    fact = ConfrontationDeclared(own.no, SeatNo(action.target))
    state = state.with_member(replace(own, target=action.target))
    return Step(state, (Told(fact, mates_alive(state, own)),))


def withdraw(
    state: DynamiteState, own: Player, action: Withdraw, at: Instant
) -> Step[DynamiteState]:
    """Withdraw the confrontation if there is one; raises NotMafia."""
    require_mafia(own)
    return without_confrontation(state, own)


def without_confrontation(state: DynamiteState, own: Player) -> Step[DynamiteState]:
    """Return the state without a player's confrontation, if there was one."""
    if own.target is None:
        return Step(state)
    state = state.with_member(replace(own, target=None))
    return Step(state, (Told(ConfrontationWithdrawn(own.no), mates_alive(state, own)),))


def end_night(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """Apply all confrontations at once, also those of players who die of them."""
    state = count_choices(state)
    causes = _causes(state)
    died = tuple(no for no, found in causes.items() if found)
    before = {team: state.points_of(team) for team in MAFIAS}
    spent = {team: PRICE * len(declared(state, team)) for team in MAFIAS}
    state = _with_records(
        state.with_points({t: min(MOST_KEPT, before[t] - spent[t]) for t in MAFIAS})
    )
    state = replace(state, last_night=NightRecord(state.round, died))
    return (
        deaths.kill(state, causes, before)
        .then(deaths.end_if_decided)
        .then(lambda now: _begin_day(now, at))
    )


def _begin_day(state: DynamiteState, at: Instant) -> Step[DynamiteState]:
    """Begin the day after a night, unless the game is over."""
    if state.stage == Stage.OVER:
        return Step(state)
    return next_phase(replace(state, round=state.round + 1), Stage.DAY, at)


def has_free_points(state: DynamiteState, team: Team) -> bool:
    """Whether a team can pay for one more confrontation."""
    return PRICE * (len(declared(state, team)) + 1) <= state.points_of(team)


def require_mafia(own: Player) -> None:
    """Reject an action by a townie; raises NotMafia."""
    if not own.is_mafia:
        raise NotMafia("a townie confronts nobody")


def mates_alive(state: DynamiteState, own: Player) -> set[SeatNo]:
    """Return the living members of a player's team, the player included."""
    return {player.no for player in state.team(own.team) if player.is_alive}


def _causes(state: DynamiteState) -> dict[SeatNo, tuple[Cause, ...]]:
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


def _with_records(state: DynamiteState) -> DynamiteState:
    """Store each attacker's target."""
    for player in state.living:
        if player.target is not None:
            nights = (*player.nights, (state.round, player.target))
            state = state.with_member(replace(player, nights=nights))
    return state
