"""Receivers of signals about users, sessions and addresses."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_added, email_removed
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts.mails import tell_owner
from accounts.models import PushSubscription, User
from accounts.signals import announce, session_ended, user_revoked
from economy.ledger import open_account
from economy.selectors import has_wallet


@receiver(post_save, sender=User, dispatch_uid="accounts.open_account")
def open_wallet(instance: User, created: bool, raw: bool = False, **_: Any) -> None:
    """Open the new user's wallet, inside the transaction of ``User.save``."""
    if created and not raw:
        open_account(instance.pk, timezone.now())


@receiver(user_logged_in, dispatch_uid="accounts.ensure_wallet")
def reopen_wallet(user: User, **_: Any) -> None:
    """Open the wallet of a user who was created without one, for example by a bulk insert."""
    if not has_wallet(user.pk):
        open_account(user.pk, timezone.now())


@receiver(user_logged_out, dispatch_uid="accounts.logged_out")
def end_session(request: HttpRequest | None, **_: Any) -> None:
    """Announce the session that is logged out; it is flushed afterwards."""
    session_key = getattr(getattr(request, "session", None), "session_key", None)
    if session_key:
        announce(session_ended, session_key=session_key)


@receiver(post_delete, sender=UserSession, dispatch_uid="accounts.session_deleted")
def end_listed_session(instance: UserSession, **_: Any) -> None:
    """Announce a session that was ended on the sessions page, or was found to have ended."""
    announce(session_ended, session_key=instance.session_key)


@receiver(session_ended, dispatch_uid="accounts.push_of_session")
def forget_browser(session_key: str, **_: Any) -> None:
    """Send no notifications to a browser whose log-in has ended."""
    PushSubscription.objects.filter(session_key=session_key).delete()


@receiver(user_revoked, dispatch_uid="accounts.push_of_user")
def forget_browsers(user_id: int, **_: Any) -> None:
    """Send no notifications after a ban or a new password."""
    PushSubscription.objects.filter(user=user_id).delete()


@receiver(email_added, dispatch_uid="accounts.email_added")
def tell_of_added_address(
    request: HttpRequest, user: User, email_address: EmailAddress, **_: Any
) -> None:
    """Tell the primary address that another one was added."""
    if not email_address.primary:
        tell_owner(
            request, user, f"The address {email_address.email} has been added to your account."
        )


@receiver(email_removed, dispatch_uid="accounts.email_removed")
def tell_removed_address(
    request: HttpRequest, user: User, email_address: EmailAddress, **_: Any
) -> None:
    """Tell a removed address, if it was confirmed."""
    if email_address.verified:
        sentence = f"This address has been removed from the account {user}."
        tell_owner(request, user, sentence, email_address.email)
