"""Deletion of a user's own account: what names a person goes, what others rely on stays nameless.

The row stays as ``deleted-<n>``, so that finished games, their journals and the ledger still add
up; nobody can log in as it.  Chat is blanked.  Posts of a game are part of its journal, which is
replayed, so they are hidden from everybody instead.

Source: /privacy/ "Getting rid of it"; docs/explanation/security.md "A user's data".
"""

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar, Final, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone
from post_office.models import Email

from accounts.models import ApiToken, Device, PushChoice, PushSubscription, Relation, Theme, User
from accounts.models import Reminders as Wanted
from accounts.names import name_key
from economy.codes import TransferCode
from economy.ledger import post
from economy.selectors import balance_of
from economy.transfers import TREASURY, Move, wallet
from games.engine.errors import IllegalAction
from games.matches.journal.entries import read_facts
from games.matches.journal.match_cache import match_cache
from games.matches.models import (
    Entry,
    HiddenPost,
    Match,
    Notebook,
    Notification,
    Online,
    Post,
    Reminder,
    Seat,
)
from games.matches.queries.posts import POST, POSTED

#: The text in the place of a line of chat.
BLANK: Final = "(deleted)"


class StillNeeded(IllegalAction):
    """The account cannot be deleted now; the message says why, to its user."""

    code: ClassVar[str] = "account_needed"


class Elsewhere(NamedTuple):
    """What another application has of a user: a reason against deletion, and how to blank it."""

    reason: Callable[[User], str]
    blank: Callable[[User], None]


_elsewhere: list[Elsewhere] = []


def delete_also(elsewhere: Elsewhere) -> None:
    """Register another application; ``reason`` returns "" if nothing is against it."""
    _elsewhere.append(elsewhere)


def reason_against(user: User) -> str:
    """Return why a user's account cannot be deleted now; "" if it can."""
    if user.is_staff or user.is_bot:
        return "Administrators cannot delete their own account."
    if user.is_frozen:
        return "Your account is frozen. Ask an administrator."
    if Seat.objects.filter(user=user, match__status__in=Match.LIVE).exists():
        return "You sit in a game. Finish or leave it first."
    return next(filter(None, (each.reason(user) for each in _elsewhere)), "")


@transaction.atomic
def delete_account(*, user_id: int, at: datetime | None = None) -> None:
    """Blank a user's account for good and give its points to the treasury.

    Raises:
        StillNeeded: a game of theirs is open or runs, they are frozen, or an administrator.
    """
    at = at or timezone.now()
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if reason := reason_against(user):
        raise StillNeeded(reason)
    _give_back(user, at)
    _blank_words(user, at)
    for each in _elsewhere:
        each.blank(user)
    _forget_log_ins(user)
    _forget_choices(user)
    _rename(user, at)
    played = set(Seat.objects.filter(user=user).values_list("match", flat=True))
    transaction.on_commit(lambda: match_cache.drop(played))


def _give_back(user: User, at: datetime) -> None:
    if (points := balance_of(user.pk)) > 0:
        key = f"deleted:{user.pk}"
        code = TransferCode.ACCOUNT_CLOSED
        post([Move(key, key, wallet(user.pk), TREASURY(), points, code, key)], at)


def _blank_words(user: User, at: datetime) -> None:
    """Blank the user's chat and notes, and hide the posts in journals."""
    Post.objects.filter(user=user).update(text=BLANK)
    Notebook.objects.filter(user=user).delete()
    posts = Entry.objects.filter(actor=user, action__startswith=f'{{"kind":"{POST}"')
    hidden = [
        HiddenPost(match_id=match_id, room=fact.data["room"], no=fact.data["no"], at=at)
        for match_id, facts in posts.values_list("match", "facts")
        for fact in read_facts(facts)
        if fact.kind == POSTED
    ]
    HiddenPost.objects.bulk_create(hidden, ignore_conflicts=True, batch_size=500)


def _forget_log_ins(user: User) -> None:
    sessions = UserSession.objects.filter(user=user)
    Session.objects.filter(
        session_key__in=list(sessions.values_list("session_key", flat=True))
    ).delete()
    sessions.delete()
    for model in (Authenticator, ApiToken, Device, PushChoice, PushSubscription):
        model.objects.filter(user=user).delete()
    addresses = EmailAddress.objects.filter(user=user)
    for address in {user.email, *addresses.values_list("email", flat=True)} - {""}:
        Email.objects.filter(to=address).delete()
    addresses.delete()


def _forget_choices(user: User) -> None:
    Relation.objects.filter(user=user).delete()
    Relation.objects.filter(other=user).delete()
    for model in (Notification, Reminder, Online):
        model.objects.filter(user=user).delete()


def _rename(user: User, at: datetime) -> None:
    """Blank the row itself; saving it as inactive closes all its sockets."""
    user.username = f"deleted-{user.pk}"
    user.name_key = name_key(user.username)
    user.first_name = user.last_name = user.email = user.avatar = ""
    user.set_unusable_password()
    user.theme, user.reminders = Theme.SYSTEM, Wanted.NEVER
    user.away_until = user.daily_on = user.invite_token = user.last_login = None
    user.daily_streak = 0
    user.shows_presence = user.is_active = False
    user.deleted_at = at
    user.save()
