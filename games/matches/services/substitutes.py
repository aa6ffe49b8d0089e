"""Who may take over a seat, and whose seat somebody else may take over at once: a banned one's.

Devices, limits and looks by administrators hold as when somebody sits down; fair play asks for
them with the same words.

Source: docs/rules/agora.md "Substitutes"; docs/fair-play.md.
"""

from __future__ import annotations

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
    """The user has played in this match and was replaced: nobody comes back."""

    code: ClassVar[str] = "action/was_replaced"


class NoSubstitute(IllegalAction):
    """Bots and banned users take over for nobody."""

    code: ClassVar[str] = "forbidden"


class Substitutes(Reaction):
    """Refuses those who may take over for nobody here."""

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse bots, whoever is banned, and whoever was replaced here.

        Raises:
            NoSubstitute, WasReplaced: as named.
        """
        if submission.action.get("kind") != TAKE_OVER:
            return
        if user.is_bot or not user.is_active:
            raise NoSubstitute("this account takes over for nobody")
        if any(gone.user_id == user.pk for gone in locked.replaced):
            raise WasReplaced("you have played in this game and were replaced")
