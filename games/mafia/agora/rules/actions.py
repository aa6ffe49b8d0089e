"""The actions of a seat in Agoran Mafia, and their refusals.
Source: docs/reference/protocol.md, "Actions", "Errors"; docs/rules/agora.md "Phases".
"""

from typing import Annotated, ClassVar

from games.engine.errors import IllegalAction
from games.engine.structs import SECRET, Kinded
from games.mafia.common.rules.actions import Done, Leave, Post, Undone, WriteWill
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


AgoraAction = Choose | Vote | Done | Undone | Post | WriteWill | Leave


class NoNightAction(IllegalAction):
    """This role chooses nobody at night."""

    code: ClassVar[str] = "action/no_night_action"


class ChoiceFinal(IllegalAction):
    """The file has been forged: the agent's choice is final for this night."""

    code: ClassVar[str] = "action/choice_final"
