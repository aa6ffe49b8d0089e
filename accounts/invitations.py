"""Inviting others by an address of one's own."""

import secrets
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from economy.codes import TransferCode
from economy.payouts import paid_to
from economy.selectors import settings_starting

#: The signed cookie in which a guest's browser remembers by whom it was invited, and how long.
#: No row: a link that is followed a thousand times would make a thousand.
_INVITE: Final = "invite"
_REMEMBERED: Final = 30 * 24 * 60 * 60


def token_of(*, user_id: int) -> str:
    """Return the unguessable part of a user's invite address, making it when there is none."""
    mine = User.objects.filter(pk=user_id)
    if mine.filter(invite_token=None).exists():
        mine.filter(invite_token=None).update(invite_token=secrets.token_urlsafe(16))
    return str(mine.values_list("invite_token", flat=True).get())


def find_inviter(token: str) -> User | None:
    """Return who invites by this token."""
    return User.objects.filter(invite_token=token, is_active=True, is_bot=False).first()


def accept(response: HttpResponse, inviter: User) -> None:
    """Let a browser remember an invitation until somebody signs up in it."""
    response.set_signed_cookie(
        _INVITE,
        str(inviter.invite_token),
        max_age=_REMEMBERED,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def inviter_in(request: HttpRequest) -> User | None:
    """Return who invited the guest of this browser."""
    token = request.get_signed_cookie(_INVITE, default=None, max_age=_REMEMBERED)
    return find_inviter(token) if token else None


def results_of(*, user_id: int) -> dict[str, int]:
    """Return how many an inviter brought, how many of them counted, and what one of them pays."""
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
