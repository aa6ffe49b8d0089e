"""Leaving the town: the citizen dies at once, and the phase goes on without that citizen.

Source: docs/rules/agora.md "Leaving".
"""

from typing import Final

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.agora.rules import days, deaths, nights
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState, Cause, Citizen
from games.mafia.common.rules.actions import Leave
from games.mafia.common.rules.ballots import NOBODY
from games.mafia.common.rules.facts import Voted
from games.mafia.common.rules.phases import Stage

#: The roles whose choice becomes NOBODY when its target leaves.  A file can still be read, and a
#: file that was turned round stays so.
UNDONE: Final = frozenset({Role.DOCTOR, Role.MAFIOSO})


def leave(state: AgoraState, own: Citizen, action: Leave, at: Instant) -> Step[AgoraState]:
    """Kill a citizen who leaves the town."""
    step = deaths.die(state, own.no, Cause.LEFT)
    reason = deaths.reason_to_end(step.state)
    if reason is not None:
        return step.then(lambda after: deaths.end(after, reason))
    if state.stage == Stage.NIGHT:
        return step.then(lambda after: Step(nights.rearmed(_unchosen(after, own.no), at)))
    return step.then(lambda after: _unvoted(after, own.no)).then(lambda now: days.count(now, at))


def _unchosen(state: AgoraState, gone: SeatNo) -> AgoraState:
    for citizen in state.living:
        if citizen.target == gone and citizen.role in UNDONE:
            state = state.with_member(replace(citizen, target=NOBODY))
    return state


def _unvoted(state: AgoraState, gone: SeatNo) -> Step[AgoraState]:
    told: tuple[Told, ...] = ()
    for citizen in state.living:
        if citizen.vote == gone:
            state = state.with_member(replace(citizen, vote=None))
            told = (*told, Told(Voted(citizen.no, None)))
    return Step(state, told)
