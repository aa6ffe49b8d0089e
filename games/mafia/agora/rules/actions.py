"""The actions of a seat in Agoran Mafia.

Source: docs/protocol.md, "Actions"; docs/rules/agora.md "Phases".
"""

from typing import Annotated

from games.engine.structs import SECRET, Kinded
from games.mafia.common.rules.actions import Done, Leave, Post, Undone
from games.mafia.common.rules.ballots import Choice
from games.mafia.common.rules.ballots import Vote as Opinion


class Choose(Kinded, frozen=True):
    """Choose a citizen or nobody as the target of the night action; the role sets its effect."""

    target: Annotated[Choice, SECRET]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Vote(Kinded, frozen=True):
    """Vote by day for a citizen or for nobody, or withdraw the vote (null)."""

    choice: Opinion


AgoraAction = Choose | Vote | Done | Undone | Post | Leave
