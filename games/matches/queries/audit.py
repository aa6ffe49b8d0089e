"""The ledger audit's checks of matches: escrows, journals, seats, clocks (L9, L16, G1, G9, G14)."""

import json
import random
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import connection
from django.db.models import Count, Exists, F, Max, Min, Model, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from accounts.models import User
from economy.audit import touched_accounts
from economy.models import Account, Transfer
from economy.sql import fetch, fixed_rows, is_any
from economy.units import AccountKind
from games import registry
from games.engine.errors import IllegalAction
from games.engine.facts import instant
from games.engine.structs import canonical, kind_of
from games.engine.table.actions import TakeOver
from games.matches.journal.loading import awake
from games.matches.journal.reading import Sought, find_entries
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match, Replaced, Seat, WebProcess
from games.matches.models.matches import cause_of, match_of

Row = TypeVar("Row", bound=Model)

#: The most that a clock may be late while a web process is alive.
LATENESS = timedelta(seconds=60)
SAMPLE = 5
#: The beginning of a takeover's text: it is canonical, with its keys sorted.
BEGINS = canonical({"kind": kind_of(TakeOver)})[:-1] + ","


def running_causes(causes: frozenset[str]) -> set[str]:
    """Return those of these causes that are running matches: their weapons are secret."""
    ids = {match_of(cause) for cause in causes} - {0}
    running = Match.objects.filter(pk__in=ids, status=Match.Status.RUNNING)
    return {cause_of(pk) for pk in running.values_list("pk", flat=True)}


def all_running_causes() -> set[str]:
    running = Match.objects.filter(status=Match.Status.RUNNING)
    return {cause_of(pk) for pk in running.values_list("pk", flat=True)}


def find_held_escrows(since: datetime | None) -> list[str]:
    """Return the matches that are not running and hold something in escrow (L9)."""
    held = Account.objects.filter(kind=AccountKind.ESCROW, balance__gt=0)
    if since is None:
        some = [held.filter(owner__startswith="match:")]
    else:
        moved = touched_accounts(Transfer.objects.filter(at__gte=since))
        ended = Match.objects.filter(ended_at__gte=since).values_list("pk", flat=True)
        some = [
            held.filter(pk__in=moved, owner__startswith="match:"),
            held.filter(owner__in=[cause_of(pk) for pk in ended]),
        ]
    owners = dict(row for rows in some for row in rows.values_list("owner", "balance"))
    live = running_causes(frozenset(owners))
    return [
        f"L9: match {match_of(owner)} holds {balance} and is not running"
        for owner, balance in owners.items()
        if owner not in live
    ]


def find_broken_journals(since: datetime | None) -> list[str]:
    """Return matches whose journal contradicts their row, and orphaned entries (G1)."""
    touched = _touched(since)
    broken = fixed_rows(_with_gaps, Match) if since is None else _with_gaps(touched)
    found = [f"G1: match {pk} has a gap in its journal" for (pk,) in broken]
    found += [
        f"G1: the facts of match {pk} do not follow on each other"
        for pk in _miscounted(touched.filter(is_archived=False).values_list("pk", flat=True))
    ]
    if since is None:
        orphans = fixed_rows(_orphans, Entry)
        found += [f"G1: entry {no} of match {pk} belongs to nobody" for pk, no in orphans]
    sample = touched.filter(game__in=registry.slugs()).order_by("?")[:SAMPLE]
    return found + [text for match in sample if (text := broken_replay(match))]


def _touched(since: datetime | None) -> QuerySet[Match]:
    """Return the matches that may have an entry since then."""
    if since is None:
        return Match.objects.all()
    # A rematch may be asked for within a day.  Two parts, because a database may read the whole
    # table for an OR.
    live = Match.objects.filter(status__in=Match.LIVE)
    ended = Match.objects.filter(ended_at__gte=since - timedelta(days=1))
    touched = live.values("pk").union(ended.values("pk"))
    return Match.objects.filter(pk__in=touched, at_ms__gte=instant(since))


def _with_gaps(matches: QuerySet[Match]) -> QuerySet[Match, tuple[int]]:
    """Return the matches whose entries, those in the archive first, are not 1, 2, 3 and so on."""
    archived = Coalesce("archived_journal__last_no", 0)
    counted = matches.annotate(archived=archived).annotate(
        first=Coalesce(Min("entries__no"), F("archived") + 1),
        last=Greatest(Coalesce(Max("entries__no"), 0), F("archived")),
        count=F("archived") + Count("entries"),
    )
    broken = counted.exclude(
        first=F("archived") + 1,
        last=F("count"),
        action_count=F("last"),
        state_no__lte=F("action_count"),
    )
    return broken.values_list("pk")


def _miscounted(match_ids: Iterable[int]) -> list[int]:
    """Return the matches whose fact numbers do not rise by the facts of each entry."""
    facts = "facts::json" if connection.vendor == "postgresql" else "facts"
    is_one, given = is_any("match_id", match_ids, "bigint")
    # Raw SQL: the ORM took 6.2 times the time for 20 matches, 1.5 for 2,000 (SQLite; 3.0 and 1.3 on
    # PostgreSQL; 2026-11-27).
    rows = fetch(
        f"""
        SELECT DISTINCT match_id FROM (
            SELECT match_id, last_seq, json_array_length({facts}) AS facts, is_last, seq,
            LAG(last_seq, 1, 0) OVER (PARTITION BY match_id ORDER BY no) AS before
            FROM (SELECT entry.*, kept.seq, entry.no = kept.action_count AS is_last
                  FROM games_entry AS entry JOIN games_match AS kept
                  ON kept.id = entry.match_id WHERE {is_one}) AS entries
        ) AS counted
        WHERE last_seq <> before + facts OR (is_last AND last_seq <> seq)
        """,  # noqa: S608 - every name in it is a constant
        [given],
    )
    return [pk for (pk,) in rows]


def _orphans(entries: QuerySet[Entry]) -> QuerySet[Entry, tuple[int, int]]:
    """Return the entries whose match or users do not exist; no constraint prevents that."""
    orphaned = entries.filter(
        ~Exists(Match.objects.filter(pk=OuterRef("match_id")))
        | (Q(actor__isnull=False) & ~Exists(User.objects.filter(pk=OuterRef("actor_id"))))
        | (Q(sitter__isnull=False) & ~Exists(User.objects.filter(pk=OuterRef("sitter_id"))))
    )
    return orphaned.values_list("match_id", "no")


def broken_replay(match: Match) -> str:
    """Replay a match's journal; return how it differs from what is stored, or ""."""
    try:
        is_same = replay_match(match).is_same
    except (IllegalAction, ValueError, KeyError) as problem:
        return f"G1: the journal of match {match.pk} cannot be played again: {problem}"
    return "" if is_same else f"G1: the journal of match {match.pk} gives another state or facts"


def find_wrong_holders(since: datetime | None) -> list[str]:
    """Return the seats whose holder or replaced users differ from the journal (G14)."""
    touched = _touched(since)
    taken = _taken_over(touched.values_list("pk", flat=True))
    rows = Replaced.objects.filter(match__in=touched)
    gone = {(row.match_id, row.no, row.entry_no): row.user_id for row in rows}
    wrong = {(pk, no) for pk, no, entry_no in gone if entry_no not in taken.get((pk, no), {})}
    seats = Seat.objects.filter(match__in={pk for pk, _ in taken})
    now = {(pk, no): user for pk, no, user in seats.values_list("match", "no", "user")}
    for (pk, no), comers in taken.items():
        numbers = sorted(comers)
        # The user who came with one entry was replaced by the next, or sits there.
        after = [gone.get((pk, no, number)) for number in numbers[1:]]
        is_same = [comers[number] for number in numbers] == [*after, now.get((pk, no))]
        if not is_same or (pk, no, numbers[0]) not in gone:
            wrong.add((pk, no))
    return [
        f"G14: seat {no} of match {pk} has another holder than its journal says"
        for pk, no in sorted(wrong)
    ]


def _taken_over(match_ids: Iterable[int]) -> dict[tuple[int, int], dict[int, int | None]]:
    """Return (match, seat) -> entry -> the user who came with it."""
    found: dict[tuple[int, int], dict[int, int | None]] = defaultdict(dict)
    for entry in find_entries(match_ids, Sought((BEGINS,))):
        found[entry.match_id, json.loads(entry.action)["seat"]][entry.no] = entry.sitter_id
    return found


def find_stopped_clocks(since: datetime | None) -> list[str]:
    """Return the live matches whose clock is 60 s overdue, or has no deadline (G9)."""
    now = timezone.now()
    if not WebProcess.objects.filter(closed_at=None, beat_at__gt=now - LATENESS).exists():
        return []
    running = Match.objects.filter(awake(), status__in=Match.LIVE, stalled_at=None)
    late = running.filter(due_at__lt=now - LATENESS) | running.filter(due_at=None)
    return [f"G9: match {pk} is overdue" for pk in late.values_list("pk", flat=True)]


def sample_of(rows: QuerySet[Row], count: int) -> list[Row]:
    """Return ``count`` different rows at most, each the next one after a random key."""
    first = list(rows.order_by("pk")[: count + 1])
    if len(first) <= count:
        return first
    # Without the conditions, and one by one: each is the end of an index.
    keys = rows.model._default_manager.order_by("pk").values_list("pk", flat=True)
    least, most = keys[0], keys.reverse()[0]
    drawn = (rows.filter(pk__gte=random.randint(least, most)) for _ in range(count))
    return list({row.pk: row for found in drawn if (row := found.order_by("pk").first())}.values())
