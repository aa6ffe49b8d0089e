"""The actions of a seat in Rock, Paper, Scissors, Dynamite, and their refusals.
Source: docs/reference/protocol.md, "Actions", "Errors"; docs/rules/dynamite.md.
"""

from typing import Annotated, ClassVar

from games.engine.errors import IllegalAction
from games.engine.structs import SECRET, Kinded, SeatGiven
from games.mafia.common.rules.actions import Done, Leave, Post, Undone, WriteWill


class Vote(Kinded, frozen=True):
    """Vote by day for another player; a vote can be changed but not withdrawn."""

    choice: SeatGiven


class Confront(Kinded, frozen=True):
    """Spend two of the team's points on a confrontation tonight, or change its target."""

    target: Annotated[SeatGiven, SECRET]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Withdraw(Kinded, frozen=True):
    """Withdraw the confrontation; its points are free again."""


DynamiteAction = Vote | Confront | Withdraw | Done | Undone | Post | WriteWill | Leave


class NotMafia(IllegalAction):
    """A townie confronts nobody."""

    code: ClassVar[str] = "action/not_mafia"


class NoPointsLeft(IllegalAction):
    """The team has no two action points that are not reserved."""

    code: ClassVar[str] = "action/no_points_left"


class NoVote(IllegalAction):
    """A player without a vote cannot be done with the day."""

    code: ClassVar[str] = "action/no_vote"
