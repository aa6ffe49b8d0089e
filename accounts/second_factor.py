"""Nobody administers the site with a password alone.

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
from django.urls import reverse
from django.utils.http import urlencode

from accounts.models import User

#: Where administrators work.
OFFICE: Final = "/admin/"


class StaffSecondFactor:
    """Leads whoever visits the admin to a second factor: to set it up, or to show it once.

    A log-in with the second factor is enough for its session.  Stands after log-in and messages.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let a request through, or lead elsewhere."""
        if settings.STAFF_SECOND_FACTOR and request.path_info.startswith(OFFICE):
            user = request.user
            if isinstance(user, User) and user.is_staff and not _is_shown(request):
                return _lead(request, user)
        return self.get_response(request)


@receiver(authenticator_added, dispatch_uid="accounts.factor_added")
def count_as_shown(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    """Whoever has just set a factor up, with password and code, has shown it in this session."""
    if authenticator.type == Authenticator.Type.TOTP:
        record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type)


def _is_shown(request: HttpRequest) -> bool:
    return any(
        record.get("method") == "mfa"
        for record in get_authentication_records(request, request.user)
    )


def _lead(request: HttpRequest, user: User) -> HttpResponse:
    """Redirect to where the second factor is set up, or asked for."""
    if is_mfa_enabled(user, [Authenticator.Type.TOTP]):
        back = request.get_full_path() if request.method == "GET" else OFFICE
        query = urlencode({REDIRECT_FIELD_NAME: back})
        return redirect(f"{reverse('mfa_reauthenticate')}?{query}")
    messages.info(request, "Administrators need a second factor. Set yours up, then come back.")
    return redirect("mfa_activate_totp")
