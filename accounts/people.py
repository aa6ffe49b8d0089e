"""Relations of users: follows, mutes, blocks, invitations, absences."""

import secrets
from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import Avatar, Relation, User
from economy.payouts import paid_to
from economy.selectors import settings_starting
from economy.sql import USERS, Compiled
from economy.transfers import TransferCode

Kind = Relation.Kind
#: The most relations of one kind that a user may have.
MOST: Final = 500


def relate(*, user_id: int, other_id: int, kind: Kind) -> None:
    """Store a relation; a block ends the follows of both. Raises ValidationError for a follow
    across a block (``apart``), or too many (``limit``).
    """
    if kind == Kind.FOLLOW and other_id in apart_from(user_id):
        raise ValidationError("You cannot follow this player.", code="apart")
    with transaction.atomic():
        # Lock the user's row, so that concurrent relations count each other.
        User.objects.select_for_update(no_key=True).get(pk=user_id)
        held = Relation.objects.filter(user=user_id, kind=kind).exclude(other=other_id)
        if held.count() >= MOST:
            raise ValidationError(f"You can {kind} {MOST} players at most.", code="limit")
        Relation.objects.get_or_create(
            user_id=user_id, other_id=other_id, kind=kind, defaults={"at": timezone.now()}
        )
        if kind == Kind.BLOCK:
            between = Q(user=user_id, other=other_id) | Q(user=other_id, other=user_id)
            Relation.objects.filter(between, kind=Kind.FOLLOW).delete()


def unrelate(*, user_id: int, other_id: int, kind: Kind) -> None:
    """Delete a relation, if there is one."""
    Relation.objects.filter(user=user_id, other=other_id, kind=kind).delete()


def relations_to(user_id: int, other_id: int) -> set[str]:
    """Return the kinds of a user's own relations to another."""
    mine = Relation.objects.filter(user=user_id, other=other_id)
    return set(mine.values_list("kind", flat=True))


def people_of(user_id: int, kind: Kind) -> QuerySet[User]:
    """Return the users whom a user follows, mutes or blocks, by name."""
    others = Relation.objects.filter(user=user_id, kind=kind).values("other")
    return User.objects.filter(pk__in=others, is_active=True).order_by("username")


def names_followed_by(user_id: int) -> list[str]:
    """Return the names of the active users whom a user follows."""
    return sorted(name for (name,) in _FOLLOWED.rows(users=[user_id]))


_FOLLOWED: Final = Compiled(
    lambda: Relation.objects.filter(
        user__in=USERS, kind=Kind.FOLLOW, other__is_active=True
    ).values_list("other__username")
)


def apart_from(user_id: int) -> set[int]:
    """Return the users between whom and this one there is a block, in either direction."""
    blocks = Relation.objects.filter(Q(user=user_id) | Q(other=user_id), kind=Kind.BLOCK)
    return {pk for pair in blocks.values_list("user", "other") for pk in pair} - {user_id}


def unheard_by(author_ids: Collection[int]) -> Mapping[int, set[int]]:
    """Return author -> the users who get none of this author's chat, by mutes and blocks."""
    found: dict[int, set[int]] = {pk: set() for pk in author_ids}
    for user_id, other_id, kind in _UNHEARD.rows(users=author_ids) if author_ids else ():
        if other_id in found:
            found[other_id].add(user_id)
        if user_id in found and kind == Kind.BLOCK:
            found[user_id].add(other_id)
    return found


_UNHEARD: Final = Compiled(
    lambda: Relation.objects.filter(
        Q(other__in=USERS, kind__in=(Kind.MUTE, Kind.BLOCK)) | Q(user__in=USERS, kind=Kind.BLOCK)
    ).values_list("user", "other", "kind")
)


def choose_avatar(*, user_id: int, avatar: str) -> None:
    """Store a user's avatar, "" for the initials. Raises ValueError."""
    User.objects.filter(pk=user_id).update(avatar=Avatar(avatar) if avatar else "")


#: The longest absence that one notice announces.
LONGEST_ABSENCE: Final = timedelta(days=90)


class BadAwayDate(ValueError):
    """The last day of an absence is past, or too far ahead."""


def say_away(*, user_id: int, until: date | None, today: date) -> None:
    """Store the public last day of a user's absence; None ends it. Raises BadAwayDate."""
    if until is not None and not today <= until <= today + LONGEST_ABSENCE:
        raise BadAwayDate(f"a day from today on, at most {LONGEST_ABSENCE.days} days ahead")
    User.objects.filter(pk=user_id).update(away_until=until)


def away_among(user_ids: Collection[int], today: date) -> dict[int, date]:
    """Return user -> last day of absence, for those who are absent: one query."""
    rows = User.objects.filter(pk__in=user_ids, away_until__gte=today)
    return {pk: until for pk, until in rows.values_list("pk", "away_until") if until is not None}


#: The signed cookie that holds the inviter of a guest's browser, and its lifetime.
#: A cookie, not a row: a link that is followed a thousand times would create a thousand rows.
_INVITE: Final = "invite"
_REMEMBERED: Final = 30 * 24 * 60 * 60


def invite_token_of(*, user_id: int) -> str:
    """Return the secret part of a user's invite address; create it if there is none."""
    mine = User.objects.filter(pk=user_id)
    if mine.filter(invite_token=None).exists():
        mine.filter(invite_token=None).update(invite_token=secrets.token_urlsafe(16))
    return str(mine.values_list("invite_token", flat=True).get())


def find_inviter(token: str) -> User | None:
    """Return the user who invites by this token."""
    return User.objects.filter(invite_token=token, is_active=True, is_bot=False).first()


def remember_inviter(response: HttpResponse, inviter: User) -> None:
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


def invitation_results(*, user_id: int) -> dict[str, int]:
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
