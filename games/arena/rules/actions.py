"""The actions of a player in the arena.
Source: docs/rules/arena.md.
"""

from typing import Literal

from games.arena.rules.moves import Move
from games.arena.rules.options import Preference
from games.engine.structs import Kinded


class Choose(Kinded, frozen=True):
    """Choose a move for this round, or take the choice back."""

    move: Move | None


class Join(Kinded, frozen=True):
    """Join the arena now; or stay, if the player was about to leave."""


class Leave(Kinded, frozen=True):
    """Leave the arena after the round in progress."""


class Prefer(Kinded, frozen=True):
    """Set the preference for an option: on, off or any."""

    option: Literal["blitz", "classic", "inverted", "count", "team", "survivor"]
    value: Preference


class Reset(Kinded, frozen=True):
    """Reset all figures to 0, after the round in progress."""


ArenaAction = Choose | Join | Leave | Prefer | Reset
