"""Middlewares: the second factor, and the stipend and device of each visit."""

import logging
from collections.abc import Callable
from typing import Any, Final

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.db import DatabaseError, OperationalError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve, reverse
from django.utils.http import urlencode

from accounts import devices
from accounts.models import User
from accounts.services import take_stipend
from accounts.shared import note_changes

log = logging.getLogger(__name__)

#: Prefix of the admin.
ADMIN: Final = "/admin/"
#: Prefix of the pages that add and remove second factors.
FACTORS: Final = "/accounts/2fa/"
#: The kinds that count; recovery codes belong to TOTP.
_KINDS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
#: Pages of ``FACTORS`` that ask for a factor, or only list them.
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
    """Redirects to the pages that set up the second factor or ask for it: the admin needs one, and
    who has one shows it before changing factors. After the middlewares of log-in and messages.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user, path, is_asked = request.user, request.path_info, False
        if not isinstance(user, User):
            return self.get_response(request)
        if path.startswith(ADMIN):
            is_asked = settings.STAFF_SECOND_FACTOR and user.is_staff
        elif path.startswith(FACTORS):
            is_asked = resolve(path).url_name not in _OPEN and is_mfa_enabled(user, _KINDS)
        if is_asked and not any(
            record.get("method") == "mfa" for record in get_authentication_records(request, user)
        ):
            return _lead(request, user)
        return self.get_response(request)


class VisitMiddleware:
    """Pays the stipend before a page and records the browser after it; its errors do not fail the
    page. After the middlewares of log-in and messages.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "GET" and isinstance(request.user, User):
            try:
                paid = take_stipend(user=request.user)
            except DatabaseError as problem:
                _log("a stipend could not be paid", problem)
            else:
                if paid:
                    text = f"You are broke: the house gives you {paid} points today."
                    messages.success(request, text)
        response = self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            note_changes([request.user.pk])
        try:
            devices.remember(request, response)
        except DatabaseError as problem:
            _log("a device could not be recorded", problem)
        return response


def _log(text: str, problem: DatabaseError) -> None:
    """Log a failure; a database that is busy or away needs no traceback for each request."""
    is_away = isinstance(problem, OperationalError)
    log.error("%s: %s", text, problem, exc_info=None if is_away else problem)


@receiver(authenticator_added, dispatch_uid="accounts.factor_added")
def count_as_shown(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    """Mark a factor that was just set up as shown in this session."""
    if authenticator.type in _KINDS:
        record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type)


def _lead(request: HttpRequest, user: User) -> HttpResponse:
    if is_mfa_enabled(user, _KINDS):
        has_app = is_mfa_enabled(user, [Authenticator.Type.TOTP])
        page = "mfa_reauthenticate" if has_app else "mfa_reauthenticate_webauthn"
        home = ADMIN if request.path_info.startswith(ADMIN) else FACTORS
        back = request.get_full_path() if request.method == "GET" else home
        return redirect(f"{reverse(page)}?{urlencode({REDIRECT_FIELD_NAME: back})}")
    messages.info(request, "Administrators need two-step log-in. Set it up, then come back.")
    return redirect("mfa_activate_totp")
