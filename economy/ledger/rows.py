"""The ledger's SQL: the rows that ``Plan`` reads under its locks, and those that it writes.
Source: docs/explanation/performance.md "The statements".
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from django.db import connection

from economy.models import Account, Transfer
from economy.sql import BulkRows, is_any
from economy.transfers import AccountRef
from economy.units import AccountKind, Unit


class Held(NamedTuple):
    """An account's id and balance, None where none is kept."""

    pk: int
    balance: int | None


class TransferRow(NamedTuple):
    """A transfer to be stored, field by field."""

    key: str
    group: str
    debit_id: int
    credit_id: int
    unit: str
    amount: int
    code: str
    cause: str
    reverses_id: int | None
    at: datetime


class Rows(Protocol):
    """The statements of a plan."""

    def lock(self, owners: Iterable[str]) -> dict[AccountRef, Held]:
        """Lock all accounts of these owners, in id order, and read them: one query."""

    def set_balances(self, balances: Mapping[int, int]) -> None:
        """Set the balances of accounts, by id."""

    def insert_transfers(self, transfers: Sequence[TransferRow]) -> None:
        """Store transfers."""


class OrmRows:
    """The reference implementation, with the ORM."""

    def lock(self, owners: Iterable[str]) -> dict[AccountRef, Held]:
        rows = Account.objects.select_for_update(no_key=True).filter(owner__in=sorted(owners))
        return {
            ref_of(account): Held(account.pk, account.balance) for account in rows.order_by("pk")
        }

    def set_balances(self, balances: Mapping[int, int]) -> None:
        changed = [Account(pk=pk, balance=balance) for pk, balance in balances.items()]
        Account.objects.bulk_update(changed, ["balance"])

    def insert_transfers(self, transfers: Sequence[TransferRow]) -> None:
        Transfer.objects.bulk_create(Transfer(**row._asdict()) for row in transfers)


class SqlRows:
    """The fast implementation: the text of its statements does not depend on the number of rows."""

    def lock(self, owners: Iterable[str]) -> dict[AccountRef, Held]:
        is_theirs, given = is_any("owner", owners, "text")
        lock = " ORDER BY id FOR NO KEY UPDATE" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT owner, kind, unit, id, balance FROM economy_account"  # noqa: S608
                f" WHERE {is_theirs}{lock}",
                [given],
            )
            return {
                AccountRef(owner, _KINDS[kind], _UNITS[unit]): Held(pk, balance)
                for owner, kind, unit, pk, balance in cursor.fetchall()
            }

    def set_balances(self, balances: Mapping[int, int]) -> None:
        _BALANCES.update([(balance, pk) for pk, balance in balances.items()])

    def insert_transfers(self, transfers: Sequence[TransferRow]) -> None:
        _TRANSFERS.insert(transfers)


def ref_of(account: Account) -> AccountRef:
    """Return the reference of an account's row."""
    return AccountRef(account.owner, AccountKind(account.kind), Unit(account.unit))


_KINDS: Final = {kind.value: kind for kind in AccountKind}
_UNITS: Final = {unit.value: unit for unit in Unit}
_BALANCES: Final = BulkRows(Account, ["balance", "id"])
_TRANSFERS: Final = BulkRows(Transfer, TransferRow._fields)
