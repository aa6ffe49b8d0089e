"""What the site remembers of matches, ratings, processes and conduct."""

from games.models.conduct import Flag, PrizeWeek
from games.models.matches import Entry, Match, Post, Seat, new_public_id
from games.models.processes import Presence, WebProcess
from games.models.ratings import Rating, RatingChange

__all__ = [
    "Entry", "Flag", "Match", "Post", "Presence", "PrizeWeek", "Rating", "RatingChange", "Seat",
    "WebProcess", "new_public_id",
]  # fmt: skip
