"""Refusals of every Mafia game.

Source: docs/protocol.md, "Errors".
"""

from typing import ClassVar

from games.engine.errors import IllegalAction


class NotAlive(IllegalAction):
    """Only the living do that."""

    code: ClassVar[str] = "action/not_alive"


class RoomClosed(IllegalAction):
    """The seat may not post in this room now; the refusal does not tell if the room exists."""

    code: ClassVar[str] = "action/room_closed"


class BlankPost(IllegalAction):
    """A post says something."""

    code: ClassVar[str] = "action/blank_post"
