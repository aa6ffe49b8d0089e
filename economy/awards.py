"""Points that a game of Mafia gives from the mint, of either kind."""

from datetime import datetime

from economy.codes import TransferCode
from economy.ledger import Move, mint, post
from economy.models import Transfer
from economy.moves import AccountRef
from economy.units import Unit


def award(to: AccountRef, amount: int, key: str, cause: str, at: datetime) -> Transfer:
    """Mint points for a player of Mafia, once for each key.

    Args:
        to: the wallet, ``wallet(user_id)`` or ``wallet(user_id, Unit.Y_POINT)``; the unit is its.
        amount: points, or y-axis points.
        key: names the award for ever, such as "award:<game>:<user>:<reason>".
        cause: the game, as its other transfers name it.
        at: when it was earned, aware UTC.

    Raises:
        ValueError: the account holds weapons, which are not awarded.
        WrongFlow: the account is no wallet.
        LedgerConflict: the key was used for another award.
        AmountOutOfRange, LimitReached: as for ``Plan.move``.

    Source: docs/ledger.md "Payments of the house".
    """
    if to.unit not in (Unit.POINT, Unit.Y_POINT):
        raise ValueError(f"{to.unit.label} are not awarded")
    move = Move(key, key, mint(to.unit), to, amount, TransferCode.GAME_AWARD, cause)
    return post([move], at)[0]
