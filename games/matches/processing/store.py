"""The database access of a batch: lock, read, write.
Source: docs/explanation/performance.md "The statements".
"""

import logging
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import ClassVar, Final

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, OuterRef
from msgspec.structs import astuple

from economy.sql import BulkRows, as_given, create, fetch, is_any, is_postgresql
from games.matches.journal.entries import EntryRow, write_lines
from games.matches.journal.loading import (
    ALL_COLUMNS,
    TURN_COLUMNS,
    MatchPosition,
    match_cache,
    names_of,
)
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Entry, Match, Seat
from games.matches.processing.submissions import Key, Submission

log = logging.getLogger(__name__)

#: The columns of a seat that a batch may change.
SEAT_COLUMNS: Final = [
    "net", "result", "rating", "rating_change", "bonus", "award", "y_award", "timed_out_at",
    "has_played", "has_left", "prior",
]  # fmt: skip

#: Entries by action id.  Each requested id is one lookup in the index.
_USED: Final = {
    "sqlite": """
        SELECT used.match_id, used.actor_id, used.action_id, COALESCE(used.asked, used.action)
        FROM json_each(%s) AS asked CROSS JOIN games_entry AS used
        ON used.match_id = json_extract(asked.value, '$[0]')
        AND used.actor_id IS json_extract(asked.value, '$[1]')
        AND used.action_id = json_extract(asked.value, '$[2]')
    """,
    # In two parts, because PostgreSQL uses no index for IS NOT DISTINCT FROM.
    "postgresql": """
        WITH asked AS (SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[])
                       AS asked(match_id, actor_id, action_id))
        SELECT used.match_id, used.actor_id, used.action_id, COALESCE(used.asked, used.action)
        FROM asked JOIN games_entry AS used
        ON used.match_id = asked.match_id AND used.actor_id = asked.actor_id
        AND used.action_id = asked.action_id
        UNION ALL
        SELECT used.match_id, used.actor_id, used.action_id, COALESCE(used.asked, used.action)
        FROM asked JOIN games_entry AS used
        ON used.match_id = asked.match_id AND used.actor_id IS NULL
        AND asked.actor_id IS NULL AND used.action_id = asked.action_id
    """,
}


# Raw SQL: the ORM took 6.6 times the time to lock 20 matches, 5.6 to find 20 ids of actions
# (SQLite; 3.1 and 1.8 on PostgreSQL; 2026-11-27).
class SqlStore:
    """Statements whose texts do not depend on the number of rows."""

    #: Matches are cached from batch to batch.
    keeps_cached: ClassVar[bool] = True

    def lock(self, match_ids: Iterable[int]) -> list[MatchPosition]:
        """Lock these matches in id order and return their positions: one query."""
        is_one, given = is_any("id", match_ids, "bigint")
        # SQLite has one writer at a time: this transaction, from its BEGIN on.
        lock = " FOR NO KEY UPDATE" if is_postgresql() else ""
        rows = fetch(
            "SELECT id, public_id, action_count, at_ms FROM games_match"  # noqa: S608
            f" WHERE {is_one} ORDER BY id{lock}",
            [given],
        )
        return [MatchPosition(*row) for row in rows]

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return the requests accepted earlier under these ids."""
        keys = [submission.key for submission in submissions]
        rows = fetch(_USED[connection.vendor], as_given(keys))
        return {(match, actor, action_id): asked for match, actor, action_id, asked in rows}

    def append(self, entries: Sequence[EntryRow]) -> None:
        _ENTRIES.insert([astuple(entry) for entry in entries])

    def update_pace(self, matches: Sequence[Match]) -> None:
        """Update the columns of entries that changed only the game."""
        _PACE.update([_pace_of(match) for match in matches])

    def update_whole(self, matches: Sequence[Match]) -> None:
        """Update all columns that a batch may change, with the checkpoint."""
        _WHOLE.update([_whole_of(match) for match in matches])

    def add_seats(self, seats: Sequence[Seat]) -> None:
        create(seats)

    def update_seats(self, seats: Sequence[Seat]) -> None:
        _SEATS.update([_seat_row(seat) for seat in seats])


_ENTRIES: Final = BulkRows(Entry, EntryRow.__struct_fields__)
_PACE: Final = BulkRows(Match, [*TURN_COLUMNS, "id"])
_WHOLE: Final = BulkRows(Match, [*ALL_COLUMNS, "id"])
_SEATS: Final = BulkRows(Seat, [*SEAT_COLUMNS, "id"])
_pace_of: Final = attrgetter(*names_of(TURN_COLUMNS), "id")
_whole_of: Final = attrgetter(*names_of(ALL_COLUMNS), "id")
_seat_row: Final = attrgetter(*SEAT_COLUMNS, "id")


def write_checkpoints(matches: Iterable[Snapshot]) -> int:
    """Store these states where newer than the stored ones; return how many were. They only shorten
    loading: a failure is logged.
    """
    behind = [cached for cached in matches if cached.match.state_no < cached.no]
    if not behind:
        return 0
    try:
        with transaction.atomic():
            return sum(_write_one(cached) for cached in behind)
    except DatabaseError:
        log.exception("the checkpoints of %d matches could not be written", len(behind))
        return 0


def write_all_checkpoints() -> int:
    return write_checkpoints(match_cache.everything())


def _write_one(cached: Snapshot) -> int:
    table, state = cached.table.encode(cached.state)
    # Only if the journal still holds that entry: a database may have been set back.
    same = Entry.objects.filter(match=OuterRef("pk"), no=cached.no, at_ms=cached.match.at_ms)
    rows = Match.objects.filter(Exists(same), pk=cached.match.pk, state_no__lt=cached.no)
    return rows.update(
        table=table, state=state, recent=write_lines(cached.lines), state_no=cached.no
    )
