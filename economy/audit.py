"""Looking for broken invariants of the ledger.  Source: docs/ledger.md "Invariants".

Every check is a single statement, so that writers who go on meanwhile cannot
make it see half of a change.  Other packages add checks of their own with
``register_check``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from economy import triggers
from economy.codes import FLOWS, TransferCode
from economy.expressions import IsInteger
from economy.models import Account, Transfer
from economy.units import CACHED_KINDS, LEAST_AMOUNT, MOST_AMOUNT, MOST_BALANCE, AccountKind

#: Takes the instant to look back to, None for everything; gives sentences.
Check = Callable[[datetime | None], Iterable[str]]

_registered: list[Check] = []

#: Codes under which something may come into being.
_ISSUES: Final = frozenset(
    {code for code, (debit, _) in FLOWS.items() if debit is AccountKind.MINT}
    | {TransferCode.ADMIN_ADJUST, TransferCode.REVERSAL}
)


def register_check(check: Check) -> Check:
    """Add a check of another package to every audit; usable as a decorator."""
    if check not in _registered:
        _registered.append(check)
    return check


def find_violations() -> list[str]:
    """Check the whole ledger; an empty list is the proof that it holds."""
    return [*_find(None), *_prefixes(), *_sums(), *_twice()]


def find_recent_violations(since: datetime) -> list[str]:
    """Check the guards, the transfers since an instant and the accounts they touched."""
    return list(_find(since))


def _find(since: datetime | None) -> Iterator[str]:
    transfers = Transfer.objects.all() if since is None else Transfer.objects.filter(at__gte=since)
    yield from _guards()
    yield from _malformed(transfers)
    yield from _wrong_units(transfers)
    yield from _wrong_flows(transfers)
    yield from _wrong_reversals(transfers)
    yield from _broken_purchases(transfers)
    yield from _second_grants(transfers)
    yield from _balances(_touched(transfers, since))
    for check in _registered:
        yield from check(since)


def _touched(transfers: QuerySet[Transfer], since: datetime | None) -> QuerySet[Account]:
    if since is None:
        return Account.objects.all()
    return Account.objects.filter(
        Q(pk__in=transfers.values("debit")) | Q(pk__in=transfers.values("credit"))
    )


def _guards() -> Iterator[str]:
    for name in triggers.all_missing(connection):
        yield f"L5 guard {name} is missing"


def _malformed(transfers: QuerySet[Transfer]) -> Iterator[str]:
    wrong = (
        ~Q(IsInteger("amount"))
        | Q(amount__lt=LEAST_AMOUNT)
        | Q(amount__gt=MOST_AMOUNT)
        | Q(debit=F("credit"))
    )
    for transfer in transfers.filter(wrong).values("pk", "amount"):
        yield f"L2 transfer {transfer['pk']} is malformed: amount {transfer['amount']}"


def _wrong_units(transfers: QuerySet[Transfer]) -> Iterator[str]:
    wrong = ~Q(debit__unit=F("unit")) | ~Q(credit__unit=F("unit"))
    for pk in transfers.filter(wrong).values_list("pk", flat=True):
        yield f"L2 transfer {pk} is not in the unit of its accounts"


def _wrong_flows(transfers: QuerySet[Transfer]) -> Iterator[str]:
    allowed = Q(code__in=(TransferCode.ADMIN_ADJUST, TransferCode.REVERSAL))
    for code, (debit, credit) in FLOWS.items():
        allowed |= Q(code=code, debit__kind=debit, credit__kind=credit)
    for transfer in transfers.exclude(pk__in=transfers.filter(allowed).values("pk")):
        yield f"L12 transfer {transfer.pk} is no {transfer.code}: wrong kinds of accounts"
    minted = transfers.filter(debit__kind=AccountKind.MINT).exclude(code__in=_ISSUES)
    for pk in minted.values_list("pk", flat=True):
        yield f"L12 transfer {pk} issues without authority"


def _wrong_reversals(transfers: QuerySet[Transfer]) -> Iterator[str]:
    mirrored = Q(
        reverses__isnull=False,
        reverses__reverses__isnull=True,
        reverses__amount=F("amount"),
        reverses__debit=F("credit"),
        reverses__credit=F("debit"),
        code=TransferCode.REVERSAL,
    )
    plain = Q(reverses__isnull=True) & ~Q(code=TransferCode.REVERSAL)
    right = transfers.filter(mirrored | plain).values("pk")
    for pk in transfers.exclude(pk__in=right).values_list("pk", flat=True):
        yield f"L5 transfer {pk} is no mirror of the one it reverses"


def _broken_purchases(transfers: QuerySet[Transfer]) -> Iterator[str]:
    halves = (
        transfers.filter(code__in=(TransferCode.PURCHASE, TransferCode.ITEM_ISSUE))
        .values("group")
        .annotate(
            paid=Count("pk", filter=Q(code=TransferCode.PURCHASE)),
            given=Count("pk", filter=Q(code=TransferCode.ITEM_ISSUE)),
        )
        .filter(~Q(paid=F("given")))
    )
    for half in halves:
        yield f"L7 group {half['group']}: {half['paid']} paid, {half['given']} given"


def _second_grants(transfers: QuerySet[Transfer]) -> Iterator[str]:
    granted = Transfer.objects.filter(
        code=TransferCode.SIGNUP_GRANT,
        credit__in=transfers.filter(code=TransferCode.SIGNUP_GRANT).values("credit"),
    )
    counts = granted.values("credit__owner").annotate(count=Count("pk")).filter(count__gt=1)
    for row in counts:
        yield f"L12 {row['credit__owner']} got {row['count']} starting grants"


def _total(of: str) -> Coalesce:
    sums = Transfer.objects.filter(**{of: OuterRef("pk")}).order_by().values(of)
    return Coalesce(Subquery(sums.annotate(total=Sum("amount")).values("total")), 0)


def _balances(accounts: QuerySet[Account]) -> Iterator[str]:
    rows = accounts.annotate(true_balance=_total("credit") - _total("debit"))
    cached = Q(kind__in=sorted(CACHED_KINDS))
    within = Q(balance__gte=0, balance__lte=MOST_BALANCE) & Q(IsInteger("balance"))
    good = (cached & within & Q(balance=F("true_balance"))) | (~cached & Q(balance__isnull=True))
    # Everything that is not provably good, so that a null is found as well.
    for account in rows.annotate(is_good=good).filter(~Q(is_good=True) | Q(is_good__isnull=True)):
        told = account.true_balance
        yield f"{_article(account)} {account}: balance {account.balance}, transfers say {told}"


def _article(account: Account) -> str:
    if account.balance is not None and account.balance < 0:
        return "L3"
    if account.balance is not None and account.balance > MOST_BALANCE:
        return "L15"
    return "L4"


def _prefixes() -> Iterator[str]:
    """No kept account was ever below 0 on the way, in the order its transfers were made."""
    kinds = dict(Account.objects.values_list("pk", "kind"))
    held: Counter[int] = Counter()
    overdrawn = set()
    rows = Transfer.objects.order_by("pk").values_list("pk", "debit", "credit", "amount")
    for pk, debit, credit, amount in rows.iterator():
        held[debit] -= amount
        held[credit] += amount
        if held[debit] < 0 and kinds.get(debit) in CACHED_KINDS and debit not in overdrawn:
            overdrawn.add(debit)
            yield f"L3 account {debit} is overdrawn by transfer {pk}"


def _sums() -> Iterator[str]:
    """What all kept accounts hold is what was ever issued and not yet used up."""
    cached = Q(kind__in=sorted(CACHED_KINDS))
    rows = (
        Account.objects.annotate(true_balance=_total("credit") - _total("debit"))
        .values("unit")
        .annotate(
            kept=Coalesce(Sum("balance", filter=cached), 0),
            issued=Coalesce(Sum("true_balance", filter=~cached), 0),
        )
    )
    for row in rows:
        if row["kept"] + row["issued"] != 0:
            yield f"L1 {row['unit']}: accounts hold {row['kept']}, issued {-row['issued']}"


def _twice() -> Iterator[str]:
    for name in ("key", "reverses"):
        rows = Transfer.objects.exclude(**{name: None}).values(name).annotate(count=Count("pk"))
        for row in rows.filter(count__gt=1):
            yield f"L6 {name} {row[name]} is there {row['count']} times"
