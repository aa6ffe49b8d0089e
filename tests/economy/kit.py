"""Helpers for the ledger's tests: users without accounts, and moves."""

from datetime import UTC, datetime
from itertools import count
from typing import Any

from economy.errors import REFUSALS, LedgerError
from economy.ledger import AccountRef, Move, mint, post, wallet
from economy.models import Account
from economy.transfers import TransferCode
from economy.units import AccountKind, Unit

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_numbers = count(1)


def move(debit: AccountRef, credit: AccountRef, amount: Any, key: str = "", **extra: Any) -> Move:
    """A move between any two accounts, under a key of its own."""
    key = key or f"test:{next(_numbers)}"
    return Move(key, key, debit, credit, amount, extra.get("code", TransferCode.ADMIN_ADJUST), "t")


def give(ref: AccountRef, amount: int) -> None:
    post([move(mint(ref.unit), ref, amount)], NOON)


def box(number: int, unit: Unit = Unit.POINT) -> AccountRef:
    """Somewhere to put things, out of the way of users; no escrow, which a match must clear."""
    return AccountRef(f"user:{950_000 + number}", AccountKind.WALLET, unit)


def rich(user_id: int, points: int) -> AccountRef:
    give(ref := wallet(user_id), points)
    return ref


def held(ref: AccountRef) -> int | None:
    """Return an account's stored balance; None if there is no account, or no kept balance."""
    row = Account.objects.filter(owner=ref.owner, kind=ref.kind, unit=ref.unit).first()
    return None if row is None else row.balance


def total(unit: Unit = Unit.POINT) -> int:
    """Return the sum of all kept balances."""
    kinds = (AccountKind.WALLET, AccountKind.STOCK, AccountKind.ESCROW, AccountKind.TREASURY)
    return sum(Account.objects.filter(unit=unit, kind__in=kinds).values_list("balance", flat=True))


def all_codes(error: type[LedgerError] = LedgerError) -> set[str]:
    """Return every code that the ledger or the shop answers with."""
    return {error.code, *REFUSALS}.union(*map(all_codes, error.__subclasses__()))
