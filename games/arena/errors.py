"""What the arena refuses beyond what every game does.

Source: docs/protocol.md "Errors".
"""

from __future__ import annotations

from games.engine.errors import IllegalAction


class NotInArena(IllegalAction):
    """Only those who are in may choose."""

    code = "action/not_in_arena"
