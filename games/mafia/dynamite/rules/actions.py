"""What a seat may ask for in Rock, Paper, Scissors, Dynamite.

Source: docs/protocol.md, "Actions"; docs/rules/dynamite.md.
"""

from __future__ import annotations

from typing import Annotated

from games.engine.structs import SECRET, Kinded, SeatGiven
from games.mafia.common.rules.actions import Done, Leave, Post, Undone


class Vote(Kinded, frozen=True):
    """Vote by day for another player; there is no way to have no vote again."""

    choice: SeatGiven


class Confront(Kinded, frozen=True):
    """Spend two of the team's points on a confrontation tonight, or turn the one declared."""

    target: Annotated[SeatGiven, SECRET]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Withdraw(Kinded, frozen=True):
    """Take one's confrontation back; its points come back with it."""


DynamiteAction = Vote | Confront | Withdraw | Done | Undone | Post | Leave
