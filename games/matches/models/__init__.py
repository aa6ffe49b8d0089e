"""Models of matches, ratings, processes, conduct, reminders and posts."""

from games.matches.models.conduct import Flag, PrizeWeek
from games.matches.models.matches import Entry, Match, Post, Replaced, Seat, new_public_id
from games.matches.models.posts import HiddenPost, Mute, Notebook, PostReport
from games.matches.models.processes import Presence, WebProcess
from games.matches.models.ratings import Rating, RatingChange
from games.matches.models.reminders import Reminder, ReminderDue

__all__ = [
    "Entry", "Flag", "HiddenPost", "Match", "Mute", "Notebook", "Post", "PostReport", "Presence",
    "PrizeWeek", "Rating", "RatingChange", "Reminder", "ReminderDue", "Replaced", "Seat",
    "WebProcess", "new_public_id",
]  # fmt: skip
