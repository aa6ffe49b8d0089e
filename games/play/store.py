"""What a batch asks of the database: locks, what was there, and what it leaves behind.

``SqlStore`` (``games.play.rows``) is what runs; ``OrmStore`` says the same in Django's words.
Tests let both do the same batches and compare every row.

Source: docs/performance.md "The statements".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from games.journal.rows import MATCH_COLUMNS, Mark
from games.models import Match, MatchAction, MatchEvent
from games.play.submissions import Key, Submission


class ActionRow(NamedTuple):
    """A line of the input log."""

    match_id: int
    no: int
    actor_id: int | None
    seat: int | None
    action_id: str
    body_sha256: str
    action: str
    at_ms: int
    first_seq: int
    last_seq: int


class EventRow(NamedTuple):
    """A line of the log of facts."""

    match_id: int
    seq: int
    action_no: int
    public_no: int | None
    phase: int
    kind: str
    data: str
    text: str
    audience: str | None
    at_ms: int


class Store(Protocol):
    """How a batch reads and writes."""

    def lock(self, match_ids: Iterable[int]) -> list[Mark]:
        """Lock these matches in id order and return how far they have come: one query."""

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return the digests of what was accepted under these ids before: one query."""

    def insert_actions(self, actions: Sequence[ActionRow]) -> None:
        """Store lines of the input log."""

    def insert_events(self, events: Sequence[EventRow]) -> None:
        """Store facts."""

    def update_matches(self, matches: Sequence[Match]) -> None:
        """Store what the batch may change of these rows."""


class OrmStore:
    """The reference, in Django's words."""

    def lock(self, match_ids: Iterable[int]) -> list[Mark]:
        """Lock these matches in id order and return how far they have come: one query."""
        locked = Match.objects.select_for_update(no_key=True).filter(pk__in=list(match_ids))
        rows = locked.order_by("pk").values_list("pk", "public_id", "action_count", "seq")
        return [Mark(*row) for row in rows]

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return the digests of what was accepted under these ids before: one query."""
        rows = MatchAction.objects.filter(
            match_id__in={submission.match_id for submission in submissions},
            action_id__in={submission.action_id for submission in submissions},
        )
        wanted = {submission.key for submission in submissions}
        found = rows.values_list("match_id", "actor_id", "action_id", "body_sha256")
        return {row[:3]: row[3] for row in found if row[:3] in wanted}

    def insert_actions(self, actions: Sequence[ActionRow]) -> None:
        """Store lines of the input log."""
        MatchAction.objects.bulk_create(MatchAction(**row._asdict()) for row in actions)

    def insert_events(self, events: Sequence[EventRow]) -> None:
        """Store facts."""
        MatchEvent.objects.bulk_create(MatchEvent(**row._asdict()) for row in events)

    def update_matches(self, matches: Sequence[Match]) -> None:
        """Store what the batch may change of these rows."""
        Match.objects.bulk_update(matches, MATCH_COLUMNS)
