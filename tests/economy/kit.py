"""What the ledger's tests share: users without accounts, moves, and threads that start together."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count
from threading import Barrier
from typing import Any

from django.db import connection, connections

from economy.codes import TransferCode
from economy.errors import LedgerError
from economy.ledger import AccountRef, Move, mint, post, wallet
from economy.models import Account
from economy.units import AccountKind, Unit

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_numbers = count(1)


def move(debit: AccountRef, credit: AccountRef, amount: Any, key: str = "", **extra: Any) -> Move:
    """A move between any two accounts, under a key of its own."""
    key = key or f"test:{next(_numbers)}"
    return Move(key, key, debit, credit, amount, extra.get("code", TransferCode.ADMIN_ADJUST), "t")


def give(ref: AccountRef, amount: int) -> None:
    """Put something into an account, from the mint."""
    post([move(mint(ref.unit), ref, amount)], NOON)


def box(number: int, unit: Unit = Unit.POINT) -> AccountRef:
    """Somewhere to put things, out of the way of users; no escrow, which a match must clear."""
    return AccountRef(f"user:{950_000 + number}", AccountKind.WALLET, unit)


def rich(user_id: int, points: int) -> AccountRef:
    """A wallet with so many points."""
    give(wallet(user_id), points)
    return wallet(user_id)


def held(ref: AccountRef) -> int | None:
    """What the database says an account holds; None when there is none, or it is not kept."""
    row = Account.objects.filter(owner=ref.owner, kind=ref.kind, unit=ref.unit).first()
    return None if row is None else row.balance


def total(unit: Unit = Unit.POINT) -> int:
    """What all kept accounts hold together."""
    kinds = (AccountKind.WALLET, AccountKind.STOCK, AccountKind.ESCROW, AccountKind.TREASURY)
    return sum(Account.objects.filter(unit=unit, kind__in=kinds).values_list("balance", flat=True))


def all_at_once(calls: Iterable[Callable[[], Any]]) -> list[Any]:
    """Run the calls in threads started together; results and refusals in order."""
    calls = list(calls)
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait(timeout=30)
        try:
            return call()
        except LedgerError as refusal:
            return refusal
        finally:
            connections.close_all()

    connection.close()
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
