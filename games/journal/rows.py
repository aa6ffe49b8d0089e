"""What a batch may change of a match's row, and reading it again.

Source: docs/performance.md "The statements".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from economy.bulk import BulkRows
from games.models import Match

#: What a batch may change of a match's row.
MATCH_COLUMNS: Final = [
    "status", "listed", "spectators", "table", "state", "recent", "summary", "phase", "seq",
    "public_count", "action_count", "at_ms", "due_at", "bot_at", "wake_at", "stalled_at",
    "started_at", "ended_at", "void_reason", "successor", "is_slow", "is_rated", "is_staked",
]  # fmt: skip


class Mark(NamedTuple):
    """How far a locked match has come: what was remembered of it at the same mark still holds."""

    match_id: int
    public_id: str
    action_count: int
    seq: int


def reread(matches: Iterable[Match]) -> list[Match]:
    """Return copies of these rows, with what batches may have changed of them since: one query.

    Nothing is returned of a row that is gone, or that is another match by now.
    """
    known = {match.pk: match for match in matches}
    found = []
    for row in _KEPT.select(known):
        match = twin(known[row[-1]])
        if row[-2] == match.public_id:
            match.__dict__.update(zip(KEPT_NAMES, row, strict=True))
            found.append(match)
    return found


def twin(match: Match) -> Match:
    """Return a copy of a row, to be changed: others still look at the original.

    Django's own way of copying asks each field.
    """
    copy = Match.__new__(Match)
    copy.__dict__.update(match.__dict__)
    return copy


_KEPT: Final = BulkRows(Match, [*MATCH_COLUMNS, "public_id", "id"])
#: The attributes that hold them.
KEPT_NAMES: Final = [
    Match._meta.get_field(name).attname  # type: ignore[union-attr]
    for name in [*MATCH_COLUMNS, "public_id", "id"]
]
