"""How citizens die, who then wins, and what they are awarded.

Source: docs/rules/agora.md "Winning and points".
"""

from __future__ import annotations

from typing import Final

from games.engine.facts import Points, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.agora.rules.facts import CitizenDied, GameEnded, GameVoided, RoleLearned
from games.mafia.agora.rules.roles import Role, Side
from games.mafia.agora.rules.state import AgoraState, Cause, Citizen, Reason, Result, with_role
from games.mafia.common.rules.facts import AwardEarned
from games.mafia.common.rules.gathering import closed, fallen

#: Reason -> who then wins.
WINNERS: Final = {Reason.MAFIA_DEAD: Side.TOWN, Reason.MAFIA_EQUAL: Side.MAFIA}


def die(state: AgoraState, no: SeatNo, cause: Cause) -> Step[AgoraState]:
    """Let a living citizen die, which is announced; the living detective learns the role.

    Raises:
        ValueError: nobody of that number lives.
    """
    dying = state.citizen(no)
    if dying is None or not dying.is_alive:
        raise ValueError(f"nobody lives on seat {no}")
    dead = replace(fallen(state, dying, has_left=cause == Cause.LEFT), cause=cause)
    state = replace(state.with_member(dead), has_seen_death=True)
    role = dead.role if state.options.reveal_on_death else None
    return Step(state, (Told(CitizenDied(no, cause, role)),)).then(lambda now: _learn(now, dead))


def reason_to_end(state: AgoraState) -> Reason | None:
    """Return why the game is over now that somebody has died, None while it goes on."""
    mafia = sum(citizen.side == Side.MAFIA for citizen in state.living)
    if mafia == 0:
        return Reason.MAFIA_DEAD
    return Reason.MAFIA_EQUAL if 2 * mafia >= len(state.living) else None


def is_too_quiet(state: AgoraState) -> bool:
    """Whether so many nights and the days after them have passed in a row without a death."""
    return state.quiet_phases >= 2 * state.options.quiet_limit


def end(state: AgoraState, reason: Reason) -> Step[AgoraState]:
    """End the game: who won, who was what, and what each winner earned."""
    winner = WINNERS.get(reason)
    awards = awards_for(state, winner)
    over = replace(closed(state), result=Result(reason, winner, awards))
    ended = Told(GameEnded(reason, winner, roles_of(state)))
    earned = tuple(Told(AwardEarned(no, points, points)) for no, points in awards)
    return Step(over, (ended, *earned))


def void_game(state: AgoraState) -> Step[AgoraState]:
    """End the game as if it had not been; who was what is told all the same."""
    over = replace(closed(state), result=Result(Reason.VOID, None))
    return Step(over, (Told(GameVoided(roles_of(state))),))


def awards_for(state: AgoraState, winner: Side | None) -> tuple[tuple[SeatNo, Points], ...]:
    """Return what each of the winning side earns on either axis, dead or alive.

    It is the threshold divided by all of that side, rounded down; those who left count in the
    divisor and get nothing, and where it comes to nothing nobody earns anything.
    """
    side = [citizen for citizen in state.citizens if citizen.side == winner]
    each = Points(state.options.threshold // len(side)) if side else Points(0)
    return tuple((c.no, each) for c in side if not c.has_left) if each else ()


def roles_of(state: AgoraState) -> tuple[tuple[SeatNo, Role], ...]:
    """Return who is what, in seat order."""
    return tuple((citizen.no, citizen.role) for citizen in state.citizens)


def _learn(state: AgoraState, dead: Citizen) -> Step[AgoraState]:
    told: tuple[Told, ...] = ()
    for detective in with_role(state, Role.DETECTIVE):
        learned = (*detective.learned, (dead.no, dead.role))
        state = state.with_member(replace(detective, learned=learned))
        told = (*told, Told(RoleLearned(detective.no, dead.no, dead.role), {detective.no}))
    return Step(state, told)
