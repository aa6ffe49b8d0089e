"""What the ledger's audit asks of matches: escrows clear, logs without gaps, clocks that run.

Source: docs/ledger.md "The audit"; docs/durability.md L9, L16, G1, G9.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, F, Max
from django.db.models.functions import Coalesce
from django.utils import timezone

from economy.audit import register_check
from economy.models import Account
from economy.secrecy import register_hidden_causes, register_secret_causes
from economy.units import AccountKind
from games.journal.recall import awake
from games.kernel.facts import instant
from games.models import Match, WebProcess
from games.models.matches import cause_of

#: A clock may be late by so much while a web process is alive.
LATENESS = timedelta(seconds=60)


def register() -> None:
    """Add these checks to the audit, and say which transfers are secret."""
    register_hidden_causes(running_causes)
    register_secret_causes(all_running_causes)
    for check in (find_held_escrows, find_gaps, find_stopped_clocks):
        register_check(check)


def running_causes(causes: frozenset[str]) -> set[str]:
    """Return those causes that are running matches: their weapons are secret."""
    ids = [int(c.removeprefix("match:")) for c in causes if c.startswith("match:")]
    running = Match.objects.filter(pk__in=ids, status=Match.Status.RUNNING)
    return {cause_of(pk) for pk in running.values_list("pk", flat=True)}


def all_running_causes() -> set[str]:
    """Return every running match as a cause."""
    running = Match.objects.filter(status=Match.Status.RUNNING)
    return {cause_of(pk) for pk in running.values_list("pk", flat=True)}


def find_held_escrows(since: datetime | None) -> list[str]:
    """Return the matches whose escrow holds something although they are not running (L9)."""
    escrows = Account.objects.filter(kind=AccountKind.ESCROW, owner__startswith="match:")
    held = escrows.filter(balance__gt=0)
    owners = dict(held.values_list("owner", "balance"))
    ids = [int(owner.removeprefix("match:")) for owner in owners]
    live = set(
        Match.objects.filter(pk__in=ids, status=Match.Status.RUNNING).values_list("pk", flat=True)
    )
    return [
        f"L9: match {pk} holds {owners[f'match:{pk}']} and is not running"
        for pk in ids
        if pk not in live
    ]


def find_gaps(since: datetime | None) -> list[str]:
    """Return the matches whose logs are not dense (G1)."""
    touched = Match.objects.all()
    if since is not None:
        touched = touched.filter(at_ms__gte=instant(since))
    events = touched.annotate(last=Coalesce(Max("events__seq"), 0), count=Count("events"))
    actions = touched.annotate(last=Coalesce(Max("actions__no"), 0), count=Count("actions"))
    return [
        f"G1: match {pk} has a gap in its log"
        for matches, column in ((events, "seq"), (actions, "action_count"))
        for pk in matches.exclude(last=F("count"), **{column: F("last")}).values_list(
            "pk", flat=True
        )
    ]


def find_stopped_clocks(since: datetime | None) -> list[str]:
    """Return the live matches whose clock should have acted long ago (G9)."""
    now = timezone.now()
    if not WebProcess.objects.filter(closed_at=None, beat_at__gt=now - LATENESS).exists():
        return []
    running = Match.objects.filter(awake(), status__in=Match.LIVE, stalled_at=None)
    late = running.filter(due_at__lt=now - LATENESS) | running.filter(due_at=None)
    return [f"G9: match {pk} is overdue" for pk in late.values_list("pk", flat=True)]
