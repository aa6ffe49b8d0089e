"""Mails to a user: about games that wait, and about changes of the account."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core import signing
from django.core.mail import send_mail
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from post_office.models import Email

from accounts.models import Reminders, User

_SALT: Final = "accounts.reminders"


@dataclass(frozen=True, slots=True)
class Reachable:
    """A user who gets mails about games."""

    user_id: int
    name: str
    address: str
    wanted: Reminders


def reachable(user_ids: Collection[int]) -> list[Reachable]:
    """Return those of these people who want mail and have a confirmed primary address."""
    rows = EmailAddress.objects.filter(
        user__in=user_ids, verified=True, primary=True, user__is_active=True, user__is_bot=False
    ).exclude(user__reminders=Reminders.NEVER)
    found = rows.order_by("user").values_list("user", "user__username", "email", "user__reminders")
    return [Reachable(pk, name, email, Reminders(wanted)) for pk, name, email, wanted in found]


def has_confirmed_address(*, user_id: int) -> bool:
    """Whether a user has a confirmed address."""
    return EmailAddress.objects.filter(user=user_id, verified=True, primary=True).exists()


def choose_reminders(*, user_id: int, wanted: Reminders) -> None:
    """Store a user's choice of mails about games that wait."""
    User.objects.filter(pk=user_id).update(reminders=wanted)


def public_address(path: str) -> str:
    """Return the absolute URL of a path, without a request."""
    return f"{settings.PUBLIC_URL}{path}"


def stop_address(*, user_id: int) -> str:
    """Return the signed address by which a user ends these mails without logging in."""
    token = signing.Signer(salt=_SALT).sign(str(user_id))
    return public_address(reverse("reminders_stop", args=[token]))


def letter(person: Reachable, subject: str, template: str, context: Mapping[str, object]) -> Email:
    """Return a mail about games, not saved; its template gets ``name`` and ``stop_address`` too."""
    stop = stop_address(user_id=person.user_id)
    told = {**context, "name": person.name, "stop_address": stop}
    return Email(
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[person.address],
        subject=f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}",
        message=render_to_string(template, told),
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def user_of(token: str) -> User | None:
    """Return the user whose mails a signed address ends; None if the signature is wrong."""
    try:
        user_id = int(signing.Signer(salt=_SALT).unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return User.objects.filter(pk=user_id).first()


def tell_owner(
    request: HttpRequest, user: AbstractBaseUser, sentence: str, address: str | None = None
) -> None:
    """Queue a mail with one sentence about the change, its address and its time."""
    get_adapter(request).send_notification_mail(
        "account/email/notice", user, {"sentence": sentence}, email=address
    )


def tell_of_admin_action(user: User, sentence: str, address: str = "") -> None:
    """Queue a mail about an administrator's unnamed action, to the address known before it."""
    address = address or EmailAddress.objects.get_primary_email(user) or ""
    if address:
        context = {"name": user.username, "sentence": sentence, "at": timezone.now()}
        context["contact"] = settings.SITE_CONTACT
        subject = (
            f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}An administrator has changed your account"
        )
        body = render_to_string("account/email/admin_message.txt", context)
        send_mail(subject, body, None, [address])
