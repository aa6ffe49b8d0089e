"""The plan: moves checked in memory against locked balances, then written together."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, NamedTuple

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from economy.errors import (
    InsufficientPoints,
    refuse,
)
from economy.ledger.rows import Held, SqlRows, TransferRow, ref_of
from economy.models import Account, Item
from economy.transfers import AccountRef, Move, TransferCode, check_move, require_same
from economy.units import CACHED_KINDS, HOUSE, MOST_BALANCE, WEAPONS, AccountKind, Unit, counted


class _Entry(NamedTuple):
    move: Move
    reverses_id: int | None


@dataclass(slots=True)
class Plan:
    """Moves checked against locked balances. Create one with ``Plan.lock``, or with ``Plan.over``
    if perhaps nothing will move. Nothing is stored before ``write``.
    """

    #: Reads and writes the rows of every plan; tests replace it with the reference, ``OrmRows``.
    rows: ClassVar[SqlRows] = SqlRows()

    at: datetime
    #: Read when the accounts are locked.
    _given: Iterable[str]
    _owners: frozenset[str] = frozenset()
    _accounts: dict[AccountRef, Held] = field(default_factory=dict)
    is_locked: bool = False
    _planned: dict[AccountRef, int] = field(default_factory=dict)
    _entries: list[_Entry] = field(default_factory=list)
    _by_key: dict[str, Move] = field(default_factory=dict)
    _is_written: bool = False

    @classmethod
    def lock(cls, owners: Iterable[str], at: datetime) -> "Plan":
        """Lock all accounts of these owners ("user:12", "match:34") in id order until the
        transaction ends: one query. Lock nothing of other owners afterwards. Raises
        TransactionManagementError.
        """
        plan = cls.over(owners, at)
        plan.lock_all()
        return plan

    @classmethod
    def over(cls, owners: Iterable[str], at: datetime) -> "Plan":
        """Return a plan that locks all accounts of these owners, and reads the iterable, when the
        first one is used. Raises TransactionManagementError outside a transaction.
        """
        # SQLite lets select_for_update pass outside a transaction, and locks nothing.
        if not connection.in_atomic_block:
            raise transaction.TransactionManagementError("a plan needs an open transaction")
        return cls(at, owners)

    def lock_all(self) -> None:
        """Lock the accounts now, if they are not locked yet."""
        if not self.is_locked:
            self.is_locked = True
            self._owners = frozenset(self._given) - {HOUSE}
            self._accounts = self.rows.lock(self._owners)

    def balance(self, ref: AccountRef) -> int:
        """Return the planned balance of a locked owner's account, 0 for none. Raises
        ledger/account_not_locked.
        """
        if ref in self._planned:
            return self._planned[ref]
        if not self.is_locked:
            self.lock_all()
        if ref.owner not in self._owners:
            refuse("ledger/account_not_locked", f"{ref.owner} is not locked")
        account = self._accounts.get(ref)
        return 0 if account is None or account.balance is None else account.balance

    def move(self, move: Move, reverses_id: int | None = None) -> None:
        """Plan one transfer; the same key and body are ignored. A LedgerError changes nothing.
        Source: docs/explanation/ledger.md "Moves".
        """
        check_move(move)
        earlier = self._by_key.get(move.key)
        if earlier is not None:
            require_same(earlier, move)
            return
        if move.credit.owner != HOUSE and self.balance(move.credit) + move.amount > MOST_BALANCE:
            refuse("limit", "an account cannot hold more", most=MOST_BALANCE)
        self._check_debit(move.debit, move.amount)
        self._shift(move.debit, -move.amount)
        self._shift(move.credit, move.amount)
        self._by_key[move.key] = move
        self._entries.append(_Entry(move, reverses_id))

    @property
    def moved(self) -> set[str]:
        """The owners from or to whose accounts something was planned to move."""
        return {ref.owner for ref in self._planned}

    def moves_of(self, code: TransferCode) -> list[Move]:
        """Return the planned moves of a code; no query shows them before ``write``."""
        return [move for move, _ in self._entries if move.code is code]

    def mark(self) -> int:
        """Return the current position, for ``rewind``."""
        return len(self._entries)

    def rewind(self, mark: int) -> None:
        """Take back every move planned since the mark."""
        while len(self._entries) > mark:
            move = self._entries.pop().move
            del self._by_key[move.key]
            self._shift(move.debit, move.amount)
            self._shift(move.credit, -move.amount)

    def write(self) -> None:
        """Write balances and transfers; the number of queries does not depend on that of moves.
        Raises ``limit``, IntegrityError.
        """
        if self._is_written:
            raise RuntimeError("a plan is written once")
        self._is_written = True
        if not self._entries:
            return
        self._create_missing()
        self._update_balances()
        self._insert_transfers()
        # Last, and by a relative update, so that its lock is held only briefly.
        self._update_treasury()

    def _check_debit(self, ref: AccountRef, amount: int) -> None:
        if ref.kind not in CACHED_KINDS:
            return
        is_treasury = ref.kind is AccountKind.TREASURY
        held = self._treasury_balance(ref) if is_treasury else self.balance(ref)
        missing, unit = amount - held, ref.unit
        if missing > 0 and unit in WEAPONS:
            refuse("ledger/insufficient_stock", _not_owned(unit), unit=unit, missing=missing)
        if missing > 0:
            raise InsufficientPoints(f"{missing} {unit.label} missing", missing=missing)

    def _treasury_balance(self, ref: AccountRef) -> int:
        """Lock the treasury if it pays; after all other accounts, to keep the order of locks."""
        self.lock_all()
        if ref not in self._accounts:
            self._accounts |= _of_house(Account.objects.select_for_update(no_key=True), {ref})
        return (self._accounts[ref].balance or 0) + self._gains().get(ref, 0)

    def _gains(self) -> dict[AccountRef, int]:
        gains: dict[AccountRef, int] = {}
        for move, _ in self._entries:
            for ref, sign in ((move.debit, -1), (move.credit, 1)):
                if ref.kind is AccountKind.TREASURY:
                    gains[ref] = gains.get(ref, 0) + sign * move.amount
        return gains

    def _shift(self, ref: AccountRef, amount: int) -> None:
        if ref.owner != HOUSE:
            self._planned[ref] = self.balance(ref) + amount

    def _create_missing(self) -> None:
        # A rewound move may have left a planned 0 for an account that nothing needs.
        moved = {ref for move, _ in self._entries for ref in (move.debit, move.credit)}
        missing = sorted(moved.intersection(self._planned).difference(self._accounts))
        made = [
            Account(owner=ref.owner, kind=ref.kind, unit=ref.unit, balance=self._planned[ref])
            for ref in missing
        ]
        Account.objects.bulk_create(made)
        self._accounts.update((ref_of(row), Held(row.pk, row.balance)) for row in made)

    def _update_balances(self) -> None:
        changed = {}
        for ref, planned in self._planned.items():
            account = self._accounts.get(ref)
            if account is not None and account.balance != planned:
                changed[account.pk] = planned
        if changed:
            self.rows.set_balances(changed)

    def _insert_transfers(self) -> None:
        moves = [move for move, _ in self._entries]
        house = {ref for move in moves for ref in (move.debit, move.credit) if ref.owner == HOUSE}
        self._accounts |= _of_house(Account.objects.all(), house.difference(self._accounts))
        self.rows.insert_transfers(
            [_row(entry, self._accounts, self.at) for entry in self._entries]
        )

    def _update_treasury(self) -> None:
        for ref, gain in sorted(self._gains().items()):
            treasury = Account.objects.filter(
                pk=self._accounts[ref].pk, balance__lte=MOST_BALANCE - gain
            )
            if not treasury.update(balance=F("balance") + gain):
                refuse("limit", "the treasury cannot hold more", most=MOST_BALANCE)


def _of_house(accounts: QuerySet[Account], refs: Iterable[AccountRef]) -> dict[AccountRef, Held]:
    wanted = Q(pk__in=())
    for ref in refs:
        wanted |= Q(kind=ref.kind, unit=ref.unit)
    found = accounts.filter(wanted, owner=HOUSE)
    return {ref_of(account): Held(account.pk, account.balance) for account in found}


def _row(entry: _Entry, accounts: dict[AccountRef, Held], at: datetime) -> TransferRow:
    move = entry.move
    return TransferRow(
        key=move.key,
        group=move.group,
        debit_id=accounts[move.debit].pk,
        credit_id=accounts[move.credit].pk,
        unit=move.debit.unit.value,
        amount=move.amount,
        code=move.code.value,
        cause=move.cause,
        reverses_id=entry.reverses_id,
        at=at,
    )


def _not_owned(unit: Unit) -> str:
    item = Item.objects.filter(unit=unit, on_sale=True).first()
    offer = f"; the shop has one for {counted(item.price, Unit.POINT)}" if item else ""
    return f"you own no {counted(1, unit).partition(' ')[2]}{offer}"
