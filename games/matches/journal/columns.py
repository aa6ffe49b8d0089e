"""The columns of a match that a batch may change, and re-reading them.

Source: docs/performance.md "The statements".
"""

from collections.abc import Iterable
from typing import Final, TypeVar

from django.db.models import Model

from economy.sql import BulkRows
from games.matches.models import Match

Row = TypeVar("Row", bound=Model)

#: The columns that an entry may change when it changes only the game.
PACE: Final = [
    "phase", "seq", "public_count", "action_count", "at_ms", "due_at", "bot_at", "wake_at",
    "is_slow", "summary",
]  # fmt: skip
#: The checkpoint: long texts, and the number of the entry after which they are current.
CHECKPOINT: Final = ["table", "state", "recent", "state_no"]
#: Every column that a batch may change; written with a whole entry.
WHOLE: Final = [
    *PACE,
    *CHECKPOINT,
    "status", "listed", "spectators", "stalled_at", "started_at", "ended_at", "void_reason",
    "successor", "is_rated", "is_staked",
]  # fmt: skip


def names_of(columns: Iterable[str]) -> list[str]:
    """Return the attribute names of these columns of a match."""
    return [Match._meta.get_field(name).attname for name in columns]  # type: ignore[union-attr]


def twin(row: Row) -> Row:
    """Return a copy of a row to change, because others still read the original.

    Faster than Django's copy, which asks each field.
    """
    copy: Row = type(row).__new__(type(row))
    copy.__dict__.update(row.__dict__)
    return copy


def repaced(matches: Iterable[Match]) -> list[Match]:
    """Return copies of these rows with their pace columns read again: one query.

    A row that is gone, or that is another match by now, is left out.
    """
    known = {match.pk: match for match in matches}
    found = []
    for row in _PACE.select(known):
        match = twin(known[row[-1]])
        if row[-2] == match.public_id:
            match.__dict__.update(zip(_PACE_NAMES, row, strict=True))
            found.append(match)
    return found


_PACE: Final = BulkRows(Match, [*PACE, "public_id", "id"])
_PACE_NAMES: Final = names_of([*PACE, "public_id", "id"])
