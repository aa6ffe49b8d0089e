"""Refusals of Rock, Paper, Scissors, Dynamite.

Source: docs/protocol.md, "Errors".
"""

from typing import ClassVar

from games.engine.errors import IllegalAction


class NotMafia(IllegalAction):
    """A townie confronts nobody."""

    code: ClassVar[str] = "action/not_mafia"


class NoPointsLeft(IllegalAction):
    """The team has no two action points that are not reserved."""

    code: ClassVar[str] = "action/no_points_left"


class NoVote(IllegalAction):
    """A player without a vote cannot be done with the day."""

    code: ClassVar[str] = "action/no_vote"
