"""Checks on a user who takes over a seat. Device checks, limits and looks of administrators apply
as on sitting down; fair play checks them.
Source: docs/rules/agora.md "Substitutes"; docs/explanation/fair-play.md.
"""

from typing import ClassVar, Final

from accounts.models import User
from games.engine.errors import AlreadySeated, IllegalAction
from games.engine.structs import kind_of
from games.engine.table.actions import TakeOver
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.processing.submissions import Submission

TAKE_OVER: Final = kind_of(TakeOver)


class WasReplaced(AlreadySeated):
    """The user has played in this match and was replaced, and cannot come back."""

    code: ClassVar[str] = "action/was_replaced"


class NoSubstitute(IllegalAction):
    """Bots and banned users cannot take over a seat."""

    code: ClassVar[str] = "forbidden"


class Substitutes(Reaction):
    """Refuses users who may not take over a seat here."""

    kinds = frozenset({TAKE_OVER})

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse bots, banned users, and users who were replaced here. Raises NoSubstitute,
        WasReplaced: as named.
        """
        if submission.action.get("kind") != TAKE_OVER:
            return
        if user.is_bot or not user.is_active:
            raise NoSubstitute("this account takes over for nobody")
        if any(gone.user_id == user.pk for gone in locked.replaced):
            raise WasReplaced("you have played in this game and were replaced")
