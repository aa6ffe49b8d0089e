"""Invitations: each user has an address that invites others."""

import secrets
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from economy.payouts import paid_to
from economy.selectors import settings_starting
from economy.transfers import TransferCode

#: The signed cookie that holds the inviter of a guest's browser, and its lifetime.
#: A cookie, not a row: a link that is followed a thousand times would create a thousand rows.
_INVITE: Final = "invite"
_REMEMBERED: Final = 30 * 24 * 60 * 60


def token_of(*, user_id: int) -> str:
    """Return the secret part of a user's invite address; create it if there is none."""
    mine = User.objects.filter(pk=user_id)
    if mine.filter(invite_token=None).exists():
        mine.filter(invite_token=None).update(invite_token=secrets.token_urlsafe(16))
    return str(mine.values_list("invite_token", flat=True).get())


def find_inviter(token: str) -> User | None:
    """Return the user who invites by this token."""
    return User.objects.filter(invite_token=token, is_active=True, is_bot=False).first()


def accept(response: HttpResponse, inviter: User) -> None:
    """Store an invitation in a cookie of the browser, until a sign-up."""
    response.set_signed_cookie(
        _INVITE,
        str(inviter.invite_token),
        max_age=_REMEMBERED,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def inviter_in(request: HttpRequest) -> User | None:
    """Return the user who invited the guest of this browser."""
    token = request.get_signed_cookie(_INVITE, default=None, max_age=_REMEMBERED)
    return find_inviter(token) if token else None


def results_of(*, user_id: int) -> dict[str, int]:
    """Return the number of invited users, how many of them counted, and the bonus for one."""
    numbers = settings_starting("referral.")
    paid, points = paid_to(user_id, TransferCode.REFERRAL)
    return {
        "came": User.objects.filter(invited_by=user_id).count(),
        "counted": paid,
        "earned": points,
        "amount": numbers["referral.amount"],
        "least_games": numbers["referral.games"],
        "least_turns": numbers["referral.turns"],
        "daily": numbers["referral.daily"],
    }
