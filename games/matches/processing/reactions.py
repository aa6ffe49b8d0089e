"""The house's reactions beside the game itself, called at fixed moments of a batch.
Source: docs/explanation/architecture.md "Reactions".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final

from django.utils.module_loading import import_string

from accounts.models import User
from games import registry
from games.engine.errors import AlreadySeated, refuse

if TYPE_CHECKING:
    from economy.ledger import Plan
    from games.engine.facts import Told
    from games.matches.models import Match
    from games.matches.processing.locked_match import LockedMatch
    from games.matches.processing.submissions import Submission

#: The house's own, in the order in which they are called.
HOUSE: Final = (
    "games.moderation.peeking.Looks",
    "games.matches.processing.reactions.Substitutes",
    "games.moderation.muting.Mutes",
    "games.moderation.fair_play.FairPlay",
    "games.standings.rating.Ratings",
    "games.notices.reminders.Reminders",
    "games.standings.awards.Awards",
)


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


class WasReplaced(AlreadySeated):
    """The user has played in this match and was replaced, and cannot come back."""

    code = "action/was_replaced"


class Substitutes(Reaction):
    kinds = frozenset({"take_over"})

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        if submission.action.get("kind") != "take_over":
            return
        if user.is_bot or not user.is_active:
            refuse("forbidden", "this account takes over for nobody")
        if any(gone.user_id == user.pk for gone in locked.replaced):
            raise WasReplaced("you have played in this game and were replaced")


@cache
def reactions_of(games: tuple[str, ...]) -> tuple[type[Reaction], ...]:
    """Return the house's reactions, then those of these games, in the order of their calls."""
    own = [name for game in games for name in registry.get(game.rpartition(".")[2]).reactions]
    return tuple(import_string(name) for name in (*HOUSE, *own))


@cache
def checked_kinds(games: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*(reaction.kinds for reaction in reactions_of(games)))
