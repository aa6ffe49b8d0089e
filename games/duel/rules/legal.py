"""The legal actions of a seat, for buttons, bots and random play. ``apply`` accepts exactly the
listed actions before the clock runs out. Source: docs/rules/duel.md, "A throw", "Suspension", "The
end".
"""

from functools import cache

from games.duel.rules.actions import (
    DuelAction,
    Leave,
    Resign,
    Resume,
    Suspend,
    Throw,
    WithdrawResume,
    WithdrawSuspend,
)
from games.duel.rules.hands import Hand
from games.duel.rules.state import DuelState, SeatState, Stage


def legal_actions(state: DuelState, seat: SeatState) -> list[DuelAction]:
    """List the seat's legal actions in a stable order; empty when the duel is over."""
    return list(_legal(state.stage, seat.hand is None, seat.asks_suspension, seat.is_back))


@cache
def _legal(stage: Stage, may_throw: bool, asks: bool, is_back: bool) -> tuple[DuelAction, ...]:
    if stage == Stage.OVER:
        return ()
    if stage == Stage.SUSPENDED:
        return (WithdrawResume() if is_back else Resume(), Resign(), Leave())
    throws = [Throw(hand) for hand in Hand] if may_throw else []
    return (*throws, WithdrawSuspend() if asks else Suspend(), Resign(), Leave())


@cache
def legal_kinds(stage: Stage, may_throw: bool, asks: bool, is_back: bool) -> tuple[str, ...]:
    """Return the kinds of a seat's legal actions, in the same order."""
    actions = _legal(stage, may_throw, asks, is_back)
    return tuple(dict.fromkeys(action.kind for action in actions))


def is_pending(state: DuelState, seat: SeatState) -> bool:
    """Whether the duel waits for the seat: for a hand, an answer, or the readiness to resume."""
    if state.stage == Stage.SUSPENDED:
        return not seat.is_back
    is_asked = state.opponent(seat).asks_suspension and not seat.asks_suspension
    return state.stage == Stage.THROWING and (seat.hand is None or is_asked)
