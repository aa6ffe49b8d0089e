"""What the house does besides the game itself, each in one place and called by its moment.

The write path knows the moments; what is done then stands in ``matches.services`` and in the games,
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

#: The house's own, in the order in which they are asked.
HOUSE: Final = (
    "games.matches.services.peeking.Looks",
    "games.matches.services.substitutes.Substitutes",
    "games.matches.services.muting.Mutes",
    "games.matches.services.fair_play.FairPlay",
    "games.matches.services.rating.Ratings",
    "games.matches.services.reminders.Reminders",
)


class Reaction:
    """One batch's worth of something that the house looks after; all moments may be left out."""

    def expect(self, users: Collection[int]) -> None:
        """Hear of whom may be asked about, before anything is judged."""

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse what somebody may not do here; raises IllegalAction."""

    def unwelcome(self, locked: LockedMatch) -> Collection[int]:
        """Return the users with whom no game may start here now."""
        return ()

    def begun(self, locked: LockedMatch) -> None:
        """Hear that a game begins here, before the next action of the batch is judged."""

    def closed(self, locked: LockedMatch) -> None:
        """Do what follows when a match has ended, in its own log."""

    def written(self, changed: Sequence[LockedMatch]) -> None:
        """Write what follows from a batch, in its transaction, before its own rows."""


def start() -> list[Reaction]:
    """Return the reactions of one batch: the house's, then those of each game."""
    names = [*HOUSE, *(name for game in registry.games() for name in game.reactions)]
    return [_found(name)() for name in names]


@cache
def _found(name: str) -> type[Reaction]:
    found: type[Reaction] = import_string(name)
    return found
