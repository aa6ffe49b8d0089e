"""Checkpoints beside batches: of matches that are held no longer, and when a process ends.

Nothing depends on them but the time it takes to read a match.

Source: docs/performance.md "The journal".
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef

from games.matches.journal.lines import write_lines
from games.matches.journal.match_cache import HotMatch, hot_matches
from games.matches.models import Entry, Match

log = logging.getLogger(__name__)


def write(matches: Iterable[HotMatch]) -> int:
    """Store these states, each where it is newer than what is stored; return how many were."""
    behind = [hot for hot in matches if hot.match.state_no < hot.no]
    if not behind:
        return 0
    try:
        with transaction.atomic():
            return sum(_write_one(hot) for hot in behind)
    except DatabaseError:
        log.exception("the checkpoints of %d matches could not be written", len(behind))
        return 0


def write_let_go() -> int:
    """Store the states of the matches that had to make room."""
    return write(hot_matches.take_let_go())


def write_everything() -> int:
    """Store the states of all that this process holds: it ends."""
    return write(hot_matches.everything())


def _write_one(hot: HotMatch) -> int:
    table, state = hot.table.encode(hot.state)
    # Only in the past in which it was true: a database may have been set back.
    same = Entry.objects.filter(match=OuterRef("pk"), no=hot.no, at_ms=hot.match.at_ms)
    rows = Match.objects.filter(Exists(same), pk=hot.match.pk, state_no__lt=hot.no)
    return rows.update(table=table, state=state, recent=write_lines(hot.lines), state_no=hot.no)
