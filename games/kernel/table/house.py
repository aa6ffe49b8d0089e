"""What the house found out: a start, a short purse, an outage, a void."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.kernel.errors import NotInPhase
from games.kernel.facts import Event, Instant, Rules, SeatNo, SeatSetup, Step, replace
from games.kernel.table.clock import carry, close, count_down, vacate
from games.kernel.table.people import take
from games.kernel.table.state import (
    OPEN,
    RUNNING,
    VOID,
    TableState,
    join,
    require_open,
    with_seat,
)


def sit_bot(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Seat a bot that was asked for."""
    require_open(state)
    step = take(rules, state, raw["seat"], raw["purse"], bot=True)
    return join(step, count_down(rules, step.state, at))


def start(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Start the game: the purses have been collected."""
    seats = [SeatSetup(seat.no, seat.purse) for seat in state.taken]
    opened = rules.setup(state.options, seats, raw["seed"], at)
    running = replace(state, stage=RUNNING, starting=False, stand_up_at=None, kept_until=None)
    return carry(rules, running, opened)


def short(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Make those unready whose purses could not be collected."""
    state = replace(state, starting=False)
    events = []
    for seat, missing in raw["seats"]:
        state = with_seat(state, replace(state.seats[seat], ready=False))
        events.append(Event("seat_short", {"seat": seat, "missing": missing}))
    return join(Step(state, tuple(events)), count_down(rules, state, at))


def free(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Free seats whose sockets are gone, or whose bots do not play here."""
    step: Step[TableState] = Step(replace(state, starting=False))
    for seat in raw["seats"]:
        if step.state.stage == OPEN and step.state.seats[seat].taken:
            step = join(step, vacate(rules, step.state, SeatNo(seat), raw["reason"], at))
    return step


def stall(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Let the clock stand still after an outage."""
    return join(Step(state, (Event("clock_stalled", {}),)), postpone(rules, state, raw, at))


def resume(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Let the clock run again, with time to come back."""
    return join(Step(state, (Event("clock_resumed", {}),)), postpone(rules, state, raw, at))


def postpone(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Give time back: every instant becomes the later of itself and ``due_at``."""
    due_at = Instant(raw["due_at"])
    if state.stage == RUNNING:
        return carry(rules, state, rules.postpone(state.play, due_at))

    def later(instant: Instant | None) -> Instant | None:
        return None if instant is None else max(instant, due_at)

    return Step(
        replace(
            state,
            close_at=max(state.close_at, due_at),
            start_at=later(state.start_at),
            stand_up_at=later(state.stand_up_at),
            kept_until=later(state.kept_until),
        ),
        (Event("clock_postponed", {"due_at": due_at}),),
    )


def bonus(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Note the win bonuses that were paid."""
    paid = [Event("bonus_paid", {"seat": seat, "amount": n}) for seat, n in raw["seats"]]
    return Step(state, tuple(paid))


def looked(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Tell, at the end, who had looked at what was hidden."""
    told = [
        Event("secrets_looked_at", {"name": name, "at": looked_at, "reason": reason})
        for name, looked_at, reason in raw["looks"]
    ]
    return Step(state, tuple(told))


def void(
    rules: Rules[Any], state: TableState, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """End the match and give everything back; an open table closes."""
    if state.stage == OPEN:
        return close(rules, state, raw["reason"])
    if state.stage != RUNNING:
        raise NotInPhase("this match is over already")
    voided = rules.void(state.play)
    return Step(replace(state, stage=VOID, play=voided.state), voided.events)
