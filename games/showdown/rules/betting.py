"""The betting: once, before the first round; table stakes.
Source: docs/rules/showdown.md, "Betting: once, before the first round".
"""

from games.engine.errors import IllegalAction, refusal, refuse
from games.engine.facts import Instant, Points, SeatNo, Step, Told
from games.engine.stakes import clockwise, cut_into_pots, told_points, uncalled_bet
from games.engine.structs import replace
from games.showdown.rules import facts
from games.showdown.rules.actions import Call, Fold, Leave, RaiseBy
from games.showdown.rules.rounds import run_rounds
from games.showdown.rules.settling import settle
from games.showdown.rules.state import Reason, SeatState, Stage, Status, TableState, with_seat


def open_betting(state: TableState, at: Instant) -> Step[TableState]:
    """Post every seat's ante, then pass the turn to the seat left of the dealer."""
    events = []
    for no in clockwise([seat.no for seat in state.seats], state.dealer):
        seat = _require(state, no)
        state = with_seat(state, _pay(seat, state.options.ante))
        events.append(Told(facts.AntePosted(no, state.options.ante)))
    return Step(state, tuple(events)).then(lambda posted: _pass_turn(posted, posted.dealer, at))


def call(state: TableState, seat: SeatState, action: Call, at: Instant) -> Step[TableState]:
    """Match the bet, or go all in with a smaller purse. Raises action/not_your_turn."""
    _require_turn(state, seat)
    amount = call_amount(state, seat)
    paid = replace(_pay(seat, amount), has_acted=True)
    all_in = paid.status == Status.ALL_IN
    called = Told(facts.Called(seat.no, amount, all_in))
    return Step(with_seat(state, paid), (called,)).then(lambda s: _pass_turn(s, seat.no, at))


def raise_by(state: TableState, seat: SeatState, action: RaiseBy, at: Instant) -> Step[TableState]:
    """Match the bet and raise it; a full raise reopens the betting, a short one does not. Raises
    action/not_your_turn, action/too_many_raises, action/nobody_can_call, action/must_call_or_fold,
    action/raise_too_small, action/raise_too_large.
    """
    _require_turn(state, seat)
    by = Points(action.amount)
    _require_raise(state, seat, by)
    amount = Points(call_amount(state, seat) + by)
    if by >= state.smallest_raise:
        # All seats may act again, and the next raise is at least as large.
        seats = tuple(replace(other, has_acted=False) for other in state.seats)
        full_raises = state.full_raises + 1
        state = replace(state, seats=seats, smallest_raise=by, full_raises=full_raises)
    paid = replace(_pay(seat, amount), has_acted=True)
    all_in = paid.status == Status.ALL_IN
    raised = Told(facts.Raised(seat.no, by, amount, paid.stake, all_in))
    return Step(with_seat(state, paid), (raised,)).then(lambda s: _pass_turn(s, seat.no, at))


def fold(state: TableState, seat: SeatState, action: Fold, at: Instant) -> Step[TableState]:
    """Fold on the seat's turn. Raises action/not_your_turn."""
    _require_turn(state, seat)
    return _fold(state, seat, is_late=False).then(lambda s: _pass_turn(s, seat.no, at))


def fold_late(state: TableState, at: Instant) -> Step[TableState]:
    """Fold for the seat whose clock has run out."""
    assert state.turn is not None
    seat = _require(state, state.turn)
    return _fold(state, seat, is_late=True).then(lambda s: _pass_turn(s, seat.no, at))


def leave_betting(
    state: TableState, seat: SeatState, action: Leave, at: Instant
) -> Step[TableState]:
    """Fold at once, also out of turn; the current turn goes on unless the betting ends."""
    folded = _fold(state, seat, is_late=False)
    if seat.no == state.turn or _is_betting_over(folded.state):
        return folded.then(lambda s: _pass_turn(s, seat.no, at))
    return folded


def call_amount(state: TableState, seat: SeatState) -> Points:
    """Return the price of a call in points, at most the purse."""
    return min(Points(state.to_match - seat.stake), seat.purse)


def raise_bounds(state: TableState, seat: SeatState) -> tuple[Points, Points]:
    """Return the least and the most that a seat may raise by; all in is allowed below the smallest
    raise, and both are equal then.
    """
    left = Points(seat.purse - call_amount(state, seat))
    return min(state.smallest_raise, left), left


def may_raise(state: TableState, seat: SeatState) -> bool:
    """Whether the seat, on its turn, may raise."""
    return _why_not_raise(state, seat) is None


def _why_not_raise(state: TableState, seat: SeatState) -> IllegalAction | None:
    limit = state.options.full_raises
    if state.full_raises >= limit:
        return refusal("action/too_many_raises", "the betting has seen all its raises", limit=limit)
    # A seat whose whole purse only just matches the present bet cannot call any of a raise.
    others = [other.stake + other.purse for other in state.live if other.no != seat.no]
    if max(others, default=0) <= state.to_match:
        return refusal("action/nobody_can_call", "no other player has points left to call a raise")
    if seat.has_acted:
        message = "only short raises came after you acted: call or fold"
        return refusal("action/must_call_or_fold", message)
    if raise_bounds(state, seat)[1] <= 0:
        message = "nothing is left after matching: call all in or fold"
        return refusal("action/must_call_or_fold", message)
    return None


def _require_raise(state: TableState, seat: SeatState, by: Points) -> None:
    reason = _why_not_raise(state, seat)
    if reason is not None:
        raise reason
    least, most = raise_bounds(state, seat)
    if by > most:
        refuse("action/raise_too_large", f"at most {most}: that is all that is left", most=most)
    if by < least:
        refuse("action/raise_too_small", f"raise by at least {least}", least=least)


def _require(state: TableState, no: SeatNo) -> SeatState:
    seat = state.seat(no)
    assert seat is not None, f"seat {no} takes part"
    return seat


def _require_turn(state: TableState, seat: SeatState) -> None:
    if state.turn != seat.no:
        refuse("action/not_your_turn", "it is another seat's turn to bet", turn=state.turn)


def _pay(seat: SeatState, amount: Points) -> SeatState:
    purse = Points(seat.purse - amount)
    status = seat.status if purse else Status.ALL_IN
    return replace(seat, purse=purse, stake=Points(seat.stake + amount), status=status)


def _fold(state: TableState, seat: SeatState, *, is_late: bool) -> Step[TableState]:
    folded = Told(facts.Folded(seat.no, is_late))
    return Step(with_seat(state, replace(seat, status=Status.FOLDED)), (folded,))


def _must_act(state: TableState) -> list[SeatNo]:
    """Return the seats that have not acted, or not matched the highest bet."""
    bet = state.to_match
    return [
        seat.no
        for seat in state.seats
        if seat.status == Status.IN and not (seat.has_acted and seat.stake == bet)
    ]


def _is_betting_over(state: TableState) -> bool:
    if len(state.live) == 1:
        return True
    able = [seat.stake for seat in state.seats if seat.status == Status.IN]
    return not able or able == [state.to_match] or not _must_act(state)


def _pass_turn(state: TableState, after: SeatNo, at: Instant) -> Step[TableState]:
    """Give the turn to the next seat that must act, or end the betting."""
    if _is_betting_over(state):
        return _end_betting(state, at)
    turn = clockwise(_must_act(state), after)[0]
    due_at = Instant(at + state.options.betting_milliseconds)
    passed = replace(state, turn=turn, phase=state.phase + 1, due_at=due_at)
    return Step(passed, (Told(facts.TurnPassed(turn)),))


def _end_betting(state: TableState, at: Instant) -> Step[TableState]:
    """Return uncalled bets and the rest of purses, form the pots, then play or settle."""
    ended = Step(replace(state, turn=None), (Told(facts.BettingEnded()),))
    formed = ended.then(_return_uncalled).then(_return_purses).then(_form_pots)
    if len(formed.state.live) == 1:
        winner = formed.state.live[0].no
        return formed.then(lambda s: settle(s, [winner], Reason.FOLDS))
    started = replace(formed.state, stage=Stage.ROUND)
    return Step(started, formed.events).then(lambda s: run_rounds(s, at))


def _return_uncalled(state: TableState) -> Step[TableState]:
    uncalled = uncalled_bet(state.stakes, {seat.no for seat in state.live})
    if uncalled is None:
        return Step(state)
    owner, amount = uncalled
    seat = _require(state, owner)
    kept = replace(seat, stake=Points(seat.stake - amount))
    return Step(with_seat(state, kept), (Told(facts.UncalledReturned(owner, amount)),))


def _return_purses(state: TableState) -> Step[TableState]:
    events = told_points(facts.PurseReturned, {seat.no: seat.purse for seat in state.seats})
    seats = tuple(replace(seat, purse=Points(0)) for seat in state.seats)
    return Step(replace(state, seats=seats), events)


def _form_pots(state: TableState) -> Step[TableState]:
    pots = cut_into_pots(state.stakes, [seat.no for seat in state.live])
    return Step(replace(state, pots=pots), (Told(facts.PotsFormed(pots)),))
