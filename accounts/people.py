"""Follows, mutes and blocks between users, and their avatars. A block counts in both directions,
and no answer tells which of the two made it.
"""

from collections.abc import Collection, Mapping
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Avatar, Relation, User

Kind = Relation.Kind
#: The most relations of one kind that a user may have.
MOST: Final = 500


def relate(*, user_id: int, other_id: int, kind: Kind) -> None:
    """Store that a user follows, mutes or blocks another; a block ends the follows of both. Raises
    ValidationError: a follow while one of them blocks the other (``apart``), or the most relations
    of this kind (``limit``).
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
    kinds = Relation.objects.filter(user=user_id, other=other_id).values_list("kind", flat=True)
    return set(kinds)


def people_of(user_id: int, kind: Kind) -> QuerySet[User]:
    """Return the users whom a user follows, mutes or blocks, by name."""
    others = Relation.objects.filter(user=user_id, kind=kind).values("other")
    return User.objects.filter(pk__in=others, is_active=True).order_by("username")


def apart_from(user_id: int) -> set[int]:
    """Return the users between whom and this one there is a block, in either direction."""
    blocks = Relation.objects.filter(Q(user=user_id) | Q(other=user_id), kind=Kind.BLOCK)
    return {pk for pair in blocks.values_list("user", "other") for pk in pair} - {user_id}


def unheard_by(author_ids: Collection[int]) -> Mapping[int, set[int]]:
    """Return author -> the users who get no chat of this author: muted or blocked, one query."""
    found: dict[int, set[int]] = {pk: set() for pk in author_ids}
    against = Q(other__in=author_ids, kind__in=(Kind.MUTE, Kind.BLOCK))
    by_author = Q(user__in=author_ids, kind=Kind.BLOCK)
    rows = Relation.objects.filter(against | by_author).values_list("user", "other", "kind")
    for user_id, other_id, kind in rows:
        if other_id in found:
            found[other_id].add(user_id)
        if user_id in found and kind == Kind.BLOCK:
            found[user_id].add(other_id)
    return found


def choose_avatar(*, user_id: int, avatar: str) -> None:
    """Store a user's avatar, "" for the initials. Raises ValueError: there is no such avatar."""
    User.objects.filter(pk=user_id).update(avatar=Avatar(avatar) if avatar else "")
