"""Looks of administrators at a live match's secrets: recorded, barred from play, published later.
Source: docs/how-to/run-a-site.md "The admin".
"""

from typing import ClassVar

from django.db import transaction

from accounts.models import User
from economy.records import LOOKED, actor_of, has_looked_at, looks_at, write_record
from economy.transfers import match_owner, user_owner
from games.engine.errors import IllegalAction
from games.engine.facts import instant
from games.engine.table.actions import SEATING_KINDS
from games.matches.journal.loading import standing_of
from games.matches.models import Match, Seat
from games.matches.processing.locked_match import AcceptedAction, LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.processing.submissions import OnlyHere, Submission
from games.moderation.hidden_state import hidden_in_words

TOLD = "secrets_looked_at"


class HasLooked(OnlyHere, IllegalAction):
    """The user has seen the secrets of this match, so cannot play in it."""

    code: ClassVar[str] = "forbidden"


class PlaysHere(IllegalAction):
    """The user plays in this match, so cannot see its secrets."""

    code: ClassVar[str] = "forbidden"


def look_at(actor: User, match_id: int, reason: str) -> str:
    """Record a look at a live match's hidden state and return it in words, with the seed. The match
    is locked, so that nobody can sit down in between. Raises PlaysHere: the administrator sits
    there; ValueError: the match is over, and hides nothing.
    """
    with transaction.atomic():
        match = note_look(actor, match_id, reason)
        cached = standing_of(match)
    names = dict(match.seats.values_list("no", "user__username"))
    return f"seed: {match.seed}\n{hidden_in_words(cached.state.play, names)}".strip()


def note_look(actor: User, match_id: int, reason: str) -> Match:
    """Record a look at a live match's secrets; lock the match and return it. Call in a transaction.
    Raises as ``look_at`` does.
    """
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if not match.is_live:
        raise ValueError("a match that is over hides nothing")
    require_not_playing(match, actor)
    write_record(actor_of(actor), LOOKED, match_owner(match_id), reason=reason)
    return match


def require_not_playing(match: Match, actor: User) -> None:
    """Refuse a user who sits at the match; raises PlaysHere."""
    if Seat.objects.filter(match=match, user=actor).exists():
        raise PlaysHere("you play here")


class Looks(Reaction):
    """Bars users who have looked at the secrets from the match; publishes the looks at its end."""

    kinds = SEATING_KINDS

    def admit(self, locked: LockedMatch, submission: Submission, user: User) -> None:
        """Refuse a user who has looked: one query, only for staff and on sitting down. Only
        administrators can look; on sitting down everybody is checked, in case they were one. Raises
        HasLooked: the user has looked.
        """
        if submission.action.get("kind") not in SEATING_KINDS and not user.is_staff:
            return
        if has_looked_at(user_owner(user.pk), match_owner(locked.match.pk)):
            raise HasLooked("you have looked at what this match hides")

    def closed(self, locked: LockedMatch) -> None:
        """Write to the match's log which administrators looked at its secrets, and why."""
        if any(told.kind == TOLD for told in locked.told):
            return
        looks = [
            [look.actor_name, instant(look.at), look.reason]
            for look in looks_at(match_owner(locked.match.pk))
        ]
        if looks:
            action = {"kind": "looked", "looks": looks}
            locked.keep(
                locked.table.apply_house(locked.state, action, locked.at), AcceptedAction(action)
            )
