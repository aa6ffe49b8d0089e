"""The handlers of the house's actions: a start, a short purse, an outage, a void."""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import UNSET

from games.engine.draws import salted
from games.engine.errors import NotInPhase
from games.engine.facts import ClockPostponed, Instant, Points, SeatSetup, Step, Told
from games.engine.protocols import Rules
from games.engine.structs import replace
from games.engine.table import actions
from games.engine.table.clock import act, ask_again, close, count_down, unhurried, vacate
from games.engine.table.facts import (
    AwardsPaid,
    AwardsWithheld,
    BonusPaid,
    ClockResumed,
    ClockStalled,
    SaltsFrozen,
    SeatShort,
    SecretsLookedAt,
    StartScheduled,
)
from games.engine.table.people import take
from games.engine.table.state import (
    OPEN,
    RUNNING,
    VOID,
    State,
    carry,
    join,
    require_open,
    with_seat,
)


def sit_bot(rules: Rules[Any], state: State, action: actions.SitBot, at: Instant) -> Step[State]:
    """Seat a bot that was asked for."""
    require_open(state)
    step = take(rules, state, action.seat, action.purse, bot=True)
    return join(step, count_down(rules, step.state, at))


def seat_all(
    rules: Rules[Any], opened: State, salts: Mapping[int, str], bots: Collection[int] = ()
) -> State:
    """Return a new table with all seats taken and ready, each with the least purse; ``salts`` of
    seats are known from readiness elsewhere.
    """
    least = Points(rules.purse_limits(opened.options)[0])
    seats = tuple(
        replace(
            seat,
            taken=True,
            bot=seat.no in bots,
            purse=least,
            ready=True,
            salt=salts.get(seat.no) or UNSET,
        )
        for seat in opened.seats
    )
    return replace(opened, seats=seats)


def begin(rules: Rules[Any], state: State, action: actions.Begin, at: Instant) -> Step[State]:
    """Request the start of a game whose seats are all taken and ready; raises NotInPhase."""
    require_open(state)
    if not all(seat.taken and seat.ready for seat in state.seats):
        raise NotInPhase("not everybody is seated and ready")
    return Step(replace(state, starting=True))


def start(rules: Rules[Any], state: State, action: actions.Start, at: Instant) -> Step[State]:
    """Start the game: the purses have been collected."""
    warned = action.warned or ()
    seats = [SeatSetup(seat.no, seat.purse, seat.no in warned) for seat in state.taken]
    opened = rules.setup(unhurried(state), seats, salted(action.seed, state.salts), at)
    running = replace(state, stage=RUNNING, starting=False, stand_up_at=None, kept_until=None)
    running = replace(running, awaits_log=UNSET)
    frozen = (Told(SaltsFrozen(state.salts)),) if state.salts else ()
    return join(Step(running, frozen), carry(rules, running, opened))


def await_log(rules: Rules[Any], state: State, action: actions.Await, at: Instant) -> Step[State]:
    """Try the start again at an instant; no countdown is told before salts may be revealed."""
    waiting = replace(state, starting=False, start_at=action.due_at)
    if rules.holds_options:
        waiting = replace(waiting, awaits_log=True)
    return Step(waiting, () if state.needs_log else (Told(StartScheduled(action.due_at)),))


def ask_salts(
    rules: Rules[Any], state: State, action: actions.AskSalts, at: Instant
) -> Step[State]:
    """Open the time in which salts are revealed."""
    require_open(state)
    return count_down(rules, replace(state, starting=False, start_at=None, is_logged=True), at)


def ask(rules: Rules[Any], state: State, action: actions.Ask, at: Instant) -> Step[State]:
    """Ask people who pressed before the opponent came, and are not there, to get ready again."""
    require_open(state)
    return ask_again(rules, replace(state, starting=False), action.seats, "away", at)


def short(rules: Rules[Any], state: State, action: actions.Short, at: Instant) -> Step[State]:
    """Make seats unready whose purses could not be collected."""
    state = replace(state, starting=False)
    for seat, _ in action.seats:
        state = with_seat(state, replace(state.seats[seat], ready=False))
    told = tuple(Told(SeatShort(seat, missing)) for seat, missing in action.seats)
    return join(Step(state, told), count_down(rules, state, at))


def free(rules: Rules[Any], state: State, action: actions.Free, at: Instant) -> Step[State]:
    """Free seats whose sockets are gone, or whose people or bots may not play here."""
    step: Step[State] = Step(replace(state, starting=False))
    for seat in action.seats:
        if step.state.stage == OPEN and step.state.seats[seat].taken:
            step = join(step, vacate(rules, step.state, seat, action.reason, at))
    return step


def stall(rules: Rules[Any], state: State, action: actions.Stall, at: Instant) -> Step[State]:
    """Stop the clock after an outage."""
    return join(Step(state, (Told(ClockStalled()),)), postpone(rules, state, action, at))


def resume(rules: Rules[Any], state: State, action: actions.Resume, at: Instant) -> Step[State]:
    """Restart the clock, with time to come back."""
    return join(Step(state, (Told(ClockResumed()),)), postpone(rules, state, action, at))


def postpone(
    rules: Rules[Any],
    state: State,
    action: actions.Postpone | actions.Stall | actions.Resume,
    at: Instant,
) -> Step[State]:
    """Postpone all deadlines: each becomes the later of itself and ``due_at``."""
    due_at = action.due_at
    if state.stage == RUNNING:
        return carry(rules, state, rules.postpone(state.play, due_at))

    def later(instant: Instant | None) -> Instant | None:
        return None if instant is None else max(instant, due_at)

    for seat in state.seats:
        if seat.ready_until is not UNSET:
            state = with_seat(state, replace(seat, ready_until=max(seat.ready_until, due_at)))
    return Step(
        replace(
            state,
            close_at=max(state.close_at, due_at),
            start_at=later(state.start_at),
            stand_up_at=later(state.stand_up_at),
            kept_until=later(state.kept_until),
            begins_at=UNSET if state.begins_at is UNSET else max(state.begins_at, due_at),
        ),
        (Told(ClockPostponed(due_at)),),
    )


def bonus(rules: Rules[Any], state: State, action: actions.Bonus, at: Instant) -> Step[State]:
    """Record the win bonuses that were paid."""
    return Step(state, tuple(Told(BonusPaid(seat, amount)) for seat, amount in action.seats))


def award(rules: Rules[Any], state: State, action: actions.Award, at: Instant) -> Step[State]:
    """Record the awards that were paid, and those that were not."""
    facts = []
    if action.paid:
        facts.append(Told(AwardsPaid(action.paid, action.daily_limit, action.is_halved)))
    if action.withheld:
        facts.append(Told(AwardsWithheld(action.withheld, action.reason)))
    return Step(state, tuple(facts))


def looked(rules: Rules[Any], state: State, action: actions.Looked, at: Instant) -> Step[State]:
    """Announce at the end who looked at secrets."""
    return Step(state, tuple(Told(SecretsLookedAt(*look)) for look in action.looks))


def void(rules: Rules[Any], state: State, action: actions.Void, at: Instant) -> Step[State]:
    """Void the match and return all points; an open table closes."""
    if state.stage == OPEN:
        return close(rules, state, action.reason)
    if state.stage != RUNNING:
        raise NotInPhase("this match is over already")
    voided = rules.void(state.play)
    return Step(replace(state, stage=VOID, play=voided.state), voided.events)


def close_open(rules: Rules[Any], state: State, action: actions.Close, at: Instant) -> Step[State]:
    """Close a table at which no game has begun; raises NotInPhase."""
    require_open(state)
    return close(rules, state, action.reason)


def deadline(rules: Rules[Any], state: State, action: actions.Deadline, at: Instant) -> Step[State]:
    """Apply a deadline that has passed."""
    return act(rules, state, at)
