"""Services that change users."""

from datetime import datetime
from typing import Final

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Theme, User, is_taken
from accounts.names import check_form, name_refused
from accounts.shared import site_numbers
from economy.payouts import pay_stipend
from economy.selectors import is_broke

#: The number of log-ins of a user; each further one ends the oldest.
MOST_SESSIONS: Final = 50


def create_bot(*, name: str) -> User:
    """Create a bot: a user with a wallet, as which nobody can log in. Raises ValidationError for a
    malformed, taken or look-alike name.
    """
    check_form(name)
    bot = User(username=name, is_bot=True)
    bot.set_unusable_password()
    with transaction.atomic():
        if is_taken(name):
            raise name_refused()
        bot.save()
    return bot


def choose_theme(*, user_id: int, theme: Theme) -> None:
    """Store a user's theme."""
    User.objects.filter(pk=user_id).update(theme=theme)


def forget_ended_sessions(*, at: datetime | None = None) -> int:
    """Delete expired sessions and their listed rows, a thousand a transaction; return how many."""
    ended = Session.objects.filter(expire_date__lte=at or timezone.now())
    count = 0
    while keys := list(ended.values_list("session_key", flat=True)[:1000]):
        with transaction.atomic():
            UserSession.objects.filter(session_key__in=keys).delete()
            Session.objects.filter(session_key__in=keys).delete()
        count += len(keys)
    return count


def end_oldest_sessions(*, user_id: int) -> None:
    """End a user's log-ins that are not among the newest, a portion of them at once."""
    with transaction.atomic():
        # Under the user's lock: log-ins at once cannot leave more.
        User.objects.select_for_update(no_key=True).get(pk=user_id)
        newest = UserSession.objects.filter(user=user_id).order_by("-pk")
        older = dict(newest.values_list("pk", "session_key")[MOST_SESSIONS : MOST_SESSIONS + 500])
        Session.objects.filter(session_key__in=older.values()).delete()
        UserSession.objects.filter(pk__in=older).delete()


def freeze(*, user_id: int, reason: str, at: datetime | None = None) -> None:
    """Freeze an account and its programs; running games continue, and refusals show the reason."""
    User.objects.filter(Q(pk=user_id) | Q(owner=user_id)).update(
        is_frozen=True, frozen_reason=reason[:200], frozen_at=at or timezone.now()
    )


def unfreeze(*, user_id: int) -> None:
    """End the freeze of an account and its programs."""
    frozen = User.objects.filter(Q(pk=user_id) | Q(owner=user_id))
    frozen.update(is_frozen=False, frozen_reason="", frozen_at=None)


def take_stipend(*, user: User, at: datetime | None = None) -> int:
    """Pay the day's stipend to a visitor who is broke, no machine and not frozen; return the points
    paid, often 0.
    """
    at = at or timezone.now()
    if user.is_bot or user.is_program or user.is_frozen:
        return 0
    floor = site_numbers(user.pk)["stipend.floor"]
    is_rich = user.points is not None and user.points >= floor
    if is_rich or user.stipend_on == at.date() or not is_broke(user.pk):
        return 0
    paid = pay_stipend(user.pk, at)
    if paid:
        user.points = None
        User.objects.filter(pk=user.pk).update(stipend_on=at.date())
    return paid
