"""The statements of the write path: their texts do not depend on the number of rows.

``games.play.store.OrmStore`` is the same in Django's words.

Source: docs/performance.md "The statements".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, Final

from django.db import connection

from economy.bulk import BulkRows, is_any
from games.journal.rows import KEPT_NAMES, MATCH_COLUMNS, Mark
from games.models import Match, MatchAction, MatchEvent
from games.play.store import ActionRow, EventRow
from games.play.submissions import Key, Submission

#: The input log by its ids.  Each asked id is one look into the index.
_USED: Final = {
    "sqlite": """
        SELECT used.match_id, used.actor_id, used.action_id, used.body_sha256
        FROM json_each(%s) AS asked CROSS JOIN games_matchaction AS used
        ON used.match_id = json_extract(asked.value, '$[0]')
        AND used.actor_id IS json_extract(asked.value, '$[1]')
        AND used.action_id = json_extract(asked.value, '$[2]')
    """,
    # In two parts, because PostgreSQL's indexes know no IS NOT DISTINCT FROM.
    "postgresql": """
        WITH asked AS (SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[])
                       AS asked(match_id, actor_id, action_id))
        SELECT used.match_id, used.actor_id, used.action_id, used.body_sha256
        FROM asked JOIN games_matchaction AS used
        ON used.match_id = asked.match_id AND used.actor_id = asked.actor_id
        AND used.action_id = asked.action_id
        UNION ALL
        SELECT used.match_id, used.actor_id, used.action_id, used.body_sha256
        FROM asked JOIN games_matchaction AS used
        ON used.match_id = asked.match_id AND used.actor_id IS NULL
        AND asked.actor_id IS NULL AND used.action_id = asked.action_id
    """,
}


class SqlStore:
    """What a batch asks of the database, in statements for SQLite and PostgreSQL."""

    def lock(self, match_ids: Iterable[int]) -> list[Mark]:
        """Lock these matches in id order and return how far they have come: one query."""
        is_one, given = is_any("id", match_ids, "bigint")
        # SQLite has one writer at a time, which this transaction is from its BEGIN on.
        lock = " FOR NO KEY UPDATE" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id, public_id, action_count, seq FROM games_match"  # noqa: S608
                f" WHERE {is_one} ORDER BY id{lock}",
                [given],
            )
            return [Mark(*row) for row in cursor.fetchall()]

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        """Return the digests of what was accepted under these ids before: one query."""
        keys = [submission.key for submission in submissions]
        if connection.vendor == "postgresql":
            given: list[Any] = [list(column) for column in zip(*keys, strict=True)]
        else:
            given = [json.dumps(keys)]
        with connection.cursor() as cursor:
            cursor.execute(_USED[connection.vendor], given)
            return {row[:3]: row[3] for row in cursor.fetchall()}

    def insert_actions(self, actions: Sequence[ActionRow]) -> None:
        """Store lines of the input log."""
        _ACTIONS.insert(actions)

    def insert_events(self, events: Sequence[EventRow]) -> None:
        """Store facts."""
        _EVENTS.insert(events)

    def update_matches(self, matches: Sequence[Match]) -> None:
        """Store what the batch may change of these rows."""
        _MATCHES.update([_match_row(match) for match in matches])


_ACTIONS: Final = BulkRows(MatchAction, ActionRow._fields)
_EVENTS: Final = BulkRows(MatchEvent, EventRow._fields)
_MATCHES: Final = BulkRows(Match, [*MATCH_COLUMNS, "id"])
_match_row: Final = attrgetter(*KEPT_NAMES[:-2], "id")
