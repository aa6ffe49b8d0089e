"""The rail beside the pages of a user's settings: one list of all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.urls import reverse

from accounts.models import PushSubscription, User
from accounts.tokens import tokens_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the rail; ``names`` are the URL names for which it is marked, too."""

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


#: The page that is the rail itself on a phone.
FIRST: Final = "settings"
_FACTOR_PAGES: Final = (
    "mfa_activate_totp", "mfa_deactivate_totp", "mfa_list_webauthn", "mfa_add_webauthn",
    "mfa_edit_webauthn", "mfa_remove_webauthn", "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
)  # fmt: skip
#: The groups of the rail.
RAIL: Final = (
    (
        "Play",
        (
            Entry("Look and boards", FIRST),
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
            Entry("Two-step log-in", "mfa_index", _FACTOR_PAGES),
            Entry("Devices", "usersessions_list"),
            Entry("Tokens", "account_tokens"),
        ),
    ),
    (
        "Privacy",
        (
            Entry("Who sees you", "privacy_settings"),
            Entry("Programs", "program_settings"),
            Entry("Your data", "personal_data", ("delete_account",)),
        ),
    ),
)
#: The names of all pages that have the rail.
RAIL_PAGES: Final = frozenset(
    name for _, entries in RAIL for entry in entries for name in (entry.name, *entry.more)
)
_MAILS: Final = {"start": "at once", "half": "at half-time", "never": "never"}
#: URL name -> its present state in a word or two, shown on the first page only.
_STATES: Final[dict[str, Callable[[User], str]]] = {
    "account_email": _email,
    "notifications": _pushes,
    "reminders": lambda user: _MAILS[user.reminders],
    "mfa_index": _factor,
    "usersessions_list": lambda user: str(UserSession.objects.filter(user=user).count()),
    "account_tokens": lambda user: _count(len(tokens_of(user_id=user.pk))),
    "privacy_settings": lambda user: "online shown" if user.shows_presence else "online hidden",
}


def settings_rail(user: User, here: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the groups of the rail with their entries, for the page of this URL name."""
    return [(title, [_shown(entry, here, user) for entry in group]) for title, group in RAIL]


def _shown(entry: Entry, here: str, user: User) -> dict[str, Any]:
    has_state = here == FIRST and entry.name in _STATES
    return {
        "title": entry.title,
        "url": reverse(entry.name),
        "is_here": here in (entry.name, *entry.more),
        "state": _STATES[entry.name](user) if has_state else "",
    }
