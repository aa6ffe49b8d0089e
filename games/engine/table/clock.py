"""Deadlines of a table: countdowns, unready seats, the end of a quiet table.
Source: docs/explanation/decisions/tables.md.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.protocols import Rules
from games.engine.structs import replace
from games.engine.table.facts import (
    BecameUnready,
    MatchClosed,
    SaltMissing,
    SaltsDropped,
    StartCancelled,
    StartMissed,
    StartScheduled,
    Stood,
)
from games.engine.table.state import (
    CLOSED,
    COUNTDOWN,
    EMPTY_LIMIT,
    NOT_READY_LIMIT,
    QUICK_COUNTDOWN,
    QUIET_LIMIT,
    REVEAL_LIMIT,
    RUNNING,
    State,
    TableSeat,
    carry,
    is_quick,
    join,
    with_seat,
)


def act(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    """Apply the deadline of a turn, the countdown, unready seats or a quiet table."""
    if state.stage == RUNNING:
        return carry(rules, state, rules.on_deadline(state.play, at))
    if state.start_at is not None and state.start_at <= at:
        if state.earliest_at is not UNSET:
            return _give_up_salts(rules, state, at)
        return Step(replace(state, start_at=None, starting=True))
    if state.close_at <= at:
        return close(rules, state, "quiet")
    if state.begins_at is not UNSET and state.begins_at <= at:
        return keep_appointment(rules, state, at)
    if state.lapses_at is not None and state.lapses_at <= at:
        ready = [seat for seat in state.seats if seat.ready]
        lapsed = [s.no for s in ready if s.ready_until is not UNSET and s.ready_until <= at]
        return ask_again(rules, state, lapsed, "lapsed", at)
    return stand_up_unready(rules, state, at)


def ask_again(
    rules: Rules[Any], state: State, seats: Sequence[SeatNo], reason: str, at: Instant
) -> Step[State]:
    """Make seats unready, so that their people must press again."""
    unready = _unready(state, seats, reason)
    return join(unready, count_down(rules, unready.state, at))


def _unready(state: State, seats: Sequence[SeatNo], reason: str) -> Step[State]:
    for seat in seats:
        state = with_seat(state, replace(state.seats[seat], ready=False))
    return Step(state, tuple(Told(BecameUnready(seat, reason)) for seat in seats))


def keep_appointment(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    """Start at the appointed instant with the ready seats; if they are too few, the table stays
    open and starts as any other.
    """
    ready = [seat for seat in state.taken if seat.ready]
    if len(ready) >= rules.min_seats and not all(seat.bot for seat in ready):
        step = stand_up_unready(rules, state, at)
        begun = replace(step.state, begins_at=UNSET, starting=True)
        for seat in begun.taken:
            if seat.owes_salt:
                begun = with_seat(begun, replace(seat, salt_hash=UNSET))
        return Step(begun, step.events)
    state = replace(state, begins_at=UNSET, close_at=Instant(at + QUIET_LIMIT))
    missed = Step(state, (Told(StartMissed(len(ready), rules.min_seats)),))
    return join(missed, count_down(rules, state, at))


def count_down(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    """Set or stop the countdown, and the deadline of the last unready person. A table with an
    appointment waits for it: salts come with readiness, and none of a ready seat is dropped.
    """
    if state.begins_at is not UNSET:
        kept = _drop_salts(state, [seat for seat in state.seats if not seat.ready])
        asking = kept.state.needs_log
        return Step(replace(kept.state, starting=asking, start_at=None), kept.events)
    fresh = _drop_salts(state, state.seats)
    return join(fresh, _count_down(rules, fresh.state, at))


def _count_down(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    unready = [seat for seat in state.taken if not seat.ready]
    # Bots can wait: a person alone with bots has no deadline.
    waiting = len(unready) == 1 and len(state.people) > 1
    counted = state.start_at if state.earliest_at is UNSET else state.earliest_at
    stand_up_at = (state.stand_up_at or Instant(at + NOT_READY_LIMIT)) if waiting else None
    state = replace(state, stand_up_at=stand_up_at, earliest_at=UNSET, awaits_log=UNSET)
    enough = len(state.taken) >= rules.min_seats and not unready
    if not enough or not state.people:
        cancelled = (Told(StartCancelled()),) if state.start_at is not None else ()
        return Step(replace(state, start_at=None), cancelled)
    start_at = _earliest_start(rules, state, at)
    if state.needs_log:
        return Step(replace(state, start_at=None, starting=True))
    if is_quick(state.options) and counted is not None:
        start_at = min(start_at, counted)  # a salt does not begin the countdown again
    if any(seat.owes_salt for seat in state.taken):
        # Nobody waits for long: the game starts when the last salt is there.
        state = replace(state, earliest_at=start_at)
        start_at = Instant(max(start_at, at + REVEAL_LIMIT))
    if start_at <= at:
        return Step(replace(state, start_at=None, starting=True))
    return Step(replace(state, start_at=start_at), (Told(StartScheduled(start_at)),))


def _drop_salts(state: State, seats: Sequence[TableSeat]) -> Step[State]:
    """Drop those salts that others know before the start is certain, and all of unready seats: else
    somebody who knows the seed could add one more, or none, until a draw suits.
    """
    spent = [seat for seat in seats if seat.salt is not UNSET]
    for seat in seats:
        if not seat.ready and seat.salt_hash is not UNSET:
            state = with_seat(state, replace(seat, salt_hash=UNSET, salt=UNSET))
        elif seat.salt is not UNSET:
            state = with_seat(state, replace(seat, salt_hash="", salt=UNSET))
    told = (Told(SaltsDropped(tuple(seat.no for seat in spent))),) if spent else ()
    return Step(state, told)


def _give_up_salts(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    """Make the seats unready whose programs have not revealed their salt in time."""
    late = [seat for seat in state.taken if seat.owes_salt]
    # While a hash is missing nobody else may reveal.
    missing = [seat for seat in late if seat.owes_hash] or late
    for seat in missing:
        state = with_seat(state, replace(seat, ready=False))
    told = tuple(Told(SaltMissing(seat.no)) for seat in missing)
    return join(Step(state, told), count_down(rules, state, at))


def go_on(state: State, at: Instant) -> Step[State]:
    """Start, or shorten the countdown, once the last salt is revealed."""
    if state.earliest_at is UNSET or any(seat.owes_salt for seat in state.taken):
        return Step(state)
    start_at, state = state.earliest_at, replace(state, earliest_at=UNSET)
    if start_at <= at:
        return Step(replace(state, start_at=None, starting=True))
    return Step(replace(state, start_at=start_at), (Told(StartScheduled(start_at)),))


def _earliest_start(rules: Rules[Any], state: State, at: Instant) -> Instant:
    """Return the earliest start when all are ready: others must have time to see a newcomer."""
    if len(state.taken) < len(state.seats):
        return Instant(at + COUNTDOWN)
    if is_quick(state.options) and len(state.people) > 1:
        # Time to see who has come, and to stop it.
        return Instant(at + QUICK_COUNTDOWN)
    is_seen = _is_pair(rules) and not state.is_challenge
    if is_seen or state.sat_at is None or len(state.people) < 2:
        return at
    return Instant(max(at, state.sat_at + COUNTDOWN))


def _is_pair(rules: Rules[Any]) -> bool:
    """Whether the game is for two; then a player must see the only opponent first."""
    return rules.max_seats == 2


def look_again(rules: Rules[Any], state: State, moved: SeatNo, reason: str) -> Step[State]:
    """Make the other of a pair unready when somebody sits down or stands up: nobody stakes points
    against an unseen opponent. Not at a challenge, nor at a quick table.
    """
    if not _is_pair(rules) or state.is_challenge or is_quick(state.options):
        return Step(state)
    ready = [seat.no for seat in state.people if seat.ready and seat.no != moved]
    return _unready(state, ready, reason)


def unhurried(state: State) -> Any:
    """Return a game's initial options: clocks are slow (``clock_times``) while all other seats are
    bots.
    """
    options = state.options
    if len(state.people) == 1 or not hasattr(options, "clock_times"):
        return options
    return replace(options, clock_times=1)


def stand_up_unready(rules: Rules[Any], state: State, at: Instant) -> Step[State]:
    """Free the seats that were not ready in time."""
    step: Step[State] = Step(replace(state, stand_up_at=None, kept_until=None))
    for seat in state.taken:
        if not seat.ready and step.state.seats[seat.no].taken:
            step = join(step, vacate(rules, step.state, seat.no, "not_ready", at))
    return step


def vacate(rules: Rules[Any], state: State, seat: SeatNo, reason: str, at: Instant) -> Step[State]:
    """Free a seat; when no person is left, free the bots' seats too."""
    was_bot, is_spent = state.seats[seat].bot, state.seats[seat].salt is not UNSET
    newcomer = None if state.newcomer == seat else state.newcomer
    state = replace(with_seat(state, TableSeat(seat)), newcomer=newcomer)
    events = [Told(Stood(seat, reason)), *([Told(SaltsDropped((seat,)))] if is_spent else [])]
    if all(other.bot for other in state.taken):
        events += [Told(Stood(other.no, "alone")) for other in state.taken]
        empty = tuple(TableSeat(s.no) for s in state.seats)
        close_at = min(state.close_at, Instant(at + EMPTY_LIMIT))
        state = replace(state, seats=empty, close_at=close_at)
    elif not was_bot:
        looking = look_again(rules, state, seat, "stood")
        state, events = looking.state, [*events, *looking.events]
    return join(Step(state, tuple(events)), count_down(rules, state, at))


def close(rules: Rules[Any], state: State, reason: str) -> Step[State]:
    """Close a table at which no game is played."""
    closed = replace(state, stage=CLOSED, starting=False, start_at=None)
    return Step(closed, (Told(MatchClosed(reason)),))
