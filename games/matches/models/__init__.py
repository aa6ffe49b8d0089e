"""Models of matches, daily tables, ratings, processes, conduct, reminders and posts."""

from games.matches.models.archives import ArchivedJournal, LogDay, LogLeaf, Pledge
from games.matches.models.conduct import (
    Flag,
    HiddenPost,
    Mute,
    Notebook,
    PairLoss,
    PostReport,
    PrizeWeek,
)
from games.matches.models.matches import Entry, Match, Post, Replaced, Seat, new_public_id, of_match
from games.matches.models.processes import (
    Component,
    Downtime,
    Online,
    Presence,
    SelfCheck,
    WebProcess,
)
from games.matches.models.ratings import (
    DailyPlay,
    DailyTable,
    DuelFigures,
    Habits,
    Rating,
    RatingChange,
    RatingRun,
    ReachedGoal,
    SealedRead,
    Thumb,
)
from games.matches.models.reminders import Notification, Reminder, ReminderDue

__all__ = [
    "ArchivedJournal", "Component", "DailyPlay", "DailyTable", "Downtime", "DuelFigures", "Entry",
    "Flag", "Habits", "HiddenPost", "LogDay", "LogLeaf", "Match", "Mute", "Notebook",
    "Notification", "Online", "PairLoss", "Pledge", "Post", "PostReport", "Presence", "PrizeWeek",
    "Rating", "RatingChange", "RatingRun", "ReachedGoal", "Reminder", "ReminderDue", "Replaced",
    "SealedRead", "Seat", "SelfCheck", "Thumb", "WebProcess", "new_public_id", "of_match",
]  # fmt: skip
