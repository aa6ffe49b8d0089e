"""Mutes by administrators: a muted user may not post or chat, and may still play."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.matches.models import Flag, Match, Mute
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.processing.submissions import Submission
from games.posts.chat import require_voice
from games.posts.queries import SPEECH

#: Hours of a mute -> how a page calls them.
LENGTHS: Final = {1: "1 hour", 24: "1 day", 168: "7 days"}


class Mutes(Reaction):
    """Refuses posts and wills of muted users; votes and all other actions pass."""

    kinds = SPEECH

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        if submission.action.get("kind") in SPEECH:
            require_voice(user.pk, locked.now)


def mute(
    *, user_id: int, by: User, hours: int, flag: Flag | None = None, at: datetime | None = None
) -> Mute:
    """Mute a user from now on; of several mutes the longest counts."""
    at = at or timezone.now()
    until = at + timedelta(hours=hours)
    return Mute.objects.create(user_id=user_id, by=by, flag=flag, at=at, until=until)


def unmute(mute: Mute, at: datetime | None = None) -> bool:
    """End a mute now; return whether it was in force."""
    at = at or timezone.now()
    return bool(Mute.objects.filter(pk=mute.pk, until__gt=at).update(until=at))


def open_mutes() -> QuerySet[Mute]:
    """Return the mutes that administrators may see: none for a post of a live match."""
    # One for a private post would tell who reads the room; if only those were left out, a player
    # of the match would see which ones are missing.
    return Mute.objects.exclude(flag__post_report__match__status__in=Match.LIVE)
