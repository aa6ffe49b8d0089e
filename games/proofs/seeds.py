"""Seeds of all opened matches: the published commitment, and the status of each match.

It exposes a user who opens matches until a seed suits, and abandons the others.  Of an unlisted
match everybody sees the commitment and the status; its players alone can check more, at the match.

Source: docs/reference/protocol.md "Over HTTP".
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from games.matches.models import Match

#: The number of matches per part.
PART: Final = 1000
#: More parts than any day has; a database refuses larger numbers.
MOST_PARTS: Final = 100_000
_COLUMNS: Final = (
    *("public_id", "game", "listed", "status", "void_reason", "seed", "seed_commitment"),
    "opened_at",
)


def seeds_of(day: date, part: int) -> dict[str, Any]:
    """Return the matches that were opened on a day (UTC), in the order of their opening. ``part``:
    0 for the first thousand, 1 for the next. Raises ValueError: the part is out of range;
    OverflowError: no day can follow this one.
    """
    if not 0 <= part <= MOST_PARTS:
        raise ValueError(f"a day has no part {part}")
    begin = datetime.combine(day, time.min, UTC)
    opened = Match.objects.filter(opened_at__gte=begin, opened_at__lt=begin + timedelta(days=1))
    rows = opened.order_by("opened_at", "seed_commitment")[part * PART : (part + 1) * PART]
    return {
        "day": day.isoformat(),
        "count": opened.count(),
        "part": part,
        "matches": [_told(match) for match in rows.only(*_COLUMNS)],
    }


def _told(match: Match) -> dict[str, Any]:
    # The public id gives access to a match, and the seed tells what was dealt.
    shown = match if match.listed else None
    return {
        "commitment": match.seed_commitment,
        "game": match.game,
        "public_id": shown and shown.public_id,
        "status": match.status,
        "void_reason": (shown and shown.void_reason) or None,
        "seed": None if shown is None or match.is_live else match.seed,
    }
