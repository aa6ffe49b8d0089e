"""The actions of a seat in a duel, and which of them are legal.
Source: docs/reference/protocol.md, "Actions"; docs/rules/duel.md.
"""

from functools import cache

from games.duel.rules.state import DuelState, Hand, SeatState, Stage
from games.engine.structs import Kinded


class Throw(Kinded, frozen=True):
    """Choose a hand for this throw; it cannot be changed."""

    hand: Hand


class Suspend(Kinded, frozen=True):
    """Ask for a suspension, or agree to the opponent's request."""


class WithdrawSuspend(Kinded, frozen=True):
    """Withdraw the request for a suspension."""


class Resume(Kinded, frozen=True):
    """Get ready to resume a suspended duel."""


class WithdrawResume(Kinded, frozen=True):
    """Withdraw the readiness to resume."""


class Resign(Kinded, frozen=True):
    """Lose the duel at once."""


class Leave(Kinded, frozen=True):
    """Leave, which loses the duel as resigning does."""


DuelAction = Throw | Suspend | WithdrawSuspend | Resume | WithdrawResume | Resign | Leave


def legal_actions(state: DuelState, seat: SeatState) -> list[DuelAction]:
    """List the seat's legal actions in a stable order: exactly those that ``apply`` accepts in
    time.
    """
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
