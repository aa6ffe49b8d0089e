"""The transitions from night to day and from day to night.

Source: docs/rules/agora.md "Phases".
"""

from games.engine.facts import Instant, Step
from games.engine.structs import replace
from games.mafia.agora.rules import deaths
from games.mafia.agora.rules.state import AgoraState, Reason
from games.mafia.common.rules.gathering import count_quiet, next_phase
from games.mafia.common.rules.phases import Stage


def break_day(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """Begin the day after a night."""
    return next_phase(count_quiet(state), Stage.DAY, at)


def fall_night(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """Begin the next night, or end a game that has had no death for too long."""
    state = count_quiet(state)
    if deaths.is_too_quiet(state):
        return deaths.end(state, Reason.QUIET)
    return next_phase(replace(state, round=state.round + 1), Stage.NIGHT, at)
