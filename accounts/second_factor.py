"""With a second factor, a password alone neither administers the site nor changes the factor.

Source: docs/security.md "Second factor".
"""

from collections.abc import Callable
from typing import Any, Final

from allauth.account.internal.flows.login import (
    get_authentication_records,
    record_authentication,
)
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve, reverse
from django.utils.http import urlencode

from accounts.models import User

#: Where administrators work.
OFFICE: Final = "/admin/"
#: Where second factors are set up and taken away.
FACTORS: Final = "/accounts/2fa/"
#: Each asks for something that a password is not; recovery codes are asked for with the app's.
_KINDS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
#: Pages of ``FACTORS`` at which a factor is shown, or which only say what there is.
_OPEN: Final = frozenset(
    {
        "mfa_index",
        "mfa_list_webauthn",
        "mfa_authenticate",
        "mfa_login_webauthn",
        "mfa_reauthenticate",
        "mfa_reauthenticate_webauthn",
    }
)


class SecondFactor:
    """Leads to the second factor: to set it up, or to show it once.

    Whoever visits the admin must have one.  Whoever has one must have shown it before any can be
    added or removed, or codes seen, else a password would be enough to replace it.  A log-in with
    the second factor is enough for its session.  Stands after log-in and messages.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let a request through, or lead elsewhere."""
        user = request.user
        if isinstance(user, User) and _is_asked_for(request, user) and not _is_shown(request):
            return _lead(request, user)
        return self.get_response(request)


@receiver(authenticator_added, dispatch_uid="accounts.factor_added")
def count_as_shown(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    """Whoever has just set a factor up has shown it in this session."""
    if authenticator.type in _KINDS:
        record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type)


def _is_shown(request: HttpRequest) -> bool:
    return any(
        record.get("method") == "mfa"
        for record in get_authentication_records(request, request.user)
    )


def _is_asked_for(request: HttpRequest, user: User) -> bool:
    if request.path_info.startswith(OFFICE):
        return settings.STAFF_SECOND_FACTOR and user.is_staff
    if request.path_info.startswith(FACTORS):
        return resolve(request.path_info).url_name not in _OPEN and is_mfa_enabled(user, _KINDS)
    return False


def _lead(request: HttpRequest, user: User) -> HttpResponse:
    """Redirect to where the second factor is set up, or asked for."""
    if is_mfa_enabled(user, _KINDS):
        has_app = is_mfa_enabled(user, [Authenticator.Type.TOTP])
        page = "mfa_reauthenticate" if has_app else "mfa_reauthenticate_webauthn"
        home = OFFICE if request.path_info.startswith(OFFICE) else FACTORS
        back = request.get_full_path() if request.method == "GET" else home
        return redirect(f"{reverse(page)}?{urlencode({REDIRECT_FIELD_NAME: back})}")
    messages.info(request, "Administrators need a second factor. Set yours up, then come back.")
    return redirect("mfa_activate_totp")
