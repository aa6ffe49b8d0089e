"""A day: votes that may be changed, and the lynching that ends it.
Source: docs/rules/agora.md "Day".
"""

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.agora.rules import deaths
from games.mafia.agora.rules.actions import Vote
from games.mafia.agora.rules.facts import NobodyLynched
from games.mafia.agora.rules.state import AgoraState, Cause, Citizen, DayRecord, Reason
from games.mafia.common.rules.ballots import NOBODY, Choice, carried
from games.mafia.common.rules.facts import Voted
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.state import (
    count_choices,
    count_quiet,
    next_phase,
    require_choice,
)


def vote(state: AgoraState, own: Citizen, action: Vote, at: Instant) -> Step[AgoraState]:
    """Set a citizen's vote; a majority ends the day.  Raises BadTarget."""
    if action.choice is not None:
        require_choice(state, action.choice)
    if action.choice == own.vote:
        return Step(state)
    state = state.with_member(replace(own, vote=action.choice))
    return Step(state, (Told(Voted(own.no, action.choice)),)).then(lambda now: count(now, at))


def count(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """End the day if a majority of the living has the same vote."""
    living = state.living
    choice = carried([citizen.vote for citizen in living], len(living))
    return Step(state) if choice is None else end_day(state, choice, at)


def end_day(state: AgoraState, choice: Choice | None, at: Instant) -> Step[AgoraState]:
    """End the day by a lynching, by the wish for none, or (None) without a majority."""
    state = count_choices(state)
    lynched = None if choice is None or choice == NOBODY else SeatNo(int(choice))
    votes = tuple((citizen.no, citizen.vote) for citizen in state.living)
    state = replace(state, last_day=DayRecord(state.round, votes, lynched))
    if lynched is None:
        step = Step(state, (Told(NobodyLynched(state.round, choice == NOBODY)),))
    else:
        step = deaths.die(state, lynched, Cause.LYNCHED)
    return deaths.end_or_go_on(step, lambda after: _begin_night(after, at))


def _begin_night(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """Begin the next night, or end a game that has had no death for too long."""
    state = count_quiet(state)
    if state.quiet_phases >= 2 * state.options.quiet_limit:
        return deaths.end(state, Reason.QUIET)
    return next_phase(replace(state, round=state.round + 1), Stage.NIGHT, at)
