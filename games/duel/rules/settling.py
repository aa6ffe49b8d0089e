"""The end of a duel, and where the stakes go.

Source: docs/rules/duel.md, "The end" and "Stakes".
"""

from __future__ import annotations

from typing import Final

from games.duel.rules.state import DuelState, Reason, Result, SeatState, Stage
from games.kernel.facts import Event, Points, SeatNo, Step, replace

#: A tax of so many basis points is all of it.
WHOLE: Final = 10_000


def end_by_wins(state: DuelState) -> Step[DuelState]:
    """End a duel in which somebody has enough wins: most wins win, equal wins are a draw."""
    first, second = state.seats
    if first.wins == second.wins:
        returned = _stakes(state, "purse_returned")
        return _end(state, Result((), Reason.DRAW, _each(state), Points(0)), returned)
    return award(state, first if first.wins > second.wins else second, Reason.WINS)


def award(state: DuelState, winner: SeatState, reason: Reason) -> Step[DuelState]:
    """End the duel for one winner, who gets both stakes less the tax."""
    both = 2 * state.options.stake
    tax = Points(both * state.options.tax_bp // WHOLE)
    amount = Points(both - tax)
    awards = (amount, Points(0)) if winner.no == 0 else (Points(0), amount)
    paid = [Event("pot_awarded", {"seat": winner.no, "amount": amount})] if amount else []
    paid += [Event("tax_taken", {"amount": tax})] if tax else []
    return _end(state, Result((winner.no,), reason, awards, tax), paid)


def abandon(state: DuelState) -> Step[DuelState]:
    """End a duel that leads nowhere: nobody wins, the stakes go back untaxed."""
    refunded = _stakes(state, "stake_refunded")
    return _end(state, Result((), Reason.ABANDONED, _each(state), Points(0)), refunded)


def void_game(state: DuelState) -> Step[DuelState]:
    """End the duel as if it had not been: the stakes go back untaxed."""
    voided = Event("game_voided", {})
    over = _over(state, Result((), Reason.VOID, _each(state), Points(0)))
    return Step(over, (voided, *_stakes(state, "stake_refunded")))


def _end(state: DuelState, result: Result, paid: list[Event]) -> Step[DuelState]:
    data = {"winners": list(result.winners), "reason": result.reason.value}
    return Step(_over(state, result), (Event("game_ended", data), *paid))


def _over(state: DuelState, result: Result) -> DuelState:
    first, second = (replace(seat, asks_suspension=False, is_back=False) for seat in state.seats)
    return replace(
        state,
        seats=(first, second),
        stage=Stage.OVER,
        phase=state.phase + 1,
        due_at=None,
        result=result,
    )


def _each(state: DuelState) -> tuple[Points, Points]:
    return state.options.stake, state.options.stake


def _stakes(state: DuelState, kind: str) -> list[Event]:
    """Give each its stake back; points that do not move leave no event."""
    stake = state.options.stake
    numbers = [SeatNo(0), SeatNo(1)] if stake else []
    return [Event(kind, {"seat": no, "amount": stake}) for no in numbers]
