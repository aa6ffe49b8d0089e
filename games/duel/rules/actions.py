"""What a seat may ask for in a duel.

Source: docs/protocol.md, "Actions"; docs/rules/duel.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.duel.rules.hands import Hand
from games.engine.structs import Kinded, kind_of


class Throw(Kinded, frozen=True):
    """Choose a hand for this throw, for good."""

    hand: Hand


class Suspend(Kinded, frozen=True):
    """Ask for a suspension, or agree to the one that the other asks for."""


class WithdrawSuspend(Kinded, frozen=True):
    """Take back what one asked for."""


class Resume(Kinded, frozen=True):
    """Be ready to go on with a suspended duel."""


class WithdrawResume(Kinded, frozen=True):
    """Be ready to go on no longer."""


class Resign(Kinded, frozen=True):
    """Lose the duel at once."""


class Leave(Kinded, frozen=True):
    """Walk away, which loses the duel as resigning does."""


DuelAction = Throw | Suspend | WithdrawSuspend | Resume | WithdrawResume | Resign | Leave

#: Name on the wire -> action.
ACTIONS: Final[Mapping[str, type[DuelAction]]] = {
    kind_of(action): action
    for action in (Throw, Suspend, WithdrawSuspend, Resume, WithdrawResume, Resign, Leave)
}
