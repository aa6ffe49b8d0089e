"""Nights and days: choices, votes, deaths, and the end of the game.
Source: docs/rules/agora.md "Night", "Day", "Winning and points".
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from games.engine.errors import refuse
from games.engine.facts import Instant, Points, SeatNo, Step, Told
from games.engine.structs import replace
from games.mafia.agora.rules.actions import Choose, Vote, is_final
from games.mafia.agora.rules.roles import Role, Side
from games.mafia.agora.rules.state import (
    AgoraState,
    Cause,
    Citizen,
    CitizenDied,
    DayRecord,
    FileRead,
    GameEnded,
    NightRecord,
    NobodyDied,
    NobodyLynched,
    Reason,
    Result,
    RoleLearned,
    SavedByDoctor,
    TargetChosen,
    target_of,
    with_role,
)
from games.mafia.common.rules.actions import Leave
from games.mafia.common.rules.facts import AwardEarned, Voted
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import NOBODY, Choice, carried
from games.mafia.common.rules.state import (
    after_death,
    closed,
    count_choices,
    count_quiet,
    next_phase,
    read_will,
    rearmed,
    require_choice,
)

#: Reason -> the winning side.
WINNERS: Final = {Reason.MAFIA_DEAD: Side.TOWN, Reason.MAFIA_EQUAL: Side.MAFIA}
#: The roles whose choice becomes NOBODY when its target leaves.  A file can still be read, and a
#: file that was forged stays so.
LAPSING: Final = frozenset({Role.DOCTOR, Role.MAFIOSO})


def choose(state: AgoraState, own: Citizen, action: Choose, at: Instant) -> Step[AgoraState]:
    """Set a citizen's night choice; an agent's choice turns the file round at once. Raises
    action/no_night_action, action/choice_final, action/bad_target.
    """
    if not own.has_night_action:
        refuse("action/no_night_action", "your role chooses nobody at night")
    if is_final(own):
        refuse("action/choice_final", "the file is forged, for this night")
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
        step = die(state, killed, Cause.KILLED)
    return end_or_go_on(step, lambda after: _begin_day(after, saved, sheriffs, at))


def _begin_day(
    state: AgoraState,
    saved: SeatNo | None,
    sheriffs: Sequence[tuple[SeatNo, SeatNo | None]],
    at: Instant,
) -> Step[AgoraState]:
    """Tell the saved citizen, and each sheriff the file that it reads; begin the day."""
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


def vote(state: AgoraState, own: Citizen, action: Vote, at: Instant) -> Step[AgoraState]:
    """Set a citizen's vote; a majority ends the day. Raises action/bad_target."""
    if action.choice is not None:
        require_choice(state, action.choice)
    if action.choice == own.vote:
        return Step(state)
    state = state.with_member(replace(own, vote=action.choice))
    return Step(state, (Told(Voted(own.no, action.choice)),)).then(lambda now: _count(now, at))


def _count(state: AgoraState, at: Instant) -> Step[AgoraState]:
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
        step = die(state, lynched, Cause.LYNCHED)
    return end_or_go_on(step, lambda after: _begin_night(after, at))


def _begin_night(state: AgoraState, at: Instant) -> Step[AgoraState]:
    """Begin the next night, or end a game that has had no death for too long."""
    state = count_quiet(state)
    if state.quiet_phases >= 2 * state.options.quiet_limit:
        return end(state, Reason.QUIET)
    return next_phase(replace(state, round=state.round + 1), Stage.NIGHT, at)


def leave(state: AgoraState, own: Citizen, action: Leave, at: Instant) -> Step[AgoraState]:
    """Kill a citizen who leaves, and withdraw what others chose of it; the phase may end."""
    go_on = _withdraw_choices if state.stage == Stage.NIGHT else _withdraw_votes
    return end_or_go_on(die(state, own.no, Cause.LEFT), partial(go_on, gone=own.no, at=at))


def _withdraw_choices(state: AgoraState, gone: SeatNo, at: Instant) -> Step[AgoraState]:
    for citizen in state.living:
        if citizen.target == gone and citizen.role in LAPSING:
            state = state.with_member(replace(citizen, target=NOBODY))
    return Step(rearmed(state, at))


def _withdraw_votes(state: AgoraState, gone: SeatNo, at: Instant) -> Step[AgoraState]:
    voters = [citizen for citizen in state.living if citizen.vote == gone]
    for citizen in voters:
        state = state.with_member(replace(citizen, vote=None))
    told = tuple(Told(Voted(citizen.no, None)) for citizen in voters)
    return Step(state, told).then(lambda now: _count(now, at))


def die(state: AgoraState, no: SeatNo, cause: Cause) -> Step[AgoraState]:
    """Kill a citizen, announce the death and the will; a living detective learns the role. Raises
    ValueError if nobody lives on that seat.
    """
    dying = state.member(no)
    if dying is None or not dying.is_alive:
        raise ValueError(f"nobody lives on seat {no}")
    dead = replace(after_death(state, dying, has_left=cause == Cause.LEFT), cause=cause)
    state = replace(state.with_member(dead), has_seen_death=True)
    role = dead.role if state.options.reveal_on_death else None
    announced = Step(state, (Told(CitizenDied(no, cause, role)),))
    return announced.then(lambda now: read_will(now, dying)).then(lambda now: _learn(now, dead))


def _learn(state: AgoraState, dead: Citizen) -> Step[AgoraState]:
    told: tuple[Told, ...] = ()
    for detective in with_role(state, Role.DETECTIVE):
        learned = (*detective.learned, (dead.no, dead.role))
        state = state.with_member(replace(detective, learned=learned))
        told = (*told, Told(RoleLearned(detective.no, dead.no, dead.role), {detective.no}))
    return Step(state, told)


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
    awards = _awards(state, winner)
    over = replace(closed(state), result=Result(reason, winner, awards))
    ended = Told(GameEnded(reason, winner, state.roles))
    earned = tuple(Told(AwardEarned(no, points, points)) for no, points in awards)
    return Step(over, (ended, *earned))


def _awards(state: AgoraState, winner: Side | None) -> tuple[tuple[SeatNo, Points], ...]:
    """Return the award on either axis of each of the winning side, dead or alive: the threshold
    divided by the size of that side, rounded down. Who left counts in the size and gets nothing.
    """
    side = [citizen for citizen in state.citizens if citizen.side == winner]
    each = Points(state.options.threshold // len(side)) if side else Points(0)
    return tuple((c.no, each) for c in side if not c.has_left) if each else ()
