"""The database access of a batch: lock, read, write.

``SqlStore`` (``statements``) is used in production; ``OrmStore`` is the reference with Django's
ORM and without the cache.  Tests run the same batches with both and compare every row.

Source: docs/performance.md "The statements".
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, Protocol

from games.matches.journal.columns import PACE, WHOLE
from games.matches.journal.entries import EntryRow
from games.matches.journal.loading import Mark
from games.matches.models import Entry, Match, Seat
from games.matches.processing.submissions import Key, Submission

#: The columns of a seat that a batch may change.
SEAT_COLUMNS: Final = [
    "net", "result", "rating", "rating_change", "bonus", "award", "y_award", "timed_out_at",
    "has_played", "has_left",
]  # fmt: skip


class Store(Protocol):
    """Reads and writes of a batch.  ``keeps_cached``: matches are cached from batch to batch."""

    keeps_cached: ClassVar[bool]

    def lock(self, match_ids: Iterable[int]) -> list[Mark]:
        """Lock these matches in id order and return their positions: one query."""

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return the requests accepted earlier under these ids: one query."""

    def append(self, entries: Sequence[EntryRow]) -> None:
        """Insert entries of journals."""

    def update_pace(self, matches: Sequence[Match]) -> None:
        """Update the pace columns, for entries that changed only the game."""

    def update_whole(self, matches: Sequence[Match]) -> None:
        """Update all columns that a batch may change, including the checkpoint."""

    def update_seats(self, seats: Sequence[Seat]) -> None:
        """Update all columns of seats that a batch may change."""


class OrmStore:
    """The reference store, with Django's ORM."""

    keeps_cached: ClassVar[bool] = False

    def lock(self, match_ids: Iterable[int]) -> list[Mark]:
        """Lock these matches in id order and return their positions: one query."""
        locked = Match.objects.select_for_update(no_key=True).filter(pk__in=list(match_ids))
        rows = locked.order_by("pk").values_list("pk", "public_id", "action_count", "at_ms")
        return [Mark(*row) for row in rows]

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return the requests accepted earlier under these ids: one query."""
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
        """Insert entries of journals."""
        Entry.objects.bulk_create(Entry(**row._asdict()) for row in entries)

    def update_pace(self, matches: Sequence[Match]) -> None:
        """Update the pace columns, for entries that changed only the game."""
        Match.objects.bulk_update(matches, PACE)

    def update_whole(self, matches: Sequence[Match]) -> None:
        """Update all columns that a batch may change, including the checkpoint."""
        Match.objects.bulk_update(matches, WHOLE)

    def update_seats(self, seats: Sequence[Seat]) -> None:
        """Update all columns of seats that a batch may change."""
        Seat.objects.bulk_update(seats, SEAT_COLUMNS)
