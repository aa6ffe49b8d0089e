"""The actions of a seat in Rock, Paper, Scissors, Dynamite.

Source: docs/protocol.md, "Actions"; docs/rules/dynamite.md.
"""

from typing import Annotated

from games.engine.structs import SECRET, Kinded, SeatGiven
from games.mafia.common.rules.actions import Done, Leave, Post, Undone


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


DynamiteAction = Vote | Confront | Withdraw | Done | Undone | Post | Leave
