"""A night: choices that may change until it ends, the check-in, and the effects of the choices.
Source: docs/rules/agora.md "Night".
"""

from collections.abc import Sequence
from functools import partial

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.agora.rules import deaths
from games.mafia.agora.rules.actions import ChoiceFinal, Choose, NoNightAction
from games.mafia.agora.rules.facts import FileRead, NobodyDied, SavedByDoctor, TargetChosen
from games.mafia.agora.rules.legal import is_final
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import (
    AgoraState,
    Cause,
    Citizen,
    NightRecord,
    target_of,
    with_role,
)
from games.mafia.common.rules.ballots import NOBODY
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.state import (
    count_choices,
    count_quiet,
    next_phase,
    require_choice,
)


def choose(state: AgoraState, own: Citizen, action: Choose, at: Instant) -> Step[AgoraState]:
    """Set a citizen's night choice; an agent's choice turns the file round at once. Raises
    NoNightAction: this role has no night action; ChoiceFinal: the agent has turned a file round
    tonight; BadTarget: there is no living citizen on that seat.
    """
    if not own.has_night_action:
        raise NoNightAction("your role chooses nobody at night")
    if is_final(own):
        raise ChoiceFinal("the file is forged, for this night")
    require_choice(state, action.target)
    choosing = with_role(state, Role.MAFIOSO) if own.role == Role.MAFIOSO else (own,)
    for citizen in choosing:
        state = state.with_member(replace(citizen, target=action.target))
    if own.role == Role.AGENT and action.target != NOBODY:
        on = state.member(int(action.target))
        assert on is not None
        state = state.with_member(replace(on, is_file_mafia=not on.is_file_mafia))
    told = Told(TargetChosen(own.no, own.role, action.target), {c.no for c in choosing})
    return Step(state, (told,))


def end_night(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """Apply all choices at once, also those of citizens who die of them."""
    state = count_choices(state)
    target = target_of(with_role(state, Role.MAFIOSO))
    is_saved = target is not None and target == target_of(with_role(state, Role.DOCTOR))
    killed, saved = (None, target) if is_saved else (target, None)
    sheriffs = [(s.no, target_of([s])) for s in with_role(state, Role.SHERIFF)]
    state = _with_records(state, killed)
    if killed is None:
        step = Step(state, (Told(NobodyDied(state.round)),))
    else:
        step = deaths.die(state, killed, Cause.KILLED)
    return deaths.end_or_go_on(step, lambda after: _begin_day(after, saved, sheriffs, at))


def _begin_day(
    state: AgoraState,
    saved: SeatNo | None,
    sheriffs: Sequence[tuple[SeatNo, SeatNo | None]],
    at: Instant,
) -> Step[AgoraState]:
    """Tell what the night has shown, and begin the day. ``sheriffs``: each sheriff with the seat
    whose file it reads.
    """
    step = _tell_saved(state, saved)
    for no, target in sheriffs:
        step = step.then(partial(_read_file, no=no, on=target))
    return step.then(lambda after: next_phase(count_quiet(after), Stage.DAY, at))


def _with_records(state: AgoraState, killed: SeatNo | None) -> AgoraState:
    """Store the public record of the night, and each chooser's own choice."""
    for citizen in state.living:
        if citizen.has_night_action:
            chosen = NOBODY if citizen.target is None else citizen.target
            nights = (*citizen.nights, (state.round, chosen))
            state = state.with_member(replace(citizen, nights=nights))
    return replace(state, last_night=NightRecord(state.round, killed))


def _tell_saved(state: AgoraState, saved: SeatNo | None) -> Step[AgoraState]:
    citizen = None if saved is None else state.member(saved)
    if citizen is None:
        return Step(state)
    state = state.with_member(replace(citizen, saved=(*citizen.saved, state.round)))
    return Step(state, (Told(SavedByDoctor(citizen.no), {citizen.no}),))


def _read_file(state: AgoraState, no: SeatNo, on: SeatNo | None) -> Step[AgoraState]:
    """Tell a living sheriff the content of the file, even if its citizen is dead or has left."""
    sheriff, target = state.member(no), None if on is None else state.member(on)
    if sheriff is None or not sheriff.is_alive or target is None:
        return Step(state)
    read = (*sheriff.read_files, (state.round, target.no, target.is_file_mafia))
    state = state.with_member(replace(sheriff, read_files=read))
    return Step(state, (Told(FileRead(no, target.no, target.is_file_mafia), {no}),))
