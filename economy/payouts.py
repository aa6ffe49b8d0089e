"""Payments of the house to players from the treasury: stipend, prizes, referrals.

The mint covers a shortfall of the treasury by a separate transfer with its own code.  Every
payment has a key and is made once.

Source: docs/explanation/ledger.md "Payments of the house".
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Count, Sum

from economy.codes import TransferCode
from economy.errors import InsufficientPoints
from economy.ledger import TREASURY, Move, Plan, mint, user_owner, wallet
from economy.models import Transfer
from economy.selectors import is_broke, setting
from economy.units import Unit

#: Code of a payment -> code of the mint's transfer that covers a shortfall.
COVERS: Final[Mapping[TransferCode, TransferCode]] = {
    TransferCode.STIPEND: TransferCode.STIPEND_COVER,
    TransferCode.PRIZE: TransferCode.PRIZE_COVER,
    TransferCode.REFERRAL: TransferCode.REFERRAL_COVER,
}


class Payout(NamedTuple):
    """A payment of points from the treasury to a user, identified by ``key``."""

    key: str
    user_id: int
    amount: int
    code: TransferCode
    cause: str


def pay(payouts: Sequence[Payout], at: datetime, guard: Callable[[], bool] | None = None) -> bool:
    """Pay all of them, or none if one of their keys exists or the guard refuses.

    Args:
        payouts: of one cause, in points; at least one.
        at: the instant of all transfers, aware UTC.
        guard: called after the receivers' accounts are locked.

    Returns:
        Whether anything was paid.

    Raises:
        LedgerError: as for ``Plan.move``.
    """
    try:
        return _pay_once(payouts, at, guard)
    except IntegrityError:
        # A concurrent transaction opened the same account or used a key: read again.
        return _pay_once(payouts, at, guard)


@transaction.atomic
def _pay_once(payouts: Sequence[Payout], at: datetime, guard: Callable[[], bool] | None) -> bool:
    plan = Plan.lock({user_owner(payout.user_id) for payout in payouts}, at)
    keys = [payout.key for payout in payouts]
    if Transfer.objects.filter(key__in=keys).exists() or not (guard is None or guard()):
        return False
    for payout in payouts:
        _plan_payout(plan, payout, keys[0])
    plan.write()
    return True


def _plan_payout(plan: Plan, payout: Payout, group: str) -> None:
    """Plan a payment of the treasury, after the mint has covered its shortfall."""
    key, user_id, amount, code, cause = payout
    move = Move(key, group, TREASURY(), wallet(user_id), amount, code, cause)
    try:
        plan.move(move)
    except InsufficientPoints as lack:
        missing, source = lack.detail["missing"], mint(Unit.POINT)
        cover = Move(f"{key}:cover", group, source, TREASURY(), missing, COVERS[code], cause)
        plan.move(cover)
        plan.move(move)


def pay_stipend(user_id: int, at: datetime) -> int:
    """Pay a broke user the day's stipend, once a UTC day; return the points paid, often 0."""
    amount = setting("stipend.amount")
    if not amount:
        return 0
    key = f"stipend:{user_id}:{at:%Y-%m-%d}"
    payout = Payout(key, user_id, amount, TransferCode.STIPEND, user_owner(user_id))
    return amount if pay([payout], at, lambda: is_broke(user_id)) else 0


def paid_to(user_id: int, code: TransferCode, since: datetime | None = None) -> tuple[int, int]:
    """Return the number and the sum of a user's payments with this code since an instant."""
    got = Transfer.objects.filter(credit__owner=user_owner(user_id), code=code)
    if since is not None:
        got = got.filter(at__gte=since)
    found = got.aggregate(count=Count("pk"), points=Sum("amount"))
    return found["count"], found["points"] or 0
