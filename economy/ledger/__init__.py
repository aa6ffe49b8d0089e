"""The only writer of transfers and balances: each unit's sum is zero."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import IntegrityError, transaction

from economy.errors import refuse
from economy.ledger.plan import Plan
from economy.ledger.rows import ref_of
from economy.models import Account, Transfer
from economy.selectors import grant_after
from economy.transfers import (
    TREASURY,
    AccountRef,
    Move,
    TransferCode,
    check_move,
    escrow,
    match_owner,
    mint,
    require_same,
    sink,
    stock,
    user_owner,
    wallet,
)
from economy.units import HOUSE, WEAPONS, Unit

__all__ = [
    "TREASURY",
    "AccountRef",
    "Move",
    "Plan",
    "escrow",
    "match_owner",
    "mint",
    "open_account",
    "post",
    "reverse",
    "sink",
    "stock",
    "user_owner",
    "wallet",
]


def post(moves: Sequence[Move], at: datetime) -> list[Transfer]:
    """Make the transfers of one group, all or none, once; return one for each key, the earlier ones
    if all exist. Raises ``conflict`` if a key has other content or only some exist, LedgerError
    as for ``Plan.move``.
    """
    for move in moves:
        check_move(move)
    try:
        return _post_once(moves, at)
    except IntegrityError:
        # A concurrent writer that locked other accounts has used a key: read again.
        return _post_once(moves, at)


def reverse(transfer: Transfer, key: str, cause: str, at: datetime) -> Transfer:
    """Take a transfer back by one in the other direction, once. Raises ledger/already_reversed,
    ``conflict`` if the key is taken, LedgerError as for ``Plan.move``: the receiver may have
    spent it.
    """
    try:
        return _reverse_once(transfer, key, cause, at)
    except IntegrityError:
        return _reverse_once(transfer, key, cause, at)


def open_account(user_id: int, at: datetime) -> None:
    """Give a user wallets, empty stocks and the first part of the grant, once; the rest comes by
    ``economy.payouts.extend_grant``.
    """
    owner, key = user_owner(user_id), f"signup:{user_id}"
    with transaction.atomic():
        wallets = [wallet(user_id), wallet(user_id, Unit.Y_POINT)]
        _open([*wallets, *(stock(user_id, unit) for unit in WEAPONS)])
        plan = Plan.lock([owner], at)
        if Transfer.objects.filter(key=key).exists():
            return
        amount = grant_after(0)
        if amount:
            code, source = TransferCode.SIGNUP_GRANT, mint(Unit.POINT)
            plan.move(Move(key, key, source, wallet(user_id), amount, code, owner))
            plan.write()


def _move(transfer: Transfer) -> Move:
    return Move(
        transfer.key,
        transfer.group,
        ref_of(transfer.debit),
        ref_of(transfer.credit),
        transfer.amount,
        TransferCode(transfer.code),
        transfer.cause,
    )


def _open(refs: Iterable[AccountRef]) -> None:
    """Create the missing accounts; waits for a transaction that creates the same ones."""
    wanted = sorted(refs)
    there = Account.objects.filter(owner__in={ref.owner for ref in wanted})
    missing = sorted(set(wanted).difference(map(ref_of, there)))
    Account.objects.bulk_create(
        [Account(owner=ref.owner, kind=ref.kind, unit=ref.unit, balance=0) for ref in missing],
        ignore_conflicts=True,
    )


def _earlier(moves: Sequence[Move]) -> list[Transfer] | None:
    """Return the stored transfers of these moves, or None if none is stored."""
    wanted = {move.key: move for move in moves}
    rows = Transfer.objects.select_related("debit", "credit").filter(key__in=list(wanted))
    found = {row.key: row for row in rows}
    if not found:
        return None
    if len(found) < len(wanted):
        refuse("conflict", "a part of this group has been posted without the rest")
    for key, move in wanted.items():
        require_same(_move(found[key]), move)
    return [found[key] for key in wanted]


@transaction.atomic
def _post_once(moves: Sequence[Move], at: datetime) -> list[Transfer]:
    refs = {ref for move in moves for ref in (move.debit, move.credit) if ref.owner != HOUSE}
    _open(refs)
    plan = Plan.lock({ref.owner for ref in refs}, at)
    earlier = _earlier(moves)
    if earlier is not None:
        return earlier
    for move in moves:
        plan.move(move)
    plan.write()
    return _earlier(moves) or []


@transaction.atomic
def _reverse_once(transfer: Transfer, key: str, cause: str, at: datetime) -> Transfer:
    original = _move(transfer)
    debit, credit = original.credit, original.debit
    code = TransferCode.REVERSAL
    move = original._replace(key=key, group=key, debit=debit, credit=credit, code=code, cause=cause)
    plan = Plan.lock({debit.owner, credit.owner}, at)
    earlier = _earlier([move])
    if earlier is not None:
        return earlier[0]
    if transfer.reverses_id is not None or transfer.reversals.exists():
        refuse("ledger/already_reversed", "a transfer is reversed once, a reversal never")
    plan.move(move, reverses_id=transfer.pk)
    plan.write()
    return Transfer.objects.get(key=key)
