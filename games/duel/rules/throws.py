"""Throws, the suspension of a duel by agreement, its end and the payout of the stakes.
Source: docs/rules/duel.md, "A throw", "The clock", "Suspension", "The end", "Stakes".
"""

from typing import Any

from games.duel.rules.actions import Throw
from games.duel.rules.facts import (
    GameEnded,
    GameVoided,
    HandChosen,
    HandIn,
    HandsRevealed,
    PotAwarded,
    PurseReturned,
    Resumed,
    ResumptionReady,
    ResumptionWithdrawn,
    StakeRefunded,
    Suspended,
    SuspensionAsked,
    SuspensionWithdrawn,
    TaxTaken,
    ThrowStarted,
    ThrowVoided,
)
from games.duel.rules.state import (
    BEATS,
    MOST_THROWS_SHOWN,
    DuelState,
    Hand,
    Reason,
    Result,
    SeatState,
    Stage,
    ThrowRecord,
    with_seat,
)
from games.engine.errors import refuse
from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.stakes import share_stakes, told_points
from games.engine.structs import replace


def start_throw(state: DuelState, at: Instant) -> Step[DuelState]:
    """Begin the next throw with a full clock; no hand may be in."""
    due_at = Instant(at + state.options.clock_milliseconds)
    following = replace(state, throw=state.throw + 1, phase=state.phase + 1, due_at=due_at)
    return Step(following, (Told(ThrowStarted(following.throw, due_at)),))


def throw(state: DuelState, seat: SeatState, action: Throw, at: Instant) -> Step[DuelState]:
    """Store a seat's hand; with both in, resolve the throw. Raises action/already_thrown."""
    if seat.hand is not None:
        refuse("action/already_thrown", "your hand is in already", throw=state.throw)
    thrown = with_seat(state, replace(seat, hand=action.hand))
    facts = (Told(HandChosen(seat.no, action.hand), {seat.no}), Told(HandIn(seat.no)))
    if state.opponent(seat).hand is None:
        return Step(thrown, facts)
    resolved = resolve(thrown, at)
    return Step(resolved.state, facts + resolved.events)


def resolve(state: DuelState, at: Instant) -> Step[DuelState]:
    """Reveal the hands, count the throw, and go on or end: decided, without progress, or called
    off. With one hand in its owner wins; with none the throw is void.
    """
    options, hands = state.options, (state.seats[0].hand, state.seats[1].hand)
    is_off = None in hands and getattr(options, "quick", False) and _is_called_off(state)
    winners = () if is_off else winners_of(*hands, no_ties=options.no_ties)
    counted, is_void = bool(winners), hands == (None, None)
    # The hands are revealed: only a running throw may have a secret hand.
    first, second = state.seats
    first = replace(first, wins=first.wins + (0 in winners), hand=None)
    second = replace(second, wins=second.wins + (1 in winners), hand=None)
    record = ThrowRecord(state.throw, hands, winners, counted)
    shown = replace(
        state,
        seats=(first, second),
        uncounted=0 if counted else state.uncounted + 1,
        voids=0 if counted else state.voids + is_void,
        throws=(*state.throws, record)[-MOST_THROWS_SHOWN:],
    )
    wins = (first.wins, second.wins)
    if is_off:
        following = settle(shown, (), Reason.MISSED)
    elif first.wins == second.wins >= options.wins_needed:
        following = settle(shown, (), Reason.DRAW)
    elif max(wins) >= options.wins_needed:
        following = settle(shown, (SeatNo(wins.index(max(wins))),), Reason.WINS)
    elif shown.voids >= options.void_limit or shown.uncounted >= options.uncounted_limit:
        following = settle(shown, (), Reason.ABANDONED)
    else:
        following = start_throw(shown, at)
    revealed = HandsRevealed(state.throw, hands, winners, counted, wins)
    fact = Told(ThrowVoided(state.throw) if is_void else revealed)
    return Step(following.state, (fact, *following.events))


def _is_called_off(state: DuelState) -> bool:
    """Whether one side, not warned, misses the first throw of a quick duel."""
    missing = [seat for seat in state.seats if seat.hand is None]
    is_first = state.voids == state.throw - 1
    return is_first and len(missing) == 1 and not missing[0].is_warned


def winners_of(first: Hand | None, second: Hand | None, *, no_ties: bool) -> tuple[SeatNo, ...]:
    """Return the seats that get a win, none if the throw does not count; a missing hand loses to
    any.
    """
    if first == second:
        return () if no_ties or first is None else (SeatNo(0), SeatNo(1))
    if second is None or (first is not None and BEATS[first] == second):
        return (SeatNo(0),)
    return (SeatNo(1),)


def suspend(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Ask for a suspension, or agree to the opponent's request. Raises action/already_asked."""
    if seat.asks_suspension:
        refuse("action/already_asked", "you have asked for a suspension already")
    if not state.opponent(seat).asks_suspension:
        asking = with_seat(state, replace(seat, asks_suspension=True))
        return Step(asking, (Told(SuspensionAsked(seat.no)),))
    due_at = Instant(at + state.options.suspension_milliseconds)
    suspended = _turned(state, Stage.SUSPENDED, due_at)
    return Step(suspended, (Told(Suspended(due_at)),))


def withdraw_suspend(
    state: DuelState, seat: SeatState, action: Any, at: Instant
) -> Step[DuelState]:
    """Withdraw the request. Raises action/not_asked."""
    if not seat.asks_suspension:
        refuse("action/not_asked", "you have not asked for a suspension")
    calm = with_seat(state, replace(seat, asks_suspension=False))
    return Step(calm, (Told(SuspensionWithdrawn(seat.no)),))


def resume(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Get ready; with both ready the throw gets a full clock. Raises action/already_asked."""
    if seat.is_back:
        refuse("action/already_asked", "you are ready to go on already")
    ready = Told(ResumptionReady(seat.no))
    if not state.opponent(seat).is_back:
        return Step(with_seat(state, replace(seat, is_back=True)), (ready,))
    due_at = Instant(at + state.options.clock_milliseconds)
    going_on = _turned(state, Stage.THROWING, due_at)
    return Step(going_on, (ready, Told(Resumed(due_at))))


def withdraw_resume(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Withdraw the readiness. Raises action/not_asked."""
    if not seat.is_back:
        refuse("action/not_asked", "you were not ready to go on")
    away = with_seat(state, replace(seat, is_back=False))
    return Step(away, (Told(ResumptionWithdrawn(seat.no)),))


def run_out(state: DuelState) -> Step[DuelState]:
    """End a suspension after its deadline: a ready seat wins, else the duel is abandoned."""
    back = tuple([seat.no for seat in state.seats if seat.is_back])
    return settle(state, back, Reason.SUSPENSION if back else Reason.ABANDONED)


def settle(state: DuelState, winners: tuple[SeatNo, ...], reason: Reason) -> Step[DuelState]:
    """End the duel: one winner gets both stakes less the tax; without one they go back untaxed."""
    options, (first, second) = state.options, (seat.no for seat in state.seats)
    shares, tax = share_stakes(options.stake, (first, second), winners, options.tax_bp)
    result = Result(winners, reason, (shares[first], shares[second]), tax)
    over = replace(_turned(state, Stage.OVER, None), result=result)
    ended = GameVoided() if reason == Reason.VOID else GameEnded(winners, reason)
    kind = PotAwarded if winners else PurseReturned if reason == Reason.DRAW else StakeRefunded
    taken = (Told(TaxTaken(tax)),) if tax else ()
    return Step(over, (Told(ended), *told_points(kind, shares), *taken))


def _turned(state: DuelState, stage: Stage, due_at: Instant | None) -> DuelState:
    """Return the duel in another stage, without requests but with its hands."""
    first, second = (replace(seat, asks_suspension=False, is_back=False) for seat in state.seats)
    return replace(state, seats=(first, second), stage=stage, phase=state.phase + 1, due_at=due_at)
