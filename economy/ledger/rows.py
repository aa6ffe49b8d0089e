"""The ledger's SQL: the rows that ``Plan`` reads under its locks, and those that it writes.
Source: docs/explanation/performance.md "The statements".
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from django.db import connection

from economy.models import Account, Transfer
from economy.sql import BulkRows, fetch, is_any
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


# Raw SQL: for 8 owners the ORM took 6.4 times the time to lock, 21 to set balances, 2.8 to insert
# transfers (SQLite; 2.6, 7.8 and 1.8 on PostgreSQL; 2026-11-27).
class SqlRows:
    """The statements of a plan; their text does not depend on the number of rows."""

    def lock(self, owners: Iterable[str]) -> dict[AccountRef, Held]:
        """Lock all accounts of these owners, in id order, and read them: one query."""
        is_theirs, given = is_any("owner", owners, "text")
        lock = " ORDER BY id FOR NO KEY UPDATE" if connection.vendor == "postgresql" else ""
        rows = fetch(
            "SELECT owner, kind, unit, id, balance FROM economy_account"  # noqa: S608
            f" WHERE {is_theirs}{lock}",
            [given],
        )
        return {
            _ref((owner, _KINDS[kind], _UNITS[unit])): _held((pk, balance))
            for owner, kind, unit, pk, balance in rows
        }

    def set_balances(self, balances: Mapping[int, int]) -> None:
        """Set the balances of accounts, by id."""
        _BALANCES.update([(balance, pk) for pk, balance in balances.items()])

    def insert_transfers(self, transfers: Sequence[TransferRow]) -> None:
        _TRANSFERS.insert(transfers)


def ref_of(account: Account) -> AccountRef:
    """Return the reference of an account's row."""
    return AccountRef(account.owner, AccountKind(account.kind), Unit(account.unit))


# Named tuples make a Python call for each; a seat's lock reads fifty rows.
_ref: Final = partial(tuple.__new__, AccountRef)
_held: Final = partial(tuple.__new__, Held)
_KINDS: Final = {kind.value: kind for kind in AccountKind}
_UNITS: Final = {unit.value: unit for unit in Unit}
_BALANCES: Final = BulkRows(Account, ["balance", "id"])
_TRANSFERS: Final = BulkRows(Transfer, TransferRow._fields)
