"""What a player may ask for in the arena.

Source: docs/rules/arena.md.
"""

from __future__ import annotations

from typing import Literal

from games.arena.rules.moves import Move
from games.arena.rules.options import Preference
from games.engine.structs import Kinded


class Choose(Kinded, frozen=True):
    """Choose a move for this round, or take the choice back."""

    move: Move | None


class Join(Kinded, frozen=True):
    """Be in from now on; or stay, if one was about to leave."""


class Leave(Kinded, frozen=True):
    """Be out after the round in progress."""


class Prefer(Kinded, frozen=True):
    """Wish an option to be on or off, or do not care."""

    option: Literal["blitz", "classic", "inverted", "count", "team", "survivor"]
    value: Preference


class Reset(Kinded, frozen=True):
    """Begin again with all figures at 0, after the round in progress."""


ArenaAction = Choose | Join | Leave | Prefer | Reset
