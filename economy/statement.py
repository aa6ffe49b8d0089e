"""A user's statement line by line: wallets and stock, with the cause of each line.

A line of points of the y-axis has that unit; each of the two has a balance of its own.

Nothing here writes.  Lines are in the order of their ids: every transfer of an account was made
under that account's lock, so for one account that is the order in which they happened.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, BooleanField, Case, F, Q, QuerySet, Sum, Value, When

from economy.cause_links import Cause, Link, links_of
from economy.codes import TransferCode
from economy.filters import Filters
from economy.labels import WORDS, MovementKind, codes_of, counted
from economy.models import Account, Transfer
from economy.transfers import user_owner
from economy.units import AccountKind, Unit, complex_points

LINES = 50
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Line:
    """One movement: a negative ``amount`` left the account; ``balance`` is the one afterwards."""

    transfer_id: int
    at: datetime
    code: TransferCode
    unit: Unit
    amount: int
    balance: int
    cause: str
    group: str
    words: str
    link: Link | None = None

    @property
    def amount_words(self) -> str:
        """The amount with its sign; of the y-axis, as such."""
        return f"{'+' if self.amount > 0 else ''}{self._written(self.amount)}"

    @property
    def balance_words(self) -> str:
        """The balance; of the y-axis, as such."""
        return self._written(self.balance)

    def _written(self, amount: int) -> str:
        is_y = self.unit is Unit.Y_POINT
        return complex_points(0 if is_y else amount, amount if is_y else 0)


@dataclass(frozen=True, slots=True)
class Page:
    """Some lines, newest first; ``before`` is where the next page starts, 0 after the last."""

    lines: list[Line]
    before: int


@dataclass(frozen=True, slots=True)
class Held:
    """An amount of a user in a running game."""

    cause: str
    unit: Unit
    amount: int
    link: Link | None

    @property
    def words(self) -> str:
        """The amount with its noun."""
        return counted(self.amount, self.unit)


def statement_page(user_id: int, filters: Filters, *, limit: int = LINES) -> Page:
    """Return a page of a user's points on both axes, newest first, with balances after each line.
    Without a filter a game's lines are all on the page of its newest one, and on no other.
    """
    wallets = _wallet_ids(user_id)
    everything = _signed(wallets)
    wanted = everything.filter(filters.condition(wallets))
    if filters.before:
        wanted = wanted.filter(pk__lt=filters.before)
        if filters.is_empty:
            told = everything.filter(pk__gte=filters.before, code__in=_OF_GAMES)
            wanted = wanted.exclude(code__in=_OF_GAMES, cause__in=told.values("cause"))
    rows = list(wanted.order_by("-pk")[: limit + 1])
    shown, last = rows[:limit], rows[limit - 1].pk if len(rows) > limit else 0
    if last and filters.is_empty:
        causes = {row.cause for row in shown if row.code in _OF_GAMES}
        rest = everything.filter(pk__lt=last, code__in=_OF_GAMES, cause__in=causes)
        shown += rest.order_by("-pk")
    balances = _balances(everything, shown)
    return Page(_explained(_line(row, balances[row.pk]) for row in shown), last)


def statement_chunk(
    user_id: int, filters: Filters, after: int, balances: Counter[Unit]
) -> tuple[list[Line], int]:
    """Return the next selected lines of a user's points on both axes, oldest first, for a download.

    Args:
        after: the last transfer read so far, 0 at first.
        balances: the balances after that transfer; updated in place.

    Returns:
        the lines, and ``after`` for the next call, 0 at the end.
    """
    wallets = _wallet_ids(user_id)
    rows = _signed(wallets).filter(pk__gt=after).order_by("pk")
    condition = Case(
        When(filters.condition(wallets), then=Value(value=True)),
        default=Value(value=False),
        output_field=BooleanField(),
    )
    lines = []
    looked_at = list(rows.annotate(is_wanted=condition)[:CHUNK])
    for row in looked_at:
        unit = Unit(row.unit)
        balances[unit] += row.signed
        if row.is_wanted:
            lines.append(_line(row, balances[unit]))
    return _explained(lines), looked_at[-1].pk if len(looked_at) == CHUNK else 0


def stock_page(user_id: int, *, before: int = 0, limit: int = LINES) -> Page:
    """Return a page of the movements of a user's stock, newest first. ``balance`` is the number of
    that weapon in the stock afterwards.
    """
    stocks = Account.objects.filter(owner=user_owner(user_id), kind=AccountKind.STOCK)
    rows = _signed(list(stocks.values_list("pk", flat=True)))
    wanted = rows.filter(pk__lt=before) if before else rows
    found = list(wanted.order_by("-pk")[: limit + 1])
    lines = []
    left = _held_after(rows, found[0].pk) if found else {}
    for row in found[:limit]:
        unit = Unit(row.unit)
        lines.append(_line(row, left[unit]))
        left[unit] -= row.signed
    return Page(_explained(lines), found[limit - 1].pk if len(found) > limit else 0)


def held_by(user_id: int) -> list[Held]:
    """Return a user's amounts in running games, points first; only the owner may see it."""
    owner = user_owner(user_id)
    gone = Transfer.objects.filter(
        debit__owner=owner, credit__kind=AccountKind.ESCROW, credit__balance__gt=0
    )
    back = Transfer.objects.filter(
        credit__owner=owner, debit__kind=AccountKind.ESCROW, debit__balance__gt=0
    )
    held = _sums(gone, "credit__owner")
    for key, amount in _sums(back, "debit__owner").items():
        held[key] = held.get(key, 0) - amount
    links = links_of(Cause(TransferCode.PURSE, subject) for subject, _ in held)
    order = list(Unit)
    return [
        Held(subject, unit, amount, links.get(Cause(TransferCode.PURSE, subject)))
        for (subject, unit), amount in sorted(held.items(), key=lambda p: order.index(p[0][1]))
        if amount > 0
    ]


def fate_of(user_id: int, lines: Sequence[Line]) -> dict[int, str]:
    """Return what happened to the weapons that these lines took into games, by transfer."""
    taken = [line for line in lines if line.code in _TAKEN]
    subjects = {line.cause for line in taken}
    escrows = Account.objects.filter(owner__in=subjects, kind=AccountKind.ESCROW, balance__gt=0)
    in_play = set(escrows.values_list("owner", "unit"))
    refunds = Transfer.objects.filter(
        code=TransferCode.ITEM_BACK, cause__in=subjects, credit__owner=user_owner(user_id)
    )
    returned = set(refunds.values_list("cause", "unit"))
    fates = {}
    for line in taken:
        key = (line.cause, line.unit.value)
        fate = "returned" if key in returned else "used up"
        fates[line.transfer_id] = "in play" if key in in_play else fate
    return fates


_OF_GAMES = frozenset(codes_of(MovementKind.GAME))
_TAKEN = frozenset({TransferCode.ITEM_IN})


def _wallet_ids(user_id: int) -> list[int]:
    wallets = Account.objects.filter(owner=user_owner(user_id), kind=AccountKind.WALLET)
    return list(wallets.values_list("pk", flat=True))


def _signed(account_ids: Sequence[int]) -> QuerySet[Any]:
    """Return the transfers of these accounts with their signs; none connects two of these."""
    rows = Transfer.objects.filter(Q(debit__in=account_ids) | Q(credit__in=account_ids))
    outwards = When(debit__in=account_ids, then=-F("amount"))
    sign = Case(outwards, default=F("amount"), output_field=BigIntegerField())
    return rows.annotate(signed=sign)


def _balances(everything: QuerySet[Any], shown: Sequence[Transfer]) -> dict[int, int]:
    """Return the balance after each shown line, counted over all lines, also filtered ones."""
    if not shown:
        return {}
    newest, oldest = shown[0].pk, shown[-1].pk
    held = Counter(_held_after(everything, oldest - 1))
    between = everything.filter(pk__gte=oldest, pk__lte=newest).order_by("pk")
    balances = {}
    for pk, unit, amount in between.values_list("pk", "unit", "signed"):
        held[Unit(unit)] += amount
        balances[pk] = held[Unit(unit)]
    return balances


def _held_after(rows: QuerySet[Any], newest: int) -> dict[Unit, int]:
    """Return the balance of each unit after a transfer."""
    moved = rows.filter(pk__lte=newest).order_by().values("unit").annotate(total=Sum("signed"))
    return {Unit(row["unit"]): row["total"] for row in moved}


def _line(row: Any, balance: int) -> Line:
    code = TransferCode(row.code)
    return Line(
        transfer_id=row.pk,
        at=row.at,
        code=code,
        unit=Unit(row.unit),
        amount=row.signed,  # annotated by _signed
        balance=balance,
        cause=row.cause,
        group=row.group,
        words=WORDS[code].title,
    )


def _explained(lines: Iterable[Line]) -> list[Line]:
    """Add the links of the causes and the purchased items to the lines."""
    plain = list(lines)
    links = links_of(Cause(line.code, line.cause) for line in plain)
    goods = _goods([line.group for line in plain if line.code == TransferCode.PURCHASE])
    return [
        replace(
            line,
            words=goods.get(line.group, line.words),
            link=links.get(Cause(line.code, line.cause)),
        )
        for line in plain
    ]


def _goods(groups: Sequence[str]) -> Mapping[str, str]:
    """Return the purchased items of each of these purchases."""
    if not groups:
        return {}
    rows = Transfer.objects.filter(group__in=groups, code=TransferCode.ITEM_ISSUE)
    return {
        group: f"Bought {counted(amount, Unit(unit))}"
        for group, unit, amount in rows.values_list("group", "unit", "amount")
    }


def _sums(transfers: QuerySet[Transfer], owner: str) -> dict[tuple[str, Unit], int]:
    rows: Iterator[tuple[str, str, int]] = (
        transfers.order_by().values_list(owner, "unit").annotate(total=Sum("amount")).iterator()
    )
    return {(subject, Unit(unit)): total for subject, unit, total in rows}
