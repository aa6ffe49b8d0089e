"""Throws: hands come in secretly, are revealed together, and count or do not count.

Source: docs/rules/duel.md, "A throw" and "The clock".
"""

from typing import ClassVar

from games.duel.rules.actions import Throw
from games.duel.rules.facts import HandChosen, HandIn, HandsRevealed, ThrowStarted, ThrowVoided
from games.duel.rules.hands import BEATS, Hand
from games.duel.rules.settling import abandon, end_by_wins
from games.duel.rules.state import (
    MOST_THROWS_SHOWN,
    DuelState,
    SeatState,
    ThrowRecord,
    with_clock,
    with_seat,
)
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.structs import replace


class AlreadyThrown(IllegalAction):
    """The seat's hand is in, and cannot be changed."""

    code: ClassVar[str] = "action/already_thrown"


def start_throw(state: DuelState, at: Instant) -> Step[DuelState]:
    """Begin the next throw, without hands and with a full clock."""
    first, second = (replace(seat, hand=None) for seat in state.seats)
    following = replace(state, seats=(first, second), throw=state.throw + 1, phase=state.phase + 1)
    following, due_at = with_clock(following, at)
    return Step(following, (Told(ThrowStarted(following.throw, due_at)),))


def throw(state: DuelState, seat: SeatState, action: Throw, at: Instant) -> Step[DuelState]:
    """Store a seat's hand; with both in, resolve the throw.  Raises AlreadyThrown."""
    if seat.hand is not None:
        raise AlreadyThrown("your hand is in already", throw=state.throw)
    step = Step(
        with_seat(state, replace(seat, hand=action.hand)),
        (Told(HandChosen(seat.no, action.hand), {seat.no}), Told(HandIn(seat.no))),
    )
    if state.opponent(seat).hand is None:
        return step
    return step.then(lambda both_in: resolve(both_in, at))


def resolve(state: DuelState, at: Instant) -> Step[DuelState]:
    """Reveal the hands, count the throw, and go on or end.

    With one hand in, its owner gets the win; with none, the throw is void.
    """
    first, second = state.seats
    winners = winners_of(first.hand, second.hand, no_ties=state.options.no_ties)
    record = ThrowRecord(state.throw, (first.hand, second.hand), winners, bool(winners))
    is_void = first.hand is None and second.hand is None
    counted = _count(state, record, is_void=is_void)
    fact = ThrowVoided(state.throw) if is_void else _reveal(counted, record)
    return Step(counted, (Told(fact),)).then(lambda shown: _go_on(shown, at))


def winners_of(first: Hand | None, second: Hand | None, *, no_ties: bool) -> tuple[SeatNo, ...]:
    """Return the seats that get a win; empty if the throw does not count.

    A missing hand (None) loses to any other.
    """
    if first == second:
        return () if no_ties or first is None else (SeatNo(0), SeatNo(1))
    if second is None or (first is not None and BEATS[first] == second):
        return (SeatNo(0),)
    return (SeatNo(1),)


def _count(state: DuelState, record: ThrowRecord, *, is_void: bool) -> DuelState:
    first, second = (
        replace(seat, wins=seat.wins + (seat.no in record.winners)) for seat in state.seats
    )
    return replace(
        state,
        seats=(first, second),
        uncounted=0 if record.counted else state.uncounted + 1,
        voids=0 if record.counted else state.voids + is_void,
        throws=(*state.throws, record)[-MOST_THROWS_SHOWN:],
    )


def _reveal(state: DuelState, record: ThrowRecord) -> HandsRevealed:
    first, second = state.seats
    return HandsRevealed(
        throw=record.throw,
        hands=record.hands,
        winners=record.winners,
        counted=record.counted,
        wins=(first.wins, second.wins),
    )


def _go_on(state: DuelState, at: Instant) -> Step[DuelState]:
    """End the duel if it is decided or makes no progress, else begin the next throw."""
    # The hands are revealed: only a running throw may have a secret hand.
    first, second = (replace(seat, hand=None) for seat in state.seats)
    state = replace(state, seats=(first, second))
    if max(first.wins, second.wins) >= state.options.wins_needed:
        return end_by_wins(state)
    if state.voids >= state.options.void_limit or state.uncounted >= state.options.uncounted_limit:
        return abandon(state)
    return start_throw(state, at)
