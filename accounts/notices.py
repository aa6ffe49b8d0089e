"""Mails to an account's owner about changes of the account. django-allauth sends mails about
passwords, removed or new primary addresses and the second factor; this module adds the missing
ones, and those about administrators' actions.  Each goes to the address known before the change.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_added, email_removed
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import send_mail
from django.dispatch import receiver
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone

from accounts.models import User


def tell_owner(
    request: HttpRequest, user: AbstractBaseUser, sentence: str, address: str | None = None
) -> None:
    """Queue a mail with one sentence about the change, its address and its time."""
    get_adapter(request).send_notification_mail(
        "account/email/notice", user, {"sentence": sentence}, email=address
    )


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


def tell_of_admin_action(user: User, sentence: str, address: str = "") -> None:
    """Queue a mail with one sentence about an administrator's action on an account. It does not
    name the administrator.  Without an address no mail is queued. ``address``: the one known before
    the change; by default the user's primary one.
    """
    address = address or EmailAddress.objects.get_primary_email(user) or ""
    if address:
        context = {"name": user.username, "sentence": sentence, "at": timezone.now()}
        context["contact"] = settings.SITE_CONTACT
        subject = (
            f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}An administrator has changed your account"
        )
        body = render_to_string("account/email/admin_message.txt", context)
        send_mail(subject, body, None, [address])
