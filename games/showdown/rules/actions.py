"""The actions of a seat in Showdown; bounds are checked when an action is read from outside.
Source: docs/reference/protocol.md, "Actions"; docs/rules/showdown.md.
"""

from games.engine.structs import Amount, Kinded, SeatGiven
from games.showdown.rules.weapons import BasicWeapon, Weapon


class Call(Kinded, frozen=True):
    """Match the bet, all in if necessary; with nothing to match, check."""


class RaiseBy(Kinded, frozen=True):
    """Match the bet, then put ``amount`` more on top."""

    amount: Amount


class Fold(Kinded, frozen=True):
    """Fold; the stake stays in the pot."""


class Attack(Kinded, frozen=True, omit_defaults=True):
    """Choose a weapon against an opponent, in place of an earlier choice; all of it or nothing.
    ``make``: combine one that is missing. ``everyone``: against all other opponents too.
    """

    weapon: Weapon
    target: SeatGiven
    make: bool = False
    everyone: bool = False


class Reset(Kinded, frozen=True):
    """Withdraw all attacks of this round."""


class Combine(Kinded, frozen=True):
    """Spend two basic weapons on a combined one."""

    first: BasicWeapon
    second: BasicWeapon


class Add(Kinded, frozen=True):
    """Move a basic weapon from the permanent stock into the temporary one."""

    weapon: BasicWeapon


class Mine(Kinded, frozen=True):
    """Plant a landmine from the permanent stock on an opponent."""

    target: SeatGiven


class Lock(Kinded, frozen=True):
    """Lock the choices of this round."""


class Unlock(Kinded, frozen=True):
    """Unlock the choices of this round."""


class Leave(Kinded, frozen=True):
    """Fold at once during the betting, give up during a round: of two the other then wins."""


ShowdownAction = (
    Call | RaiseBy | Fold | Attack | Reset | Combine | Add | Mine | Lock | Unlock | Leave
)
