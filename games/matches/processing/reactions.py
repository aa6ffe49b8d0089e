"""The house's reactions beside the game itself, called at fixed moments of a batch.

The write path defines the moments; the reactions are in ``matches.services`` and in the games,
named by dotted text and never imported.

Source: docs/architecture.md "Reactions".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from django.utils.module_loading import import_string

from accounts.models import User
from games import registry

if TYPE_CHECKING:
    from games.matches.processing.locked_match import LockedMatch
    from games.matches.processing.submissions import Submission

#: The house's own, in the order in which they are called.
HOUSE: Final = (
    "games.matches.services.peeking.Looks",
    "games.matches.services.substitutes.Substitutes",
    "games.matches.services.muting.Mutes",
    "games.matches.services.fair_play.FairPlay",
    "games.matches.services.rating.Ratings",
    "games.matches.services.reminders.Reminders",
)


class Reaction:
    """Base class of a reaction, created per batch; every method may be left out."""

    def expect(self, users: Collection[int]) -> None:
        """Receive the users whose data may be needed, before anything is judged."""

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse an action that the user may not do here; raises IllegalAction."""

    def unwelcome(self, locked: LockedMatch) -> Collection[int]:
        """Return the users with whom no game may start here now."""
        return ()

    def begun(self, locked: LockedMatch) -> None:
        """Handle the start of a game, before the next action of the batch is judged."""

    def closed(self, locked: LockedMatch) -> None:
        """Handle the end of a match; may add entries to its journal."""

    def written(self, changed: Sequence[LockedMatch]) -> None:
        """Write further rows in the batch's transaction, before the batch's own rows."""


def start() -> list[Reaction]:
    """Create the reactions of one batch: the house's, then those of each game."""
    names = [*HOUSE, *(name for game in registry.games() for name in game.reactions)]
    return [_found(name)() for name in names]


@cache
def _found(name: str) -> type[Reaction]:
    found: type[Reaction] = import_string(name)
    return found
