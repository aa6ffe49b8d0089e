"""A user's statement line by line: wallets and stock, each unit with a balance of its own."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple, Self

from django import forms
from django.core.exceptions import BadRequest
from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    CharField,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.utils.datastructures import MultiValueDict

from economy.causes import Cause, Link, links_of
from economy.models import Account, Transfer
from economy.paging import FilterField, FilterForm, in_days, portions_of, rows_after
from economy.selectors import Purse, held_amounts, purse_of
from economy.sql import Compiled, Given
from economy.transfers import WORDS, MovementKind, TransferCode, codes_of, user_owner
from economy.units import MOST_BALANCE, AccountKind, Unit, complex_points, counted


def _day(text: str) -> date:
    day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    if not 2000 <= day.year <= 9000:
        raise ValueError("no day of this site")
    return day


def _line_no(text: str) -> int:
    if int(text) > MOST_BALANCE * 1000:
        raise ValueError("before is the number of a line")
    return int(text)


class BadFilter(BadRequest):
    """A key is unknown or repeated, or its value is not valid."""


class Filters(FilterForm):
    """Filters of a statement; ``before`` is the id of the last line of the page before."""

    keys = {"since": "from", "until": "to"}
    kind = forms.ChoiceField(choices=MovementKind)
    direction = forms.ChoiceField(choices={"in": "In", "out": "Out"})
    since = FilterField(_day)
    until = FilterField(_day)
    before = FilterField(_line_no, r"[0-9]{1,18}")

    @classmethod
    def read(cls, pairs: Iterable[tuple[str, list[str]]]) -> Self:
        """Read the query of an address, given as key -> all values. Raises BadFilter."""
        said = MultiValueDict(pairs)
        filters = cls(said)
        known = {filters.add_prefix(name) for name in filters.fields}
        if not known.issuperset(said) or any(len(values) != 1 for _, values in said.lists()):
            raise BadFilter("an unknown or a repeated key")
        if filters.errors:
            raise BadFilter(filters.errors.as_json())
        return filters

    def condition(self, account_ids: Sequence[int]) -> Q:
        """Return the condition on lines of these accounts, without ``before``."""
        given = self.values
        wanted = Q(pk__isnull=False) & in_days("at", given["since"], given["until"])
        if given["kind"]:
            wanted &= Q(code__in=codes_of(MovementKind(given["kind"])))
        if given["direction"]:
            side = "credit__in" if given["direction"] == "in" else "debit__in"
            wanted &= Q(**{side: account_ids})
        return wanted


LINES = 50
CHUNK = 500
_OF_GAMES: Final = frozenset(codes_of(MovementKind.GAME))


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


@dataclass(frozen=True, slots=True)
class StatementPage:
    """Some lines, newest first; ``before`` is where the next page starts, 0 after the last."""

    lines: list[Line]
    before: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A game with its movements, the newest first, or a single movement."""

    lines: tuple[Line, ...]

    @property
    def newest(self) -> Line:
        return self.lines[0]

    @property
    def movements(self) -> list["Entry"]:
        return [Entry((line,)) for line in self.lines]

    @property
    def net(self) -> tuple[int, int]:
        """Points gained minus points lost, on each axis."""
        return self._sum(Unit.POINT), self._sum(Unit.Y_POINT)

    @property
    def sign(self) -> int:
        x, y = self.net
        return (x > 0) - (x < 0) or (y > 0) - (y < 0)

    @property
    def net_words(self) -> str:
        return f"{'+' if self.sign > 0 else ''}{complex_points(*self.net)}"

    @property
    def balance_words(self) -> str:
        """The balances afterwards, of the axes that the entry changed."""
        last = {line.unit: line.balance for line in reversed(self.lines)}
        return complex_points(last.get(Unit.POINT, 0), last.get(Unit.Y_POINT, 0))

    @property
    def words(self) -> str:
        return "Game" if len(self.lines) > 1 else self.newest.words

    def _sum(self, unit: Unit) -> int:
        return sum(line.amount for line in self.lines if line.unit is unit)


def entries_of(lines: Iterable[Line]) -> list[Entry]:
    """Group the movements of each game at the place of the newest one."""
    found: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        is_game = line.code in _OF_GAMES
        key = (line.cause, 0) if is_game else ("", line.transfer_id)
        found.setdefault(key, []).append(line)
    return [Entry(tuple(together)) for together in found.values()]


@dataclass(frozen=True, slots=True)
class Held:
    """An amount of a user in a running game."""

    cause: str
    unit: Unit
    amount: int
    link: Link | None

    @property
    def words(self) -> str:
        return counted(self.amount, self.unit)


def statement_page(user_id: int, filters: Filters, *, limit: int = LINES) -> StatementPage:
    """Return a page of a user's points on both axes, newest first, with balances after each line.
    Without a filter a game's lines are all on the page of its newest one.
    """
    lines, last = _movements(_wallet_ids(user_id), filters, limit)
    return StatementPage(_explained(lines, links_of(_causes_of(lines))), last)


class WalletPage(NamedTuple):
    """A page of a user's statement, what the user has, and the amounts in running games."""

    page: StatementPage
    purse: Purse
    held: list[Held]


def wallet_page(user_id: int, filters: Filters) -> WalletPage:
    """Return the same with what the user has: three queries, five where the page tells no more
    than a part of the statement, and one more for purchases.
    """
    purse = purse_of(user_id)
    lines, last = _movements(list(purse.wallet_ids.values()), filters, LINES)
    links = links_of((*_causes_of(lines), *_games_of(purse.held)))
    return WalletPage(
        StatementPage(_explained(lines, links), last), purse, _all_held(purse.held, links)
    )


def _movements(wallets: Sequence[int], filters: Filters, limit: int) -> tuple[list[Line], int]:
    """Return the lines of a page, without links, and where the next page starts."""
    everything = _signed(wallets)
    now = Account.objects.filter(pk__in=wallets, unit=OuterRef("unit")).values("balance")
    wanted = everything.filter(filters.condition(wallets)).annotate(now=Subquery(now))
    before, is_filtered = filters.values["before"], bool(filters.query())
    if before and not is_filtered:
        told = everything.filter(pk__gte=before, code__in=_OF_GAMES)
        wanted = wanted.exclude(code__in=_OF_GAMES, cause__in=told.values("cause"))
    shown, has_more = rows_after(wanted, "-pk", before, limit)
    last = shown[-1].pk if has_more else 0
    if last and not is_filtered:
        causes = {row.cause for row in shown if row.code in _OF_GAMES}
        rest = everything.filter(pk__lt=last, code__in=_OF_GAMES, cause__in=causes)
        shown += rest.order_by("-pk")
    is_newest = not (before or is_filtered or len(shown) > limit)
    balances = _balances_now(shown) if is_newest else _balances(everything, shown)
    return [_line(row, balances[row.pk]) for row in shown], last


def statement_chunks(user_id: int, filters: Filters) -> Iterator[list[Line]]:
    """Yield the selected lines of a user's points, oldest first: those of one query at a time."""
    wallets, balances = _wallet_ids(user_id), Counter[Unit]()
    condition = Case(
        When(filters.condition(wallets), then=Value(value=True)),
        default=Value(value=False),
        output_field=BooleanField(),
    )
    for rows in portions_of(_signed(wallets).annotate(is_wanted=condition), CHUNK):
        lines = []
        for row in rows:
            unit = Unit(row.unit)
            balances[unit] += row.signed
            if row.is_wanted:
                lines.append(_line(row, balances[unit]))
        yield _explained(lines, links_of(_causes_of(lines)))


def stock_page(user_id: int, *, before: int = 0, limit: int = LINES) -> StatementPage:
    """Return a page of the movements of a user's stock, newest first, with its number of that
    weapon.
    """
    stocks = Account.objects.filter(owner=user_owner(user_id), kind=AccountKind.STOCK)
    rows = _signed(list(stocks.values_list("pk", flat=True)))
    found, has_more = rows_after(rows, "-pk", before, limit)
    balances = _balances(rows, found)
    lines = [_line(row, balances[row.pk]) for row in found]
    explained = _explained(lines, links_of(_causes_of(lines)))
    return StatementPage(explained, found[-1].pk if has_more else 0)


def held_by(user_id: int) -> list[Held]:
    """Return a user's amounts in running games, points first; only the owner may see it."""
    held = held_amounts(user_id)
    return _all_held(held, links_of(_games_of(held)))


def _games_of(held: Mapping[tuple[str, Unit], int]) -> list[Cause]:
    return [Cause(TransferCode.PURSE, subject) for subject, _ in held]


def _all_held(held: Mapping[tuple[str, Unit], int], links: Mapping[Cause, Link]) -> list[Held]:
    order = list(Unit)
    return [
        Held(subject, unit, amount, links.get(Cause(TransferCode.PURSE, subject)))
        for (subject, unit), amount in sorted(held.items(), key=lambda p: order.index(p[0][1]))
        if amount > 0
    ]


def fate_of(user_id: int, lines: Sequence[Line]) -> dict[int, str]:
    """Return transfer -> what happened to the weapons that these lines took into games."""
    taken = [line for line in lines if line.code == TransferCode.ITEM_IN]
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


def _wallet_ids(user_id: int) -> list[int]:
    return [pk for (pk,) in _WALLETS.rows(owner=user_owner(user_id))]


_WALLETS: Final = Compiled(
    lambda: Account.objects.filter(
        owner=Given("owner", CharField()), kind=AccountKind.WALLET
    ).values_list("pk")
)


# Every transfer of an account was made under its lock, so ids are in the order of its movements.
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
    earlier = everything.filter(pk__lt=oldest).order_by().values("unit").annotate(no=Value(0))
    sums = earlier.annotate(total=Sum("signed")).values_list("no", "unit", "total")
    between = everything.filter(pk__gte=oldest, pk__lte=newest).order_by()
    moved = sums.union(between.values_list("pk", "unit", "signed"), all=True)
    held, balances = Counter[str](), {}
    for pk, unit, amount in sorted(moved):
        held[unit] += amount
        balances[pk] = held[unit]
    return balances


def _balances_now(shown: Sequence[Any]) -> dict[int, int]:
    """Return the same for all of the newest lines: back from the balance ``now``."""
    held, balances = dict[str, int](), {}
    for row in shown:
        balances[row.pk] = held.setdefault(row.unit, row.now)
        held[row.unit] -= row.signed
    return balances


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


def _causes_of(lines: Iterable[Line]) -> list[Cause]:
    return [Cause(line.code, line.cause) for line in lines]


def _explained(lines: Sequence[Line], links: Mapping[Cause, Link]) -> list[Line]:
    goods = _goods([line.group for line in lines if line.code == TransferCode.PURCHASE])
    return [
        replace(
            line,
            words=goods.get(line.group, line.words),
            link=links.get(Cause(line.code, line.cause)),
        )
        for line in lines
    ]


def _goods(groups: Sequence[str]) -> Mapping[str, str]:
    if not groups:
        return {}
    rows = Transfer.objects.filter(group__in=groups, code=TransferCode.ITEM_ISSUE)
    return {
        group: f"Bought {counted(amount, Unit(unit))}"
        for group, unit, amount in rows.values_list("group", "unit", "amount")
    }
