"""The public log of commitments, read: leaves, proofs of inclusion, days, counts.
Source: docs/explanation/proof.md "The log".
"""

import json
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Final

from django.db.models import Count, QuerySet, Sum

from games.engine.draws import FIRST_HEAD, leaf_hash, root_and_path
from games.engine.structs import canonical
from games.matches.models import LogDay, LogLeaf, Match, Pledge

#: The days of the public counts.
COUNTED_DAYS: Final = 30
#: The counts of a day without leaves.
NOTHING: Final = {"opened": 0, "over": 0, "void": 0, "closed": 0, "dropped": 0, "aborted": 0}


def inclusion_of(commitment: str) -> dict[str, Any]:
    """Return the leaves of a commitment, each with its path once its day is finished."""
    leaves = LogLeaf.objects.filter(commitment=commitment).order_by("no")
    return {leaf.kind: _placed(leaf) for leaf in leaves}


def _placed(leaf: LogLeaf) -> dict[str, Any]:
    finished = LogDay.objects.filter(day=leaf.day).first()
    if finished is None:
        return {"leaf": leaf.text, "day": None}
    index = leaf.no - finished.first_no
    _, path = root_and_path(_hashes(leaf.day, finished.root), index)
    return {"leaf": leaf.text, "day": day_of(finished), "index": index, "path": path}


@lru_cache(maxsize=4)
def _hashes(day: date, root: str) -> tuple[bytes, ...]:
    """Return the hashes of a finished day's leaves; ``root`` tells databases of tests apart."""
    texts = LogLeaf.objects.filter(day=day).order_by("no").values_list("text", flat=True)
    return tuple(leaf_hash(text) for text in texts)


def day_of(finished: LogDay) -> dict[str, Any]:
    """Return a finished day's line: its leaves' number, root, and place in the chain."""
    before = LogDay.objects.filter(day__lt=finished.day).order_by("-day").first()
    return _line(finished, before)


def _line(finished: LogDay, before: LogDay | None) -> dict[str, Any]:
    return {
        "day": finished.day.isoformat(),
        "first": finished.first_no,
        "count": finished.count,
        "root": finished.root,
        "previous": before.head if before else FIRST_HEAD,
        "head": finished.head,
    }


def days_before(day: date | None, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Return finished days, the newest first, with their counts, and whether older ones follow.
    ``day``: only older ones; None begins with the newest.
    """
    older = LogDay.objects.all() if day is None else LogDay.objects.filter(day__lt=day)
    found = list(older.order_by("-day")[: limit + 1])
    pairs = zip(found, [*found[1:], None], strict=False)
    days = [{**_line(one, before), **json.loads(one.counts)} for one, before in pairs]
    return days[:limit], len(found) > limit


def lines_of_day(day: date) -> Iterator[str]:
    """Yield a finished day's lines: the day, its leaves, then the seeds that are public. Raises
    LogDay.DoesNotExist: the day is not finished, or has no leaves.
    """
    yield canonical(day_of(LogDay.objects.get(day=day)))
    leaves = LogLeaf.objects.filter(day=day).order_by("no")
    yield from leaves.values_list("text", flat=True).iterator(1000)
    for rows in _revealed(day):
        for row in rows.iterator(1000):
            yield canonical(_seed(row))


def leaves_after(finished: LogDay, no: int, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Return leaves of a finished day after a number, with the text that is hashed."""
    leaves = LogLeaf.objects.filter(day=finished.day, no__gt=no).order_by("no")
    found = [{"no": leaf.no, "leaf": leaf.text} for leaf in leaves[: limit + 1]]
    return found[:limit], len(found) > limit


def seeds_after(finished: LogDay, commitment: str, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Return the public seeds of a finished day in the order of their commitments."""
    found = [
        _seed(row)
        for rows in _revealed(finished.day)
        for row in rows.filter(seed_commitment__gt=commitment)[: limit + 1]
    ]
    found.sort(key=lambda seed: seed["commitment"])
    return found[:limit], len(found) > limit


def _revealed(day: date) -> tuple[QuerySet[Any, Any], QuerySet[Any, Any]]:
    """Return the seeds of a day's closed matches and of dropped pledges. An unlisted match's seed
    is left out: its players alone check it.
    """
    closed = LogLeaf.objects.filter(day=day, kind=LogLeaf.Kind.CLOSED).values("commitment")
    over = Match.objects.filter(seed_commitment__in=closed, listed=True)
    dropped = Pledge.objects.filter(seed_commitment__in=closed, dropped_at__isnull=False)
    columns = ("seed_commitment", "public_id", "rules_version", "seed")
    return (
        over.exclude(status__in=Match.LIVE).order_by("seed_commitment").values(*columns),
        dropped.order_by("seed_commitment").values(*columns),
    )


def _seed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "commitment": row["seed_commitment"],
        "public_id": row["public_id"],
        "rules_version": row["rules_version"],
        "seed": row["seed"],
    }


def counts_of(day: date) -> dict[str, int]:
    """Return how many commitments were opened on a day, closed by outcome, and starts aborted."""
    leaves = LogLeaf.objects.filter(day=day)
    rows = leaves.values("outcome").annotate(number=Count("no"))
    aborted = leaves.aggregate(all=Sum("aborted"))["all"] or 0
    return NOTHING | {"aborted": aborted} | {r["outcome"] or "opened": r["number"] for r in rows}


def counts(today: date) -> list[dict[str, Any]]:
    """Return the last days, newest first, each with its counts and ``finished``, a LogDay or None.
    Only days that are not finished are counted here.
    """
    since = today - timedelta(days=COUNTED_DAYS - 1)
    finished = LogDay.objects.filter(day__gte=since).in_bulk()
    newest = LogLeaf.objects.order_by("-no").first()
    days = set(finished) | ({newest.day} if newest else set())
    return [
        {
            "day": day,
            "finished": finished.get(day),
            **(json.loads(finished[day].counts) if day in finished else counts_of(day)),
        }
        for day in sorted(days, reverse=True)
    ]
