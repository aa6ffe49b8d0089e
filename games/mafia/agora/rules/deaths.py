"""Deaths, the end of a game, the winning side, and its awards.
Source: docs/rules/agora.md "Winning and points".
"""

from collections.abc import Callable
from typing import Final

from games.engine.facts import Points, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.agora.rules.facts import CitizenDied, GameEnded, RoleLearned
from games.mafia.agora.rules.roles import Role, Side
from games.mafia.agora.rules.state import AgoraState, Cause, Citizen, Reason, Result, with_role
from games.mafia.common.rules.facts import AwardEarned
from games.mafia.common.rules.state import after_death, closed, read_will

#: Reason -> the winning side.
WINNERS: Final = {Reason.MAFIA_DEAD: Side.TOWN, Reason.MAFIA_EQUAL: Side.MAFIA}


def die(state: AgoraState, no: SeatNo, cause: Cause) -> Step[AgoraState]:
    """Kill a living citizen, announce the death and the will; a living detective learns the role.
    Raises ValueError: there is no living citizen with that number.
    """
    dying = state.member(no)
    if dying is None or not dying.is_alive:
        raise ValueError(f"nobody lives on seat {no}")
    dead = replace(after_death(state, dying, has_left=cause == Cause.LEFT), cause=cause)
    state = replace(state.with_member(dead), has_seen_death=True)
    role = dead.role if state.options.reveal_on_death else None
    announced = Step(state, (Told(CitizenDied(no, cause, role)),))
    return announced.then(lambda now: read_will(now, dying)).then(lambda now: _learn(now, dead))


def end_or_go_on(
    step: Step[AgoraState], go_on: Callable[[AgoraState], Step[AgoraState]]
) -> Step[AgoraState]:
    """End the game if a side has won, else continue it by ``go_on``."""
    living = step.state.living
    mafia = sum(citizen.side == Side.MAFIA for citizen in living)
    if 0 < 2 * mafia < len(living):
        return step.then(go_on)
    reason = Reason.MAFIA_EQUAL if mafia else Reason.MAFIA_DEAD
    return step.then(lambda state: end(state, reason))


def end(state: AgoraState, reason: Reason) -> Step[AgoraState]:
    """End the game: announce the winner, all roles and each winner's award."""
    winner = WINNERS.get(reason)
    awards = awards_for(state, winner)
    over = replace(closed(state), result=Result(reason, winner, awards))
    ended = Told(GameEnded(reason, winner, roles_of(state)))
    earned = tuple(Told(AwardEarned(no, points, points)) for no, points in awards)
    return Step(over, (ended, *earned))


def awards_for(state: AgoraState, winner: Side | None) -> tuple[tuple[SeatNo, Points], ...]:
    """Return the award of each member of the winning side on either axis, dead or alive. An award
    is the threshold divided by the size of that side, rounded down.  Citizens who left count in the
    divisor and get nothing.  If the quotient is 0, nobody gets an award.
    """
    side = [citizen for citizen in state.citizens if citizen.side == winner]
    each = Points(state.options.threshold // len(side)) if side else Points(0)
    return tuple((c.no, each) for c in side if not c.has_left) if each else ()


def roles_of(state: AgoraState) -> tuple[tuple[SeatNo, Role], ...]:
    """Return the role of each citizen, in seat order."""
    return tuple((citizen.no, citizen.role) for citizen in state.citizens)


def _learn(state: AgoraState, dead: Citizen) -> Step[AgoraState]:
    told: tuple[Told, ...] = ()
    for detective in with_role(state, Role.DETECTIVE):
        learned = (*detective.learned, (dead.no, dead.role))
        state = state.with_member(replace(detective, learned=learned))
        told = (*told, Told(RoleLearned(detective.no, dead.no, dead.role), {detective.no}))
    return Step(state, told)
