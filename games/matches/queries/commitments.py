"""The public log of commitments, read: leaves, proofs of inclusion, days, counts.

Source: docs/explanation/proof.md "The log".
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

from django.db.models import Count

from games.engine.merkle import FIRST_HEAD, leaf_hash, root_and_path
from games.engine.structs import canonical
from games.matches.models import LogDay, LogLeaf, Match, Pledge

#: The days of the public counts.
COUNTED_DAYS: Final = 30


def is_logged(commitment: str) -> bool:
    """Whether the log has the opening of this commitment."""
    return LogLeaf.objects.filter(commitment=commitment, kind=LogLeaf.Kind.OPENED).exists()


def inclusion_of(commitment: str) -> dict[str, Any]:
    """Return the leaves of a commitment, each with its path once its day is finished."""
    leaves = LogLeaf.objects.filter(commitment=commitment).order_by("no")
    return {leaf.kind: _placed(leaf) for leaf in leaves}


def _placed(leaf: LogLeaf) -> dict[str, Any]:
    finished = LogDay.objects.filter(day=leaf.day).first()
    if finished is None:
        return {"leaf": leaf.text, "day": None}
    texts = LogLeaf.objects.filter(day=leaf.day).order_by("no").values_list("text", flat=True)
    index = leaf.no - finished.first_no
    _, path = root_and_path([leaf_hash(text) for text in texts], index)
    return {"leaf": leaf.text, "day": day_of(finished), "index": index, "path": path}


def day_of(finished: LogDay) -> dict[str, Any]:
    """Return a finished day's line: its leaves' number, root, and place in the chain."""
    before = LogDay.objects.filter(day__lt=finished.day).order_by("-day").first()
    return {
        "day": finished.day.isoformat(),
        "first": finished.first_no,
        "count": finished.count,
        "root": finished.root,
        "previous": before.head if before else FIRST_HEAD,
        "head": finished.head,
    }


def lines_of_day(day: date) -> Iterator[str]:
    """Yield a finished day's lines: the day, its leaves, then the seeds that are public.

    An unlisted match's seed is left out: its players alone check it.

    Raises:
        LogDay.DoesNotExist: the day is not finished, or has no leaves.
    """
    yield canonical(day_of(LogDay.objects.get(day=day)))
    leaves = LogLeaf.objects.filter(day=day).order_by("no")
    yield from leaves.values_list("text", flat=True).iterator(1000)
    closed = leaves.filter(kind=LogLeaf.Kind.CLOSED).values("commitment")
    columns = ("seed_commitment", "public_id", "rules_version", "seed")
    over = Match.objects.filter(seed_commitment__in=closed, listed=True)
    dropped = Pledge.objects.filter(seed_commitment__in=closed, dropped_at__isnull=False)
    for rows in (over.exclude(status__in=Match.LIVE), dropped):
        for row in rows.order_by("seed_commitment").values(*columns).iterator(1000):
            yield canonical(
                {
                    "commitment": row["seed_commitment"],
                    "public_id": row["public_id"],
                    "rules_version": row["rules_version"],
                    "seed": row["seed"],
                }
            )


def counts(today: date) -> list[dict[str, Any]]:
    """Return the last days, newest first: commitments opened, and closed by outcome."""
    since = today - timedelta(days=COUNTED_DAYS - 1)
    rows = LogLeaf.objects.filter(day__gte=since).values("day", "kind", "outcome")
    days: dict[date, dict[str, Any]] = {}
    for row in rows.annotate(number=Count("no")).order_by("-day"):
        day = days.setdefault(
            row["day"],
            {"day": row["day"], "opened": 0, "over": 0, "void": 0, "closed": 0, "dropped": 0},
        )
        day[row["outcome"] or "opened"] += row["number"]
    finished = LogDay.objects.filter(day__gte=since).in_bulk()
    return [{**counted, "finished": finished.get(day)} for day, counted in days.items()]
