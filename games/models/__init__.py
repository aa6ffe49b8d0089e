"""What the site remembers of matches, ratings and conduct."""

from games.models.matches import (
    Flag,
    Match,
    MatchAction,
    MatchEvent,
    Post,
    Presence,
    PrizeWeek,
    Seat,
    WebProcess,
    new_public_id,
)
from games.models.ratings import Rating, RatingChange

__all__ = [
    "Flag", "Match", "MatchAction", "MatchEvent", "Post", "Presence", "PrizeWeek", "Rating",
    "RatingChange", "Seat", "WebProcess", "new_public_id",
]  # fmt: skip
