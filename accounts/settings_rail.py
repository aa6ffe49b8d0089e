"""The rail beside the pages of a user's settings: one list of all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.http import HttpRequest
from django.urls import reverse

from accounts.board_settings import board_settings
from accounts.models import PushSubscription, User
from accounts.tokens import tokens_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the rail; ``names`` are the URL names below which it is marked."""

    title: str
    name: str
    more: tuple[str, ...] = ()


def _email(user: User) -> str:
    return EmailAddress.objects.get_primary_email(user) or "none"


def _pushes(user: User) -> str:
    return "on" if PushSubscription.objects.filter(user=user).exists() else "off"


def _factor(user: User) -> str:
    return "on" if is_mfa_enabled(user) else "off"


def _count(number: int) -> str:
    return str(number) if number else "none"


#: The groups of the rail.
RAIL: Final = (
    (
        "Play",
        (
            Entry("Look and boards", "settings"),
            Entry("Picture", "avatar"),
            Entry("People", "people"),
            Entry("Away", "away"),
        ),
    ),
    (
        "Messages",
        (
            Entry("Notifications", "notifications"),
            Entry("Mail about games", "reminders"),
            Entry("E-mail", "account_email"),
        ),
    ),
    (
        "Security",
        (
            Entry("Password", "account_change_password", ("account_set_password",)),
            Entry("Two-step log-in", "mfa_index", ("mfa_",)),
            Entry("Devices", "usersessions_list"),
            Entry("Tokens", "account_tokens"),
        ),
    ),
    (
        "Privacy",
        (
            Entry("Who sees you", "privacy_settings"),
            Entry("Your data", "personal_data", ("delete_account",)),
        ),
    ),
)
#: Pages before a log-in, and the question for the password, have no rail.
_NO_RAIL: Final = (
    "mfa_authenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_login_webauthn",
)  # fmt: skip
#: URL name -> its present state in a word or two, shown on the first page only.
_STATES: Final[dict[str, Callable[[User], str]]] = {
    "account_email": _email,
    "notifications": _pushes,
    "reminders": lambda user: user.reminders,
    "mfa_index": _factor,
    "usersessions_list": lambda user: str(UserSession.objects.filter(user=user).count()),
    "account_tokens": lambda user: _count(len(tokens_of(user_id=user.pk))),
    "privacy_settings": lambda user: "online shown" if user.shows_presence else "online hidden",
}


def settings_rail(request: HttpRequest) -> dict[str, Any]:
    """Return the board settings of every page, and the rail of a settings page (else empty)."""
    someone = getattr(request, "user", None)
    user = someone if isinstance(someone, User) else None
    context: dict[str, Any] = {
        "board_settings": {
            "url": reverse("board_setting") if user else None,
            "values": board_settings(user),
        }
    }
    match = getattr(request, "resolver_match", None)
    here = match.url_name if match else None
    if user is None or here is None or here in _NO_RAIL:
        return context
    rail = [(title, [_shown(entry, here, user) for entry in group]) for title, group in RAIL]
    if any(shown["is_here"] for _, group in rail for shown in group):
        context["rail"] = rail
        context["is_first"] = here == "settings"
    return context


def _shown(entry: Entry, here: str, user: User) -> dict[str, Any]:
    is_first = here == "settings"
    state = _STATES[entry.name](user) if is_first and entry.name in _STATES else ""
    return {
        "title": entry.title,
        "url": reverse(entry.name),
        "is_here": here == entry.name or here.startswith(entry.more or ("\0",)),
        "state": state,
    }
