"""What follows by itself: countdowns, seats that fall free, a quiet table's end."""

from __future__ import annotations

from typing import Any

from games.kernel.contract import Rules
from games.kernel.facts import Instant, SeatNo, Step, Told
from games.kernel.structs import replace
from games.kernel.table.facts import MatchClosed, StartCancelled, StartScheduled, Stood
from games.kernel.table.state import (
    CLOSED,
    COUNTDOWN,
    NOT_READY_LIMIT,
    OVER,
    RUNNING,
    State,
    TableSeat,
    join,
    with_seat,
)


def act(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    """Let the clock act: a turn's, the countdown's, that of unready seats or quiet tables."""
    if state.stage == RUNNING:
        return carry(rules, state, rules.on_deadline(state.play, at))
    if state.start_at is not None and state.start_at <= at:
        return Step(replace(state, start_at=None, starting=True))
    if state.close_at <= at:
        return close(rules, state, "quiet")
    return stand_up_unready(rules, state, at)


def count_down(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    """Set or stop the countdown and the limit for the one who is not ready."""
    unready = [seat for seat in state.taken if not seat.ready]
    waiting = len(unready) == 1 and len(state.taken) >= rules.min_seats
    stand_up_at = (state.stand_up_at or Instant(at + NOT_READY_LIMIT)) if waiting else None
    state = replace(state, stand_up_at=stand_up_at)
    enough = len(state.taken) >= rules.min_seats and not unready
    if not enough or all(seat.bot for seat in state.taken):
        cancelled = (Told(StartCancelled()),) if state.start_at is not None else ()
        return Step(replace(state, start_at=None), cancelled)
    if len(state.taken) == len(state.seats):
        return Step(replace(state, start_at=None, starting=True))
    start_at = Instant(at + COUNTDOWN)
    return Step(replace(state, start_at=start_at), (Told(StartScheduled(start_at)),))


def stand_up_unready(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    """Free the seats of those who were not ready in time."""
    step: Step[State] = Step(replace(state, stand_up_at=None, kept_until=None))
    for seat in state.taken:
        if not seat.ready and step.state.seats[seat.no].taken:
            step = join(step, vacate(rules, step.state, seat.no, "not_ready", at))
    return step


def vacate(rules: Rules[Any], state: State, seat: SeatNo, reason: str, at: Instant) -> Step[State]:
    """Free a seat; with the last person the bots go too."""
    state = with_seat(state, TableSeat(seat))
    events = [Told(Stood(seat, reason))]
    if all(other.bot for other in state.taken):
        events += [Told(Stood(other.no, "alone")) for other in state.taken]
        state = replace(state, seats=tuple(TableSeat(s.no) for s in state.seats))
    return join(Step(state, tuple(events)), count_down(rules, state, at))


def close(rules: Rules[Any], state: State, reason: str) -> Step[State]:
    """Close a table at which no game is played."""
    closed = replace(state, stage=CLOSED, starting=False, start_at=None)
    return Step(closed, (Told(MatchClosed(reason)),))


def carry(rules: Rules[Any], state: State, step: Step[Any]) -> Step[State]:
    """Carry a step of the game over to its table."""
    stage = OVER if rules.is_over(step.state) else RUNNING
    return Step(replace(state, stage=stage, play=step.state), step.events)
