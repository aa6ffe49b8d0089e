"""Mutes by administrators: a muted user may not post or chat, and may still play.

Source: docs/explanation/agora.md "Moderation".
"""

from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.utils import timezone

from accounts.models import User
from games.engine.errors import IllegalAction
from games.matches.models import Mute
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.processing.submissions import Submission
from games.matches.queries.posts import POST

#: The length of a mute.
A_DAY: Final = timedelta(days=1)


class Muted(IllegalAction):
    """An administrator has muted this user; detail: seconds, left to wait."""

    code: ClassVar[str] = "muted"


class Mutes(Reaction):
    """Refuses posts of muted users; votes and all other actions pass."""

    kinds = frozenset({POST})

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse a post of a muted user: one query a post.

        Raises:
            Muted: the user is muted.
        """
        if submission.action.get("kind") == POST:
            require_voice(user.pk, locked.now)


def require_voice(user_id: int, at: datetime | None = None) -> None:
    """Refuse a muted user; raises Muted."""
    at = at or timezone.now()
    until = Mute.objects.filter(user=user_id, until__gt=at).values_list("until", flat=True).first()
    if until is not None:
        seconds = -int(-(until - at).total_seconds() // 1)
        raise Muted(f"you are muted until {until:%Y-%m-%d %H:%M} UTC", seconds=seconds)


def mute(*, user_id: int, at: datetime | None = None) -> datetime:
    """Mute a user for a day from now, never shortening a mute; return its end."""
    wanted = (at or timezone.now()) + A_DAY
    row, is_new = Mute.objects.get_or_create(user_id=user_id, defaults={"until": wanted})
    if not is_new and row.until < wanted:
        row.until = wanted
        row.save(update_fields=["until"])
    return row.until
