"""Inviting others by an address of one's own."""

import secrets
from typing import Final

from django.http import HttpRequest

from accounts.models import User
from economy.codes import TransferCode
from economy.payouts import paid_to
from economy.selectors import settings_starting

#: Where a guest's session remembers by whom it was invited.
_INVITE: Final = "invite"


def token_of(*, user_id: int) -> str:
    """Return the unguessable part of a user's invite address, making it when there is none."""
    fresh = secrets.token_urlsafe(16)
    User.objects.filter(pk=user_id, invite_token=None).update(invite_token=fresh)
    return str(User.objects.values_list("invite_token", flat=True).get(pk=user_id))


def find_inviter(token: str) -> User | None:
    """Return who invites by this token."""
    return User.objects.filter(invite_token=token, is_active=True, is_bot=False).first()


def accept(request: HttpRequest, inviter: User) -> None:
    """Remember an invitation until somebody signs up in this browser."""
    request.session[_INVITE] = inviter.invite_token


def inviter_in(request: HttpRequest) -> User | None:
    """Return who invited the guest of this session."""
    token = request.session.get(_INVITE)
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
        "daily": numbers["referral.daily"],
    }
