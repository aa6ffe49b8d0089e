"""Proofs of finished matches, the public log of commitments, and the seeds of a day."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final

import msgspec
from django.db.models import Count, QuerySet, Sum

from economy.paging import rows_after
from games.engine.draws import FIRST_HEAD, leaf_hash, recorded, root_and_path
from games.engine.structs import canonical
from games.matches.journal.entries import EntryRow
from games.matches.journal.replay import ReplayCache, replayed
from games.matches.journal.story import Finished
from games.matches.models import LogDay, LogLeaf, Match, Pledge

#: Asking for a rematch is an entry of the old match, after its end; the proof is of the game.
LATER: Final = frozenset({"rematch"})
#: The facts of a start that was broken off once salts were asked for.
ABORTS: Final = frozenset({"salt_missing", "salts_dropped"})
#: What is left out of an action or a fact, by its kind.
LEFT_OUT: Final = {
    "post": frozenset({"text"}),
    "posted": frozenset({"text"}),
    "write_will": frozenset({"text"}),
    "looked": frozenset({"looks"}),
    "secrets_looked_at": frozenset({"name", "reason"}),
}


def body_of(match: Match) -> dict[str, Any]:
    """Return what the log's hash of a finished match is about; raises ValueError if it is live."""
    # No user, name or id of an action, so that the hash can be public and survives a rename.
    entries = Finished(match).entries
    return {
        "game": match.game,
        "public_id": match.public_id,
        "rules_version": match.rules_version,
        "status": match.status,
        "options": json.loads(match.table)["options"],
        "opening": json.loads(match.origin),
        "entries": list(_entries(entries)),
    }


def hash_of_body(body: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(body).encode()).hexdigest()


def aborted_starts(body: dict[str, Any]) -> int:
    """Return how many facts say that a start was broken off for the salts' sake."""
    facts = (fact for entry in body["entries"] for fact, _ in entry["facts"])
    return sum(fact["kind"] in ABORTS for fact in facts)


def proof_of(match: Match) -> dict[str, Any] | None:
    """Return the proof of a finished match, None until the log has its end; entries and draws are
    texts already. Raises ValueError while it is live, KeyError without its game or rules version.
    """
    inclusion = inclusion_of(match.seed_commitment)
    if LogLeaf.Kind.CLOSED not in inclusion:
        return None
    return {**proofs.of(match), "inclusion": inclusion}


def _final_part(match: Match) -> dict[str, Any]:
    """Return the part of a proof that stays the same once the match is over."""
    body = body_of(match)
    frozen = [
        fact["salts"]
        for entry in body["entries"]
        for fact, _ in entry["facts"]
        if fact["kind"] == "salts_frozen"
    ]
    return {
        # At the tables of format 2 salts wait for the public log.
        "format": 2 if "is_logged" in body["opening"] else 1,
        **body,
        "commitment": match.seed_commitment,
        "seed": match.seed,
        "salts": frozen[0] if frozen else [],
        # A text takes less memory than the maps of a long game.
        "entries": msgspec.Raw(canonical(body["entries"]).encode()),
        "draws": msgspec.Raw(canonical(list(draws_of(match))).encode()),
    }


def draws_of(match: Match) -> Iterator[dict[str, Any]]:
    """Yield a match's draws in their order, from a replay. Raises KeyError as ``proof_of``,
    IllegalAction if the rules now refuse an entry.
    """
    steps = replayed(match)
    while True:
        with recorded() as draws:
            found = next(steps, None)
        if found is None:
            return
        for label, bound, result in draws:
            yield {"entry": found[0].no, "label": label, "bound": bound, "result": result}


def _entries(rows: Iterable[EntryRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        action = json.loads(row.action)
        if action["kind"] in LATER:
            continue
        yield {
            "no": row.no,
            "seat": row.seat,
            "at": row.at_ms,
            "action": _without(action),
            "facts": [[_without(fact), audience] for fact, audience in json.loads(row.facts)],
        }


def _without(told: dict[str, Any]) -> dict[str, Any]:
    left_out = LEFT_OUT.get(told["kind"], frozenset())
    return {name: value for name, value in told.items() if name not in left_out}


#: The proofs of this process, without the inclusion.
proofs: Final = ReplayCache(_final_part)


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
    """Return finished days before this one, None: the last ones, the newest first, with their
    counts, and whether older ones follow.
    """
    older = LogDay.objects.all() if day is None else LogDay.objects.filter(day__lt=day)
    found = list(older.order_by("-day")[: limit + 1])
    pairs = zip(found, [*found[1:], None], strict=False)
    days = [{**_line(one, before), **json.loads(one.counts)} for one, before in pairs]
    return days[:limit], len(found) > limit


def lines_of_day(day: date) -> Iterator[str]:
    """Yield a finished day's lines: the day, its leaves, the public seeds. Raises
    LogDay.DoesNotExist.
    """
    yield canonical(day_of(LogDay.objects.get(day=day)))
    leaves = LogLeaf.objects.filter(day=day).order_by("no")
    yield from leaves.values_list("text", flat=True).iterator(1000)
    for rows in _revealed(day):
        for row in rows.iterator(1000):
            yield canonical(_seed(row))


def leaves_after(finished: LogDay, no: int, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Return leaves of a finished day after a number, with the text that is hashed."""
    leaves, has_more = rows_after(LogLeaf.objects.filter(day=finished.day), "no", no, limit)
    return [{"no": leaf.no, "leaf": leaf.text} for leaf in leaves], has_more


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
    """Return the seeds of a day's closed matches and of dropped pledges. Of an unlisted match its
    players alone check the seed.
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
    leaves = LogLeaf.objects.filter(day=day).exclude(kind=LogLeaf.Kind.EVENT)
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


#: The number of matches per part.
PART: Final = 1000
#: More parts than any day has; a database refuses larger numbers.
MOST_PARTS: Final = 100_000
_COLUMNS: Final = (
    *("public_id", "game", "listed", "status", "void_reason", "seed", "seed_commitment"),
    "opened_at",
)


def seeds_of(day: date, part: int) -> dict[str, Any]:
    """Return the matches that were opened on a day (UTC), in order: a thousand a ``part``, from 0.
    Raises ValueError, OverflowError for a part or day out of range.
    """
    if not 0 <= part <= MOST_PARTS:
        raise ValueError(f"a day has no part {part}")
    begin = datetime.combine(day, time.min, UTC)
    opened = Match.objects.filter(opened_at__gte=begin, opened_at__lt=begin + timedelta(days=1))
    rows = opened.order_by("opened_at", "seed_commitment")[part * PART : (part + 1) * PART]
    return {
        "day": day.isoformat(),
        "count": opened.count(),
        "part": part,
        "matches": [_told(match) for match in rows.only(*_COLUMNS)],
    }


def _told(match: Match) -> dict[str, Any]:
    # The public id gives access to a match, and the seed tells what was dealt.
    shown = match if match.listed else None
    return {
        "commitment": match.seed_commitment,
        "game": match.game,
        "public_id": shown and shown.public_id,
        "status": match.status,
        "void_reason": (shown and shown.void_reason) or None,
        "seed": None if shown is None or match.is_live else match.seed,
    }
