"""Limits on wrong passwords and codes, in a session and at the second step of a log-in.

Source: docs/explanation/security.md "Guessing".
"""

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from allauth.core import context, ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.shortcuts import redirect

from accounts.models import User
from accounts.notices import tell_owner

Checked = TypeVar("Checked")

#: Seconds for which nothing is accepted after too many wrong tries; the periods of the limits.
LOCKED_FOR: Final = 15 * 60


def guess(user: User, check: Callable[[], Checked]) -> Checked:
    """Check a password or code inside a session; wrong ones are counted by user and by session.

    Raises:
        ImmediateHttpResponse: there were too many; nothing is checked, or the session has ended.
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


def tell_if_closed(user: Any, check: Callable[[], Checked]) -> Checked:
    """Check a second factor; tell the owner, once an hour, when none is accepted any more.

    Raises:
        ValidationError: it is wrong, or there were too many.
    """
    try:
        return check()
    except ValidationError as refused:
        is_closed = refused.code == "too_many_login_attempts"
        if is_closed and ratelimit.consume(context.request, action="tell_if_closed", user=user):
            sentence = (
                "Your code or passkey is refused for 15 minutes, because five tries were wrong"
            )
            advice = "Somebody else who comes that far knows your password: change it."
            tell_owner(context.request, user, f"{sentence}. {advice}")
        raise


def _session() -> str:
    return str(context.request.session.session_key)


def _end_session(user: User) -> NoReturn:
    request = context.request
    tell_owner(request, user, "A session of yours has been ended after ten wrong tries.")
    logout(request)
    messages.error(request, "That was wrong ten times. Log in again.")
    raise ImmediateHttpResponse(redirect("account_login"))
