"""The reference of ``SqlStore``, with Django's ORM and without the cache."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from msgspec.structs import asdict

from games.matches.journal.entries import EntryRow
from games.matches.journal.loading import ALL_COLUMNS, TURN_COLUMNS, MatchPosition
from games.matches.models import Entry, Match, Seat
from games.matches.processing.store import SEAT_COLUMNS, SqlStore
from games.matches.processing.submissions import Key, Submission


class OrmStore(SqlStore):
    """Each statement of a batch, as Django writes it."""

    keeps_cached: ClassVar[bool] = False

    def lock(self, match_ids: Iterable[int]) -> list[MatchPosition]:
        locked = Match.objects.select_for_update(no_key=True).filter(pk__in=list(match_ids))
        rows = locked.order_by("pk").values_list("pk", "public_id", "action_count", "at_ms")
        return [MatchPosition(*row) for row in rows]

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
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
        Entry.objects.bulk_create(Entry(**asdict(row)) for row in entries)

    def update_pace(self, matches: Sequence[Match]) -> None:
        Match.objects.bulk_update(matches, TURN_COLUMNS)

    def update_whole(self, matches: Sequence[Match]) -> None:
        Match.objects.bulk_update(matches, ALL_COLUMNS)

    def update_seats(self, seats: Sequence[Seat]) -> None:
        Seat.objects.bulk_update(seats, SEAT_COLUMNS)
