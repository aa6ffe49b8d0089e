"""The arena's own refusals, besides those of every game.
Source: docs/reference/protocol.md "Errors".
"""

from games.engine.errors import IllegalAction


class NotInArena(IllegalAction):
    """Only players who are in may choose."""

    code = "action/not_in_arena"


class NoRoundsLeft(IllegalAction):
    """A guest has thrown all uncounted rounds of a visit."""

    code = "action/no_rounds_left"
