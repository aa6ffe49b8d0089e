"""Search for broken invariants of the ledger.
Source: docs/explanation/ledger.md "Invariants".
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import connection
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Concat, Substr
from tqdm import tqdm

from economy import triggers
from economy.expressions import IsInteger
from economy.models import ALONE_AT_MOST, SHORTEST_REASON, Account, Adjustment, Transfer
from economy.parts import given
from economy.sql import fixed_rows
from economy.transfers import FLOWS, TransferCode
from economy.units import CACHED_KINDS, LEAST_AMOUNT, MOST_AMOUNT, MOST_BALANCE, AccountKind

Transfers = QuerySet[Transfer]
Rows = QuerySet[Any, tuple[Any, ...]]

#: Codes of transfers that create units.
_ISSUES: Final = frozenset(
    {code for code, (debit, _) in FLOWS.items() if debit is AccountKind.MINT}
    | {TransferCode.ADMIN_ADJUST, TransferCode.REVERSAL}
)


def find_violations() -> list[str]:
    """Check the whole ledger; return a sentence for each violation."""
    checks = [*_checks(None), _prefixes, _sums, _twice]
    shown = tqdm(checks, "audit", unit=" checks", disable=None)
    return [sentence for check in shown for sentence in check()]


def find_recent_violations(since: datetime) -> list[str]:
    """Check the guards, the transfers since an instant and the accounts they touched."""
    return [sentence for check in _checks(since) for sentence in check()]


# Each check is one statement, so that it never sees half of a concurrent change; that of
# adjustments looks twice.
def _checks(since: datetime | None) -> list[Callable[[], Iterable[str]]]:
    recent = None if since is None else Transfer.objects.filter(at__gte=since)
    return [
        _missing_guards,
        *(partial(_rows, query, sentence, recent) for query, sentence in _QUERIES),
        partial(_balances, recent),
        partial(_wrong_adjustments, since),
        *(partial(check, since) for check in given("checks")),
    ]


def _missing_guards() -> Iterator[str]:
    for name in triggers.all_missing(connection):
        yield f"L5 guard {name} is missing"


def _rows(
    query: Callable[[Transfers], Rows], sentence: str, recent: Transfers | None
) -> Iterator[str]:
    rows = fixed_rows(query, Transfer) if recent is None else query(recent)
    yield from (sentence.format(*row) for row in rows)


def _malformed(transfers: Transfers) -> Rows:
    wrong = (
        ~Q(IsInteger("amount"))
        | Q(amount__lt=LEAST_AMOUNT)
        | Q(amount__gt=MOST_AMOUNT)
        | Q(debit=F("credit"))
    )
    return transfers.filter(wrong).values_list("pk", "amount")


def _wrong_units(transfers: Transfers) -> Rows:
    wrong = ~Q(debit__unit=F("unit")) | ~Q(credit__unit=F("unit"))
    return transfers.filter(wrong).values_list("pk")


def _wrong_flows(transfers: Transfers) -> Rows:
    allowed = Q(code__in=(TransferCode.ADMIN_ADJUST, TransferCode.REVERSAL))
    for code, (debit, credit) in FLOWS.items():
        allowed |= Q(code=code, debit__kind=debit, credit__kind=credit)
    wrong = transfers.exclude(pk__in=transfers.filter(allowed).values("pk"))
    return wrong.values_list("pk", "code")


def _issued_without_authority(transfers: Transfers) -> Rows:
    minted = transfers.filter(debit__kind=AccountKind.MINT).exclude(code__in=_ISSUES)
    return minted.values_list("pk")


def _wrong_reversals(transfers: Transfers) -> Rows:
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
    return transfers.exclude(pk__in=right).values_list("pk")


def _broken_purchases(transfers: Transfers) -> Rows:
    paid = Count("pk", filter=Q(code=TransferCode.PURCHASE))
    given = Count("pk", filter=Q(code=TransferCode.ITEM_ISSUE))
    bought = transfers.filter(code__in=(TransferCode.PURCHASE, TransferCode.ITEM_ISSUE))
    # An expression, because for a column with an index a database may read all groups.
    groups = bought.annotate(named=Concat("group", Value("")))
    halves = groups.values("named").annotate(paid=paid, given=given).filter(~Q(paid=F("given")))
    return halves.values_list("named", "paid", "given")


def _foreign_grants(transfers: Transfers) -> Rows:
    first = Concat(Value("signup:"), Substr("credit__owner", len("user:") + 1))
    granted = transfers.filter(code=TransferCode.SIGNUP_GRANT).annotate(first=first)
    later = Q(key__startswith=Concat(F("first"), Value("/")))
    return granted.exclude(Q(key=F("first")) | later).values_list("pk")


#: A query on transfers, and the sentence for each row that it finds.
_QUERIES: Final[tuple[tuple[Callable[[Transfers], Rows], str], ...]] = (
    (_malformed, "L2 transfer {} is malformed: amount {}"),
    (_wrong_units, "L2 transfer {} is not in the unit of its accounts"),
    (_wrong_flows, "L12 transfer {} is no {}: wrong kinds of accounts"),
    (_issued_without_authority, "L12 transfer {} issues without authority"),
    (_wrong_reversals, "L5 transfer {} is no mirror of the one it reverses"),
    (_broken_purchases, "L7 group {}: {} paid, {} given"),
    (_foreign_grants, "L12 transfer {} is no part of its wallet's grant"),
)


def _total(of: str) -> Coalesce:
    sums = Transfer.objects.filter(**{of: OuterRef("pk")}).order_by().values(of)
    return Coalesce(Subquery(sums.annotate(total=Sum("amount")).values("total")), 0)


def _wrong_balances(accounts: QuerySet[Account]) -> Rows:
    cached = Q(kind__in=sorted(CACHED_KINDS))
    within = Q(balance__gte=0, balance__lte=MOST_BALANCE) & Q(IsInteger("balance"))
    good = (cached & within & Q(balance=F("true_balance"))) | (~cached & Q(balance__isnull=True))
    # Select everything not provably valid, so that a null is found as well.
    judged = accounts.annotate(true_balance=_total("credit") - _total("debit"), is_good=good)
    bad = judged.filter(~Q(is_good=True) | Q(is_good__isnull=True))
    return bad.values_list("owner", "kind", "unit", "balance", "true_balance")


def touched_accounts(transfers: Transfers) -> set[int]:
    """Return the accounts of both sides of these transfers."""
    # By a statement of its own: inside another one a database may read all accounts.
    return {pk for pair in transfers.values_list("debit", "credit") for pk in pair}


def _balances(transfers: Transfers | None) -> Iterator[str]:
    if transfers is None:
        rows = fixed_rows(_wrong_balances, Account)
    else:
        rows = list(_wrong_balances(Account.objects.filter(pk__in=touched_accounts(transfers))))
    for owner, kind, unit, balance, told in rows:
        account = f"{owner} {kind} {unit}"
        yield f"{_article(balance)} {account}: balance {balance}, transfers say {told}"


def _article(balance: int | None) -> str:
    if balance is not None and balance < 0:
        return "L3"
    if balance is not None and balance > MOST_BALANCE:
        return "L15"
    return "L4"


def _prefixes() -> Iterator[str]:
    """Find kept accounts that were below 0 at some time (L3)."""
    cached = Account.objects.filter(kind__in=sorted(CACHED_KINDS))
    kept = set(cached.values_list("pk", flat=True))
    held: Counter[int] = Counter()
    overdrawn = set()
    rows = Transfer.objects.order_by("pk").values_list("pk", "debit", "credit", "amount")
    count = rows.count() if sys.stderr.isatty() else None
    shown = tqdm(rows.iterator(), "transfers", count, leave=False, unit="", disable=None)
    for pk, debit, credit, amount in shown:
        held[debit] -= amount
        held[credit] += amount
        if held[debit] < 0 and debit in kept and debit not in overdrawn:
            overdrawn.add(debit)
            yield f"L3 account {debit} is overdrawn by transfer {pk}"


def _kept_and_issued(accounts: QuerySet[Account]) -> Rows:
    cached = Q(kind__in=sorted(CACHED_KINDS))
    return (
        accounts.annotate(true_balance=_total("credit") - _total("debit"))
        .values("unit")
        .annotate(
            kept=Coalesce(Sum("balance", filter=cached), 0),
            issued=Coalesce(Sum("true_balance", filter=~cached), 0),
        )
        .values_list("unit", "kept", "issued")
    )


def _sums() -> Iterator[str]:
    """Compare the sums of kept accounts with issued minus used-up units (L1)."""
    for unit, kept, issued in fixed_rows(_kept_and_issued, Account):
        if kept + issued != 0:
            yield f"L1 {unit}: accounts hold {kept}, issued {-issued}"


def _repeated_keys(transfers: Transfers) -> Rows:
    return _repeated(transfers, "key")


def _repeated_reversals(transfers: Transfers) -> Rows:
    return _repeated(transfers.filter(reverses__isnull=False), "reverses")


def _repeated(transfers: Transfers, name: str) -> Rows:
    counts = transfers.values(name).annotate(count=Count("pk")).filter(count__gt=1)
    rows: Rows = counts.values_list(name, "count")
    return rows


def _twice() -> Iterator[str]:
    for name, query in (("key", _repeated_keys), ("reverses", _repeated_reversals)):
        for value, count in fixed_rows(query, Transfer):
            yield f"L6 {name} {value} is there {count} times"


def _wrong_adjustments(since: datetime | None) -> Iterator[str]:
    """Compare approved adjustments with the transfers that carry their keys (L12).
    Source: docs/explanation/ledger.md "Adjustments".
    """
    approved = Adjustment.objects.filter(state=Adjustment.State.APPROVED)
    transfers = Transfer.objects.filter(key__startswith="adjust:").select_related("debit", "credit")
    if since is not None:
        approved, transfers = (
            approved.filter(decided_at__gte=since),
            transfers.filter(at__gte=since),
        )
    wanted = {f"adjust:{adjustment.pk}": adjustment for adjustment in approved}
    found = {transfer.key: transfer for transfer in transfers}
    for key in sorted(wanted.keys() ^ found.keys()):
        # One of the two may be just before the start of the period.
        if not _is_complete(key):
            yield f"L12 {key} has no transfer, or no approval"
    for key in sorted(wanted.keys() & found.keys()):
        if not _is_made_rightly(wanted[key], found[key]):
            yield f"L12 {key} moved something else than was approved"
    for key, adjustment in wanted.items():
        alone = adjustment.approver in ("", adjustment.proposer, adjustment.target)
        if alone and abs(adjustment.amount) > ALONE_AT_MOST:
            yield f"L12 {key} was approved by nobody else"
        if adjustment.proposer == adjustment.target or len(adjustment.reason) < SHORTEST_REASON:
            yield f"L12 {key} is to its proposer, or without a reason"


def _is_complete(key: str) -> bool:
    number = key.removeprefix("adjust:")
    approved = Adjustment.objects.filter(state=Adjustment.State.APPROVED)
    return (
        number.isdigit()
        and approved.filter(pk=number).exists()
        and Transfer.objects.filter(key=key).exists()
    )


def _is_made_rightly(adjustment: Adjustment, transfer: Transfer) -> bool:
    held = transfer.credit if adjustment.amount > 0 else transfer.debit
    return (
        transfer.code == TransferCode.ADMIN_ADJUST
        and transfer.amount == abs(adjustment.amount)
        and (held.owner, held.kind) == (adjustment.target, AccountKind.WALLET)
    )
