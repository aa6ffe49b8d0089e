"""What a batch asks of the database: locks, what was there, and what it leaves behind.

``SqlStore`` (``statements``) is what runs; ``OrmStore`` says the same in Django's words and goes on
from nothing that is held.  Tests let both do the same batches and compare every row.

Source: docs/performance.md "The statements".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, Protocol

from games.matches.journal.columns import PACE, WHOLE
from games.matches.journal.entries import EntryRow
from games.matches.journal.loading import Mark
from games.matches.models import Entry, Match, Seat
from games.matches.processing.submissions import Key, Submission

#: What a batch may change of a seat.
SEAT_COLUMNS: Final = [
    "net", "result", "rating", "rating_change", "bonus", "award", "y_award", "timed_out_at",
    "has_played", "has_left",
]  # fmt: skip


class Store(Protocol):
    """How a batch reads and writes.  ``keeps_cached``: matches are held from batch to batch."""

    keeps_cached: ClassVar[bool]

    def lock(self, match_ids: Iterable[int]) -> list[Mark]:
        """Lock these matches in id order and return how far they have come: one query."""

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return what was asked for under these ids before, and was accepted: one query."""

    def append(self, entries: Sequence[EntryRow]) -> None:
        """Store lines of journals."""

    def update_pace(self, matches: Sequence[Match]) -> None:
        """Store what entries changed that left all but the game as it was."""

    def update_whole(self, matches: Sequence[Match]) -> None:
        """Store all that a batch may change of these rows, the checkpoint too."""

    def update_seats(self, seats: Sequence[Seat]) -> None:
        """Store what a batch may change of seats."""


class OrmStore:
    """The reference, in Django's words."""

    keeps_cached: ClassVar[bool] = False

    def lock(self, match_ids: Iterable[int]) -> list[Mark]:
        """Lock these matches in id order and return how far they have come: one query."""
        locked = Match.objects.select_for_update(no_key=True).filter(pk__in=list(match_ids))
        rows = locked.order_by("pk").values_list("pk", "public_id", "action_count", "at_ms")
        return [Mark(*row) for row in rows]

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return what was asked for under these ids before, and was accepted: one query."""
        rows = Entry.objects.filter(
            match_id__in={submission.match_id for submission in submissions},
            action_id__in={submission.action_id for submission in submissions},
        )
        wanted = {submission.key for submission in submissions}
        found = rows.values_list("match_id", "actor_id", "action_id", "asked", "action")
        return {
            (match_id, actor_id, action_id): action if asked is None else asked
            for match_id, actor_id, action_id, asked, action in found
            if (match_id, actor_id, action_id) in wanted
        }

    def append(self, entries: Sequence[EntryRow]) -> None:
        """Store lines of journals."""
        Entry.objects.bulk_create(Entry(**row._asdict()) for row in entries)

    def update_pace(self, matches: Sequence[Match]) -> None:
        """Store what entries changed that left all but the game as it was."""
        Match.objects.bulk_update(matches, PACE)

    def update_whole(self, matches: Sequence[Match]) -> None:
        """Store all that a batch may change of these rows, the checkpoint too."""
        Match.objects.bulk_update(matches, WHOLE)

    def update_seats(self, seats: Sequence[Seat]) -> None:
        """Store what a batch may change of seats."""
        Seat.objects.bulk_update(seats, SEAT_COLUMNS)
