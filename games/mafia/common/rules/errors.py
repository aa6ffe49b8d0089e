"""Refusals of every Mafia game.

Source: docs/protocol.md, "Errors".
"""

from __future__ import annotations

from typing import ClassVar

from games.engine.errors import IllegalAction


class NotAlive(IllegalAction):
    """Only the living do that."""

    code: ClassVar[str] = "action/not_alive"


class RoomClosed(IllegalAction):
    """Nothing can be posted there by this seat now; whether there is such a room is not told."""

    code: ClassVar[str] = "action/room_closed"


class BlankPost(IllegalAction):
    """A post says something."""

    code: ClassVar[str] = "action/blank_post"
