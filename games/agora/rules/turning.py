"""From night to day and from day to night.

Source: docs/rules/agora.md "Phases".
"""

from __future__ import annotations

from games.agora.rules import deaths
from games.agora.rules.facts import DayBegan, NightBegan
from games.agora.rules.state import AgoraState, Citizen, Reason
from games.kernel.facts import Instant, Step, Told
from games.kernel.structs import replace
from games.mafia.rules.phases import Stage, started
from games.mafia.rules.roster import in_next_phase


def count_quiet(state: AgoraState) -> AgoraState:
    """Count a phase that ends, if nobody died in it."""
    quiet = 0 if state.has_seen_death else state.quiet_phases + 1
    return replace(state, quiet_phases=quiet, has_seen_death=False)


def break_day(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """Begin the day after a night."""
    day = _next(count_quiet(state), Stage.DAY, at)
    return Step(day, (Told(DayBegan(day.round, day.clock.ends_at)),))


def fall_night(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """Begin the next night, or end a game in which nobody dies any more."""
    state = count_quiet(state)
    if deaths.is_too_quiet(state):
        return deaths.end(state, Reason.QUIET)
    night = _next(replace(state, round=state.round + 1), Stage.NIGHT, at)
    return Step(night, (Told(NightBegan(night.round, night.clock.ends_at)),))


def _next(state: AgoraState, stage: Stage, at: Instant) -> AgoraState:
    return replace(
        state,
        citizens=tuple(_fresh(citizen) for citizen in state.citizens),
        stage=stage,
        phase=state.phase + 1,
        clock=started(at, state.options.phase_milliseconds),
    )


def _fresh(citizen: Citizen) -> Citizen:
    return replace(in_next_phase(citizen), vote=None, target=None)
