"""Checkpoints outside batches: of matches evicted from the cache, and at process exit. They only
shorten the time to load a match; nothing else depends on them.
Source: docs/explanation/performance.md "The journal".
"""

import logging
from collections.abc import Iterable

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef

from games.matches.journal.entries import write_lines
from games.matches.journal.loading import match_cache
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Entry, Match

log = logging.getLogger(__name__)


def write(matches: Iterable[Snapshot]) -> int:
    """Store these states, each if it is newer than the stored checkpoint; return how many were."""
    behind = [cached for cached in matches if cached.match.state_no < cached.no]
    if not behind:
        return 0
    try:
        with transaction.atomic():
            return sum(_write_one(cached) for cached in behind)
    except DatabaseError:
        log.exception("the checkpoints of %d matches could not be written", len(behind))
        return 0


def write_everything() -> int:
    """Store the states of all cached matches, at process exit."""
    return write(match_cache.everything())


def _write_one(cached: Snapshot) -> int:
    table, state = cached.table.encode(cached.state)
    # Only if the journal still holds that entry: a database may have been set back.
    same = Entry.objects.filter(match=OuterRef("pk"), no=cached.no, at_ms=cached.match.at_ms)
    rows = Match.objects.filter(Exists(same), pk=cached.match.pk, state_no__lt=cached.no)
    return rows.update(
        table=table, state=state, recent=write_lines(cached.lines), state_no=cached.no
    )
