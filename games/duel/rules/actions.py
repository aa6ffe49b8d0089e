"""The actions of a seat in a duel.
Source: docs/reference/protocol.md, "Actions"; docs/rules/duel.md.
"""

from collections.abc import Mapping
from typing import Final

from games.duel.rules.hands import Hand
from games.engine.structs import Kinded, kind_of


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

#: Name on the wire -> action type.
ACTIONS: Final[Mapping[str, type[DuelAction]]] = {
    kind_of(action): action
    for action in (Throw, Suspend, WithdrawSuspend, Resume, WithdrawResume, Resign, Leave)
}
