"""The end of a duel, and the payout of the stakes.
Source: docs/rules/duel.md, "The end" and "Stakes".
"""

from games.duel.rules.facts import (
    GameEnded,
    GameVoided,
    PotAwarded,
    PurseReturned,
    StakeRefunded,
    TaxTaken,
)
from games.duel.rules.state import DuelState, Reason, Result, SeatState, Stage
from games.engine import protocols
from games.engine.facts import Points, SeatNo, Step, Told
from games.engine.pots import tax_on
from games.engine.structs import replace


def end_by_wins(state: DuelState) -> Step[DuelState]:
    """End a duel after enough wins; equal wins are a draw."""
    first, second = state.seats
    if first.wins == second.wins:
        return _end(state, _without_winners(state, Reason.DRAW), _stakes(state, PurseReturned))
    return award(state, first if first.wins > second.wins else second, Reason.WINS)


def award(state: DuelState, winner: SeatState, reason: Reason) -> Step[DuelState]:
    """End the duel with one winner, who gets both stakes less the tax."""
    both = 2 * state.options.stake
    tax = tax_on(Points(both), state.options.tax_bp)
    amount = Points(both - tax)
    awards = (amount, Points(0)) if winner.no == 0 else (Points(0), amount)
    paid = [Told(PotAwarded(winner.no, amount))] if amount else []
    paid += [Told(TaxTaken(tax))] if tax else []
    return _end(state, Result((winner.no,), reason, awards, tax), paid)


def abandon(state: DuelState) -> Step[DuelState]:
    """End a duel without progress: nobody wins, the stakes return untaxed."""
    return _end(state, _without_winners(state, Reason.ABANDONED), _stakes(state, StakeRefunded))


def call_off(state: DuelState) -> Step[DuelState]:
    """End a quick duel whose first throw one side missed; nothing was at stake."""
    return _end(state, _without_winners(state, Reason.MISSED), [])


def void_game(state: DuelState) -> Step[DuelState]:
    """Void the duel; the stakes return untaxed."""
    over = _over(state, _without_winners(state, Reason.VOID))
    return Step(over, (Told(GameVoided()), *_stakes(state, StakeRefunded)))


def result_of(result: Result, seat: SeatNo) -> protocols.Result:
    """Return a seat's result of an ended duel: DRAWN for a draw, NONE without winners."""
    if result.reason == Reason.DRAW:
        return protocols.Result.DRAWN
    if not result.winners:
        return protocols.Result.NONE
    return protocols.Result.WON if seat in result.winners else protocols.Result.LOST


def _end(state: DuelState, result: Result, paid: list[Told]) -> Step[DuelState]:
    ended = Told(GameEnded(result.winners, result.reason))
    return Step(_over(state, result), (ended, *paid))


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


def _without_winners(state: DuelState, reason: Reason) -> Result:
    return Result((), reason, (state.options.stake, state.options.stake), Points(0))


def _stakes(state: DuelState, fact: type[PurseReturned | StakeRefunded]) -> list[Told]:
    """Return a fact for each returned stake above 0."""
    stake = state.options.stake
    return [Told(fact(SeatNo(no), stake)) for no in (0, 1)] if stake else []
