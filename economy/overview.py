"""The public page's numbers of the whole economy, and the proof that they add up."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.core.cache import cache
from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, TruncDate
from django.utils import timezone

from economy.models import Account, Transfer
from economy.transfers import WORDS
from economy.units import CACHED_KINDS, AccountKind, Unit

#: The selectable numbers of days in the plots.
SPANS: Final = (30, 90, 365)
#: Seconds for which the page is cached.
FRESH_FOR: Final = 15
AUDIT_KEY: Final = "economy:last-audit"

_ENDS: Final = (AccountKind.MINT, AccountKind.SINK)


@dataclass(frozen=True, slots=True)
class Proof:
    """Sums of one unit: created, used up, and held by all accounts."""

    unit: Unit
    made: int
    used: int
    kept: int

    @property
    def total(self) -> int:
        """The sum over all accounts, mint and sink included; 0 when the ledger holds."""
        return self.kept + self.used - self.made


@dataclass(frozen=True, slots=True)
class Flow:
    """Points that moved for one reason."""

    title: str
    amount: int


@dataclass(frozen=True, slots=True)
class Day:
    """One UTC day: points made, points burnt, and the treasury at its end."""

    day: date
    minted: int
    burnt: int
    treasury: int


@dataclass(frozen=True, slots=True)
class Audit:
    """When the last audit was, and how many broken invariants it found."""

    at: datetime
    violations: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything on the page, as it stood at one moment."""

    at: datetime
    #: Adding a weapon in a running match is secret, and changes none of these.
    proofs: list[Proof]
    places: dict[str, int]
    minted: list[Flow]
    burnt: list[Flow]
    taken: list[Flow]
    spent: list[Flow]
    days: list[Day]


def record_audit(at: datetime, violations: int) -> None:
    """Store the time and the result of the last audit."""
    cache.set(AUDIT_KEY, Audit(at, violations), timeout=None)


def last_audit() -> Audit | None:
    """Return the last recorded audit."""
    found: Audit | None = cache.get(AUDIT_KEY)
    return found


def overview(span: int) -> Overview:
    """Return the economy with ``span`` days of history; up to 15 seconds old."""
    found = cache.get_or_set(f"economy:overview:{span}", lambda: _make(span), FRESH_FOR)
    assert isinstance(found, Overview)
    return found


def proofs() -> list[Proof]:
    """Return the sums of all units, read in one statement, so that they are consistent."""
    kept = _total(Account.objects.filter(kind__in=sorted(CACHED_KINDS), unit=OuterRef("unit")))
    ends = Account.objects.filter(kind__in=_ENDS).annotate(
        gave=_total(Transfer.objects.filter(debit=OuterRef("pk")), "unit", "amount"),
        got=_total(Transfer.objects.filter(credit=OuterRef("pk")), "unit", "amount"),
        kept=kept,
    )
    net: Counter[tuple[str, str]] = Counter()
    held: Counter[str] = Counter()
    for row in ends.values("unit", "kind", "gave", "got", "kept"):
        net[row["unit"], row["kind"]] = row["gave"] - row["got"]
        held[row["unit"]] = row["kept"]
    return [
        Proof(unit, net[unit, AccountKind.MINT], -net[unit, AccountKind.SINK], held[unit])
        for unit in Unit
    ]


def _total(rows: QuerySet[Any], group: str = "unit", of: str = "balance") -> Coalesce:
    sums = rows.order_by().values(group).annotate(total=Sum(of)).values("total")
    return Coalesce(Subquery(sums), 0)


def _make(span: int) -> Overview:
    points = Transfer.objects.filter(unit=Unit.POINT)
    return Overview(
        at=timezone.now(),
        proofs=proofs(),
        places=_places(),
        minted=_flows(points.filter(debit__kind=AccountKind.MINT)),
        burnt=_flows(points.filter(credit__kind__in=_ENDS)),
        taken=_flows(points.filter(credit__kind=AccountKind.TREASURY)),
        spent=_flows(points.filter(debit__kind=AccountKind.TREASURY)),
        days=_days(points, span),
    )


def _places() -> dict[str, int]:
    rows = Account.objects.filter(unit=Unit.POINT, kind__in=sorted(CACHED_KINDS)).order_by()
    found = dict(rows.values_list("kind").annotate(total=Sum("balance")))
    return {kind.value: found.get(kind.value, 0) for kind in sorted(CACHED_KINDS)}


def _flows(transfers: QuerySet[Transfer]) -> list[Flow]:
    rows = transfers.order_by().values_list("code").annotate(total=Sum("amount"))
    titles = {code.value: words.title for code, words in WORDS.items()}
    flows = [Flow(titles.get(code, code), total) for code, total in rows]
    return sorted(flows, key=lambda flow: (-flow.amount, flow.title))


def _days(points: QuerySet[Transfer], span: int) -> list[Day]:
    today = timezone.now().astimezone(UTC).date()
    first = today - timedelta(days=span - 1)
    midnight = datetime.combine(first, time(), UTC)
    treasury = Q(credit__kind=AccountKind.TREASURY) | Q(debit__kind=AccountKind.TREASURY)
    moved = points.filter(treasury | Q(debit__kind__in=_ENDS) | Q(credit__kind__in=_ENDS))
    sums = _day_sums()
    before = moved.filter(at__lt=midnight).aggregate(**sums)
    rows = moved.filter(at__gte=midnight).annotate(day=TruncDate("at", tzinfo=UTC)).order_by()
    found: dict[date, Any] = {row["day"]: row for row in rows.values("day").annotate(**sums)}
    held = (before["taken"] or 0) - (before["spent"] or 0)
    days = []
    for number in range(span):
        day = first + timedelta(days=number)
        row = found.get(day, {})
        held += (row.get("taken") or 0) - (row.get("spent") or 0)
        days.append(Day(day, row.get("minted") or 0, row.get("burnt") or 0, held))
    return days


def _day_sums() -> dict[str, Sum]:
    sides = {
        "minted": Q(debit__kind=AccountKind.MINT),
        "burnt": Q(credit__kind__in=_ENDS),
        "taken": Q(credit__kind=AccountKind.TREASURY),
        "spent": Q(debit__kind=AccountKind.TREASURY),
    }
    return {name: Sum(F("amount"), filter=side) for name, side in sides.items()}
