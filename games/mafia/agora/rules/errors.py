"""Refusals of Agoran Mafia.

Source: docs/protocol.md, "Errors".
"""

from typing import ClassVar

from games.engine.errors import IllegalAction


class NoNightAction(IllegalAction):
    """This role chooses nobody at night."""

    code: ClassVar[str] = "action/no_night_action"


class ChoiceFinal(IllegalAction):
    """The file has been turned round: the agent's choice is final for this night."""

    code: ClassVar[str] = "action/choice_final"
