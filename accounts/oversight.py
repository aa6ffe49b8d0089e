"""Freezes and bans of users by an administrator, each with a reason."""

from datetime import date, datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import User
from accounts.notices import tell_of_admin_action
from accounts.services import freeze, unfreeze
from economy.adjustments import OwnAccount
from economy.records import Actor, Change, write_record
from economy.transfers import user_owner

#: The actor of automatic changes.
THE_HOUSE: Final = Actor("house", "the house")


@transaction.atomic
def freeze_user(actor: Actor, user_id: int, reason: str, at: datetime) -> User:
    """Freeze a user, who may watch, but not sit down, buy or be given anything.

    Raises:
        OwnAccount: the actor is the user.
        ValidationError: the user is frozen already.
    """
    user = _lock(actor, user_id)
    if user.is_frozen:
        raise ValidationError("This player is frozen already.")
    freeze(user_id=user_id, reason=reason, at=at)
    tell_of_admin_action(user, f"It is frozen: you may look, and not play. The reason: {reason}")
    _record(actor, user, "user_frozen", reason, Change({"is_frozen": False}, {"is_frozen": True}))
    return user


@transaction.atomic
def unfreeze_user(actor: Actor, user_id: int, reason: str) -> User:
    """End the freeze of a user.

    Raises:
        OwnAccount: the actor is the user.
        ValidationError: the user is not frozen.
    """
    user = _lock(actor, user_id)
    if not user.is_frozen:
        raise ValidationError("This player is not frozen.")
    unfreeze(user_id=user_id)
    tell_of_admin_action(user, "It is not frozen any more: you may play again.")
    before = {"is_frozen": True, "frozen_reason": user.frozen_reason}
    _record(actor, user, "user_unfrozen", reason, Change(before, {"is_frozen": False}))
    return user


@transaction.atomic
def ban_user(actor: Actor, user_id: int, reason: str, until: date | None = None) -> User:
    """Ban a user: log-in is refused, and all sockets close after the commit.

    Args:
        reason: shown to the user on an attempt to log in.
        until: the UTC day on which it ends automatically; None: permanent.

    Raises:
        OwnAccount: the actor is the user.
        ValidationError: the user is banned already, or is a bot.
    """
    user = _lock(actor, user_id)
    if not user.is_active:
        raise ValidationError("This player is banned already.")
    if user.is_bot:
        raise ValidationError("The house's bots are not banned.")
    user.is_active, user.banned_reason, user.banned_until = False, reason, until
    user.save(update_fields=["is_active", "banned_reason", "banned_until"])
    end = "for good" if until is None else f"until {until:%-d %B %Y}"
    tell_of_admin_action(user, f"It is closed {end}: you cannot log in. The reason: {reason}")
    after = {"is_active": False, "until": None if until is None else until.isoformat()}
    _record(actor, user, "user_banned", reason, Change({"is_active": True}, after))
    return user


@transaction.atomic
def unban_user(actor: Actor, user_id: int, reason: str) -> User:
    """End the ban of a user.

    Raises:
        OwnAccount: the actor is the user.
        ValidationError: the user is not banned.
    """
    user = _lock(actor, user_id)
    if user.is_active:
        raise ValidationError("This player is not banned.")
    tell_of_admin_action(user, "It is open again: you can log in.")
    return _let_in(actor, user, reason)


def lift_ended_bans(today: date) -> int:
    """Lift all bans whose last day is past; return their number."""
    ended = User.objects.filter(is_active=False, banned_until__lte=today)
    return sum(lift_ended_ban(user_id, today) for user_id in ended.values_list("pk", flat=True))


@transaction.atomic
def lift_ended_ban(user_id: int, today: date) -> bool:
    """Lift a user's ban if its last day is past; return whether it was lifted."""
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if user.is_active or user.banned_until is None or user.banned_until > today:
        return False
    _let_in(THE_HOUSE, user, "the ban has ended")
    return True


def _let_in(actor: Actor, user: User, reason: str) -> User:
    user.is_active, user.banned_reason, user.banned_until = True, "", None
    user.save(update_fields=["is_active", "banned_reason", "banned_until"])
    _record(actor, user, "user_unbanned", reason, Change({"is_active": False}, {"is_active": True}))
    return user


def _lock(actor: Actor, user_id: int) -> User:
    if actor.owner == user_owner(user_id):
        raise OwnAccount("nobody does this to their own account")
    return User.objects.select_for_update(no_key=True).get(pk=user_id)


def _record(actor: Actor, user: User, action: str, reason: str, change: Change) -> None:
    write_record(actor, action, user_owner(user.pk), reason=reason, change=change)
