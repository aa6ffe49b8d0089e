"""What the site remembers of matches, ratings, processes, conduct, reminders and talk."""

from games.models.conduct import Flag, PrizeWeek
from games.models.matches import Entry, Match, Post, Replaced, Seat, new_public_id
from games.models.processes import Presence, WebProcess
from games.models.ratings import Rating, RatingChange
from games.models.reminders import Reminder, ReminderDue
from games.models.talk import HiddenPost, Mute, Notebook, PostReport

__all__ = [
    "Entry", "Flag", "HiddenPost", "Match", "Mute", "Notebook", "Post", "PostReport", "Presence",
    "PrizeWeek", "Rating", "RatingChange", "Reminder", "ReminderDue", "Replaced", "Seat",
    "WebProcess", "new_public_id",
]  # fmt: skip
