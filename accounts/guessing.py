"""Limits on wrong passwords and codes, in a session and at the second step of a log-in.
Source: docs/explanation/security.md "Guessing".
"""

from collections.abc import Callable
from typing import Final, NoReturn, TypeVar

from allauth.account.adapter import get_adapter
from allauth.core import context, ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.ratelimit import get_cache_key, get_rates
from django.contrib import messages
from django.contrib.auth import logout
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.shortcuts import redirect

from accounts import devices
from accounts.adapters import network_of
from accounts.models import User
from accounts.notices import tell_owner

Checked = TypeVar("Checked")

#: Seconds for which nothing is accepted after too many wrong tries; the periods of the limits.
LOCKED_FOR: Final = 15 * 60
#: The code of a refusal without a look at what was given.
CLOSED: Final = "too_many_login_attempts"


def guess(user: User, check: Callable[[], Checked]) -> Checked:
    """Check a password or code inside a session; wrong ones are counted by user and by session.
    Raises ImmediateHttpResponse: there were too many; nothing is checked, or the session has ended;
    ValidationError: it is wrong.
    """
    request = context.request
    # Counted before it is checked, so that parallel tries are no more.
    if not ratelimit.consume(request, action="guess", user=user):
        response = ratelimit.respond_429(request)
        response["Retry-After"] = str(LOCKED_FOR)
        raise ImmediateHttpResponse(response)
    try:
        checked = check()
    except ValidationError:
        if not ratelimit.consume(request, action="guess_in_session", key=_session()):
            _end_session(user)
        if not ratelimit.consume(request, action="guess", user=user, dry_run=True):
            sentence = "Passwords and codes are refused in your sessions for 15 minutes"
            tell_owner(request, user, f"{sentence}, because five were wrong.")
        raise
    ratelimit.clear(request, action="guess", user=user)
    ratelimit.clear(request, action="guess_in_session", key=_session())
    return checked


def check_second_step(user: User | None, check: Callable[[], Checked]) -> Checked:
    """Check a code or passkey at a log-in; wrong ones are counted by known browser or network, so
    that the password alone closes no browser of its owner's.  A passkey without ``user`` says whose
    it is.  Raises ValidationError.
    """
    if user is None:
        return check()
    request = context.request
    is_known = devices.is_known(user.pk, request)
    # A new password starts another count.
    account = f"{user.pk}:{user.get_session_auth_hash()}"
    place = devices.cookie_of(request) if is_known else network_of(_address())
    here = f"{account}:{place}"
    try:
        if not ratelimit.consume(request, action="second_step", key=here) or not (
            is_known or ratelimit.consume(request, action="second_step_elsewhere", key=account)
        ):
            raise get_adapter().validation_error(CLOSED)
        _forget_count_of_all_places(user)
        checked = check()
    except ValidationError as refused:
        if refused.code == CLOSED and ratelimit.consume(request, action="tell_closed", user=user):
            sentence = (
                "Five tries of a code or passkey at your log-in were wrong, so none is accepted "
                "there for 15 minutes. Browsers in which you have logged in before stay open"
            )
            advice = "Somebody else who comes that far knows your password: change it."
            tell_owner(request, user, f"{sentence}. {advice}")
        raise
    ratelimit.clear(request, action="second_step", key=here)
    return checked


def _forget_count_of_all_places(user: User) -> None:
    """Forget what django-allauth counts: it would refuse the owner everywhere after five."""
    app, action, key = "allauth.account", "login_failed", f"mfa-auth-user-{user.pk}"
    for rate in get_rates(app=app, action=action):
        if rate.per == "key":
            cache.delete(get_cache_key(context.request, app=app, action=action, rate=rate, key=key))


def _address() -> str | None:
    return get_adapter().get_client_ip(context.request)


def _session() -> str:
    return str(context.request.session.session_key)


def _end_session(user: User) -> NoReturn:
    request = context.request
    tell_owner(request, user, "A session of yours has been ended after ten wrong tries.")
    logout(request)
    messages.error(request, "That was wrong ten times. Log in again.")
    raise ImmediateHttpResponse(redirect("account_login"))
