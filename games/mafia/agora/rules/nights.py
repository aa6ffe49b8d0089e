"""A night: choices that may change until it ends, the check-in, and the effects of the choices.

Source: docs/rules/agora.md "Night".
"""

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.agora.rules import deaths, turning
from games.mafia.agora.rules.actions import Choose
from games.mafia.agora.rules.errors import ChoiceFinal, NoNightAction
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
from games.mafia.common.rules import gathering
from games.mafia.common.rules.actions import Done, Undone
from games.mafia.common.rules.ballots import NOBODY
from games.mafia.common.rules.gathering import check_in, count_choices, require_choice


def choose(state: AgoraState, own: Citizen, action: Choose, at: Instant) -> Step[AgoraState]:
    """Set a citizen's night choice; an agent's choice turns the file round at once.

    Raises:
        NoNightAction: this role has no night action.
        ChoiceFinal: the agent has turned a file round tonight.
        BadTarget: there is no living citizen on that seat.
    """
    if not own.has_night_action:
        raise NoNightAction("your role chooses nobody at night")
    if is_final(own):
        raise ChoiceFinal("the file is turned round, for this night")
    require_choice(state, action.target)
    choosing = with_role(state, Role.MAFIOSO) if own.role == Role.MAFIOSO else (own,)
    for citizen in choosing:
        state = state.with_member(replace(citizen, target=action.target))
    if own.role == Role.AGENT and action.target != NOBODY:
        state = _turn_round(state, SeatNo(int(action.target)))
    told = Told(TargetChosen(own.no, own.role, action.target), {c.no for c in choosing})
    return Step(state, (told,))


def done(state: AgoraState, own: Citizen, action: Done, at: Instant) -> Step[AgoraState]:
    """Check a citizen in for this night."""
    step = check_in(state, own, is_done=True)
    return Step(rearmed(step.state, at), step.events)


def undone(state: AgoraState, own: Citizen, action: Undone, at: Instant) -> Step[AgoraState]:
    """Withdraw the check-in."""
    step = check_in(state, own, is_done=False)
    return Step(rearmed(step.state, at), step.events)


def rearmed(state: AgoraState, at: Instant) -> AgoraState:
    """Return the state with its early end set while all the living are done, if options allow."""
    return gathering.rearmed(state, at, may_end_early=state.options.early_end)


def end_night(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """Apply all choices at once, also those of citizens who die of them."""
    state = count_choices(state)
    killed, saved = killed_and_saved(state)
    sheriffs = [(s.no, target_of([s])) for s in with_role(state, Role.SHERIFF)]
    state = _noted(state, killed)
    step = Step(state, (Told(NobodyDied(state.round)),))
    if killed is not None:
        step = deaths.die(state, killed, Cause.KILLED)
    reason = None if killed is None else deaths.reason_to_end(step.state)
    if reason is not None:
        return step.then(lambda after: deaths.end(after, reason))
    step = step.then(lambda after: _tell_saved(after, saved))
    for sheriff, target in sheriffs:
        step = step.then(lambda after, no=sheriff, on=target: _read_file(after, no, on))  # type: ignore[misc]
    return step.then(lambda after: turning.break_day(after, at))


def killed_and_saved(state: AgoraState) -> tuple[SeatNo | None, SeatNo | None]:
    """Return the citizen who is killed by the current choices, and the one who is saved."""
    target = target_of(with_role(state, Role.MAFIOSO))
    if target is not None and target == target_of(with_role(state, Role.DOCTOR)):
        return None, target
    return target, None


def _turn_round(state: AgoraState, no: SeatNo) -> AgoraState:
    target = state.citizen(no)
    assert target is not None
    return state.with_member(replace(target, is_file_mafia=not target.is_file_mafia))


def _noted(state: AgoraState, killed: SeatNo | None) -> AgoraState:
    """Store the public record of the night, and each chooser's own choice."""
    for citizen in state.living:
        if citizen.has_night_action:
            chosen = NOBODY if citizen.target is None else citizen.target
            nights = (*citizen.nights, (state.round, chosen))
            state = state.with_member(replace(citizen, nights=nights))
    return replace(state, last_night=NightRecord(state.round, killed))


def _tell_saved(state: AgoraState, saved: SeatNo | None) -> Step[AgoraState]:
    citizen = None if saved is None else state.citizen(saved)
    if citizen is None:
        return Step(state)
    state = state.with_member(replace(citizen, saved=(*citizen.saved, state.round)))
    return Step(state, (Told(SavedByDoctor(citizen.no), {citizen.no}),))


def _read_file(state: AgoraState, no: SeatNo, on: SeatNo | None) -> Step[AgoraState]:
    """Tell a living sheriff the content of the file, even if its citizen is dead or has left."""
    sheriff, target = state.citizen(no), None if on is None else state.citizen(on)
    if sheriff is None or not sheriff.is_alive or target is None:
        return Step(state)
    read = (*sheriff.read_files, (state.round, target.no, target.is_file_mafia))
    state = state.with_member(replace(sheriff, read_files=read))
    return Step(state, (Told(FileRead(no, target.no, target.is_file_mafia), {no}),))
