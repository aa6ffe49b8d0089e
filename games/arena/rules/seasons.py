"""Seasons: the same hours of each day, in UTC.
Source: docs/rules/arena.md, "Streaks and seasons".
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

DAY: Final = timedelta(days=1)


class Season(NamedTuple):
    """One evening; it ends before ``ends_at``."""

    begins_at: datetime
    ends_at: datetime

    def is_at(self, at: datetime) -> bool:
        """Whether the season is running at an instant."""
        return self.begins_at <= at < self.ends_at


def season_at(at: datetime, begins: int, minutes: int) -> Season | None:
    """Return the season that runs at an instant, else the next one; None without seasons.
    ``begins``: the minute of the day. ``minutes``: its length, at most a day; 0: there are no
    seasons.
    """
    if not minutes:
        return None
    begins_at = at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(minutes=begins)
    first, length = begins_at - DAY, timedelta(minutes=minutes)
    while first + length <= at:
        first += DAY
    return Season(first, first + length)
