"""Whether and when somebody wants mail about games that wait, and the link that ends it.

Source: docs/operations.md "Reminders".
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import Reminders, User

_SALT: Final = "accounts.reminders"


@dataclass(frozen=True, slots=True)
class Reachable:
    """Somebody who may be written to: the name, the first address, and when it is wanted."""

    user_id: int
    name: str
    address: str
    wanted: Reminders


def reachable(user_ids: Collection[int]) -> list[Reachable]:
    """Return those of these users who want mail and have confirmed their first address.

    Bots and whoever is banned are left out.
    """
    rows = EmailAddress.objects.filter(
        user__in=user_ids, verified=True, primary=True, user__is_active=True, user__is_bot=False
    ).exclude(user__reminders=Reminders.NEVER)
    found = rows.order_by("user").values_list("user", "user__username", "email", "user__reminders")
    return [Reachable(pk, name, email, Reminders(wanted)) for pk, name, email, wanted in found]


def has_confirmed_address(*, user_id: int) -> bool:
    """Whether mail can reach a user at all."""
    return EmailAddress.objects.filter(user=user_id, verified=True, primary=True).exists()


def choose_reminders(*, user_id: int, wanted: Reminders) -> None:
    """Keep when a user wants mail about games that wait."""
    User.objects.filter(pk=user_id).update(reminders=wanted)


def public_address(path: str) -> str:
    """Return the whole address of a path, where there is no request to ask for it."""
    return f"{settings.PUBLIC_URL}{path}"


def stop_address(*, user_id: int) -> str:
    """Return the signed address by which a user ends these mails without logging in."""
    token = signing.Signer(salt=_SALT).sign(str(user_id))
    return public_address(reverse("reminders_stop", args=[token]))


def user_of(token: str) -> User | None:
    """Return whose mails a signed address ends, None when it is not one of ours."""
    try:
        user_id = int(signing.Signer(salt=_SALT).unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return User.objects.filter(pk=user_id).first()
