"""Reads of the ledger, the price list and the settings."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db.models import CharField, QuerySet, Sum

from economy.models import Account, Setting, Transfer
from economy.sql import Compiled, Given, GivenMany, fetch, is_any
from economy.transfers import user_owner, wallet
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
    stored = dict(_SETTINGS.rows())
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


def _held() -> QuerySet[Any, Any]:
    owner, transfers = Given("owner", CharField()), Transfer.objects.order_by()
    gone = transfers.filter(
        debit__owner=owner, credit__kind=AccountKind.ESCROW, credit__balance__gt=0
    )
    back = transfers.filter(
        credit__owner=owner, debit__kind=AccountKind.ESCROW, debit__balance__gt=0
    )
    given = gone.values_list("credit__owner", "unit").annotate(total=Sum("amount"))
    returned = back.values_list("debit__owner", "unit").annotate(total=-Sum("amount"))
    return given.union(returned, all=True)  # no index serves an OR over the two sides


_HELD: Final = Compiled(_held)


def held_amounts(user_id: int) -> Mapping[tuple[str, Unit], int]:
    """Return what a user paid into each escrow that is not empty, minus what came back, by the
    escrow's owner and unit. What a running game has yet to settle counts as held, folded or not.
    """
    held = Counter[tuple[str, Unit]]()
    for subject, unit, total in _HELD.rows(owner=user_owner(user_id)):
        held[subject, _UNITS[unit]] += total
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
