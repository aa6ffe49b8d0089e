"""Reads of the ledger, the price list and the settings."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import BigIntegerField, CharField, QuerySet, Sum, Value

from economy.models import Account, Setting, Transfer
from economy.sql import Compiled, Given, GivenMany, fetch, is_any
from economy.transfers import TransferCode, user_owner, wallet
from economy.tunables import TUNABLES
from economy.units import WEAPONS, AccountKind, Unit

_UNITS: Final = {unit.value: unit for unit in Unit}
_SETTINGS: Final = Compiled(lambda: Setting.objects.values_list("name", "value"))
_SETTING: Final = Compiled(
    lambda: Setting.objects.filter(name=Given("name", CharField())).values_list("value")
)


def setting(name: str) -> int:
    """Return the value of a tunable number, its default if no admin has set it. Raises KeyError."""
    tunable = TUNABLES[name]
    stored = _SETTING.rows(name=name)
    return stored[0][0] if stored else tunable.default


def settings_starting(prefix: str) -> dict[str, int]:
    """Return all tunables whose name has this prefix, by full name: one query."""
    return with_defaults(dict(_SETTINGS.rows()), prefix)


def with_defaults(stored: Mapping[str, int], prefix: str) -> dict[str, int]:
    """Return the same from the numbers that administrators have set."""
    return {
        name: stored.get(name, tunable.default)
        for name, tunable in TUNABLES.items()
        if name.startswith(prefix)
    }


def grant_after(met: int, numbers: Mapping[str, int] | None = None) -> int:
    """Return the points of the grant that an account has after games with a number of others."""
    numbers = numbers or settings_starting("grant.")
    whole, games = numbers["grant.signup"], numbers["grant.games"]
    at_once = -(-whole * numbers["grant.at_once"] // 100)
    return at_once + (whole - at_once) * min(met, games) // games


def balance_of(user_id: int, unit: Unit = Unit.POINT) -> int:
    """Return a user's points in the wallet, not in running games."""
    wallets = Account.objects.filter(owner=user_owner(user_id), kind=AccountKind.WALLET, unit=unit)
    return wallets.values_list("balance", flat=True).first() or 0


_BALANCES: Final = Compiled(
    lambda: Account.objects.filter(
        owner__in=GivenMany("owners", CharField()),
        kind=AccountKind.WALLET,
        unit=Given("unit", CharField()),
    ).values_list("owner", "balance")
)


def balances_of(user_ids: list[int], unit: Unit = Unit.POINT) -> dict[int, int]:
    """Return the wallets' points of several users: one query."""
    owners = [user_owner(user_id) for user_id in user_ids]
    found = dict(_BALANCES.rows(owners=owners, unit=unit))
    return {user_id: found.get(user_owner(user_id)) or 0 for user_id in user_ids}


def is_broke(user_id: int) -> bool:
    """Whether a user's points, those in running games included, are below ``stipend.floor``."""
    floor, balance = setting("stipend.floor"), balance_of(user_id)
    return balance < floor and balance + held_in_games(user_id) < floor


def _held() -> list[QuerySet[Any, Any]]:
    owner, transfers = Given("owner", CharField()), Transfer.objects.order_by()
    gone = transfers.filter(
        debit__owner=owner, credit__kind=AccountKind.ESCROW, credit__balance__gt=0
    )
    back = transfers.filter(
        credit__owner=owner, debit__kind=AccountKind.ESCROW, debit__balance__gt=0
    )
    given = gone.values_list("credit__owner", "unit").annotate(total=Sum("amount"))
    returned = back.values_list("debit__owner", "unit").annotate(total=-Sum("amount"))
    return [given, returned]  # no index serves an OR over the two sides


_HELD: Final = Compiled(lambda: _together(_held()))


class Purse(NamedTuple):
    """A user's wallets by unit, what ``held_amounts`` tells, the grant's numbers, and the points of
    it that were paid.
    """

    wallet_ids: Mapping[Unit, int]
    balances: Mapping[Unit, int]
    held: Mapping[tuple[str, Unit], int]
    grant: Mapping[str, int]
    granted: int


def _purse() -> QuerySet[Any, Any]:
    owner = Given("owner", CharField())
    wallets = Account.objects.filter(owner=owner, kind=AccountKind.WALLET)
    # The cause of each part of the grant is its user, and causes have an index.
    paid = Transfer.objects.filter(cause=owner, code=TransferCode.SIGNUP_GRANT).order_by()
    numbers = Setting.objects.filter(name__startswith="grant.")
    return _together(
        [
            _part("wallet", wallets, "owner", "unit", "balance", "pk"),
            *(
                _part("held", rows, f"{side}__owner", "unit", "total", "none")
                for side, rows in zip(("credit", "debit"), _held(), strict=True)
            ),
            _part("paid", paid.values("cause", "unit").annotate(total=Sum("amount")),
                  "cause", "unit", "total", "none"),
            _part("number", numbers, "name", "name", "value", "none"),
        ]
    )  # fmt: skip


def _part(kind: str, rows: Any, *columns: str) -> Any:
    known = rows.annotate(part=Value(kind), none=Value(0, BigIntegerField()))
    return known.values_list("part", *columns)


def _together(parts: list[QuerySet[Any, Any]]) -> QuerySet[Any, Any]:
    return parts[0].union(*parts[1:], all=True)


_PURSE: Final = Compiled(_purse)


def purse_of(user_id: int) -> Purse:
    """Return what a user has: one query."""
    found = _PURSE.rows(owner=user_owner(user_id))
    # PostgreSQL adds up to decimals.
    rows = [(*row[:3], int(row[3]), row[4]) for row in found]
    wallets = [row for row in rows if row[0] == "wallet"]
    stored = {name: value for part, name, _, value, _ in rows if part == "number"}
    return Purse(
        {_UNITS[unit]: pk for _, _, unit, _, pk in wallets},
        {_UNITS[unit]: balance for _, _, unit, balance, _ in wallets},
        _summed(row[1:4] for row in rows if row[0] == "held"),
        with_defaults(stored, "grant."),
        sum(total for part, _, _, total, _ in rows if part == "paid"),
    )


def held_amounts(user_id: int) -> Mapping[tuple[str, Unit], int]:
    """Return what a user paid into each escrow that is not empty, minus what came back, by the
    escrow's owner and unit. What a running game has yet to settle counts as held, folded or not.
    """
    return _summed(_HELD.rows(owner=user_owner(user_id)))


def _summed(rows: Iterable[Sequence[Any]]) -> Mapping[tuple[str, Unit], int]:
    held = Counter[tuple[str, Unit]]()
    for subject, unit, total in rows:
        held[subject, _UNITS[unit]] += int(total)
    return held


def held_in_games(user_id: int) -> int:
    """Return a user's points in running games."""
    held = held_amounts(user_id).items()
    return sum(amount for (_, unit), amount in held if unit is Unit.POINT)


def belongings_of(user_ids: Iterable[int]) -> dict[int, dict[Unit, int]]:
    """Return the wallets' points and the stocks of several users: one query."""
    by_owner = {user_owner(user_id): user_id for user_id in user_ids}
    nothing = dict.fromkeys((Unit.POINT, *WEAPONS), 0)
    found = {user_id: dict(nothing) for user_id in by_owner.values()}
    is_theirs, owners = is_any("owner", by_owner, "text")
    # Raw SQL: the ORM took 6.3 times the time (SQLite; 3.7 on PostgreSQL; 2026-11-27).
    rows = fetch(
        f"SELECT owner, unit, balance FROM economy_account WHERE {is_theirs}"  # noqa: S608
        " AND (kind = 'wallet' AND unit = 'POINT' OR kind = 'stock')",
        [owners],
    )
    for owner, unit, balance in rows:
        found[by_owner[owner]][_UNITS[unit]] = balance or 0
    return found


def stock_of(user_id: int) -> dict[Unit, int]:
    """Return a user's stock of each weapon."""
    rows = Account.objects.filter(owner=user_owner(user_id), kind=AccountKind.STOCK).values_list(
        "unit", "balance"
    )
    found = dict(rows)
    return {unit: found.get(unit.value) or 0 for unit in WEAPONS}


def has_wallet(user_id: int) -> bool:
    """Whether a user has a wallet."""
    return Account.objects.filter(**wallet(user_id)._asdict()).exists()
