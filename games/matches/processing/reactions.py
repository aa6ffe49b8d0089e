"""Reactions beside the game itself, called at fixed moments of a batch, in the order of the parts.
Source: docs/explanation/architecture.md "Reactions".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from accounts.models import User
from economy.parts import given

if TYPE_CHECKING:
    from economy.ledger import Plan
    from games.engine.facts import Told
    from games.matches.models import Match
    from games.matches.processing.locked_match import LockedMatch
    from games.matches.processing.submissions import Submission


class Reaction:
    """Base class of a reaction, created per batch that concerns one."""

    #: The kinds of actions that ``admit`` checks; every action of staff is checked.
    kinds: ClassVar[frozenset[str]] = frozenset()

    @staticmethod
    def opened(match: Match) -> None:
        """Handle the opening of a table with an appointed start, in its transaction."""

    def expect(self, users: Collection[int]) -> None:
        """Receive the users whose data may be needed, before anything is judged."""

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse an action that the user may not do here; raises IllegalAction."""

    def unwelcome(self, locked: LockedMatch) -> Collection[int]:
        """Return the users with whom no game may start here now."""
        return ()

    def allowed_purse(self, locked: LockedMatch, user: User, purse: int) -> int:
        """Return the purse on offer, cut to what the user may play for here."""
        return purse

    def begun(self, locked: LockedMatch) -> None:
        """Handle the start of a game, before the next action is judged."""

    def started(self, locked: LockedMatch) -> None:
        """Handle the first state of a game; may decide that it is rated."""

    def over(self, locked: LockedMatch, facts: Sequence[Told], plan: Plan) -> None:
        """Pay for the facts that ended a game, within its batch; may add entries."""

    def closed(self, locked: LockedMatch) -> None:
        """Handle the end of a match; may add entries to its journal."""

    def written(self, changed: Sequence[LockedMatch]) -> None:
        """Write rows before the batch's own; ``changed``: by more than the game, or a slow
        clock.
        """


@cache
def checked_kinds() -> frozenset[str]:
    return frozenset().union(*(reaction.kinds for reaction in given("reactions")))
