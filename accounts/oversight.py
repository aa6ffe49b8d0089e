"""Acts of administrators on users. Raise OwnAccount, ValidationError where they do not apply."""

import secrets
from datetime import date
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts.mails import tell_of_admin_action
from accounts.models import BlockedName, StaffMessage, User, is_taken
from accounts.names import PROGRAM_END, check_form, is_programs, is_reserved, name_key, name_refused
from accounts.services import freeze, unfreeze
from accounts.signals import announce, user_renamed
from economy.adjustments import OwnAccount
from economy.records import Actor, Change, write_record
from economy.transfers import user_owner

#: The actor of automatic changes.
THE_HOUSE: Final = Actor("house", "the house")
#: How many neutral names there are.
NUMBERS: Final = 10**9


@transaction.atomic
def freeze_user(actor: Actor, user_id: int, reason: str) -> User:
    """Freeze a user, who may watch, but not sit down, buy or be given anything."""
    user = _lock(actor, user_id)
    if user.is_frozen:
        raise ValidationError("This player is frozen already.")
    freeze(user_id=user_id, reason=reason)
    tell_of_admin_action(user, f"It is frozen: you may look, and not play. The reason: {reason}")
    _record(actor, user, "user_frozen", reason, Change({"is_frozen": False}, {"is_frozen": True}))
    return user


@transaction.atomic
def unfreeze_user(actor: Actor, user_id: int, reason: str) -> User:
    """End the freeze of a user."""
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
    """Ban a user until a UTC day (None: for good): log-in is refused with the reason, and all
    sockets close after the commit.
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
    """End the ban of a user."""
    user = _lock(actor, user_id)
    if user.is_active:
        raise ValidationError("This player is not banned.")
    tell_of_admin_action(user, "It is open again: you can log in.")
    return _let_in(actor, user, reason)


@transaction.atomic
def warn_user(actor: Actor, user_id: int, reason: str, cause: str = "", target: str = "") -> User:
    """Warn a user, who has to read it before saying anything again. ``cause``: the report's flag,
    such as "flag:12"; ``target`` of the record: by default the user.
    """
    user = _lock(actor, user_id)
    if user.is_bot:
        raise ValidationError("The house's bots are not warned.")
    _send(actor, user, StaffMessage.Kind.WARNING, reason, cause)
    tell_of_admin_action(user, f"A moderator warns you: {reason}")
    write_record(actor, "user_warned", target or user_owner(user.pk), reason=reason)
    return user


@transaction.atomic
def rename_user(actor: Actor, user_id: int, reason: str, cause: str = "") -> User:
    """Take a user's name for good and give a neutral one; the user may then choose another once."""
    user = _lock(actor, user_id)
    if user.is_bot or user.deleted_at is not None:
        raise ValidationError("Only people and programs get another name.")
    old, now = user.username, timezone.now()
    user.username = _neutral_name(user)
    user.save(update_fields=["username"])
    taken = {"name": old, "user": user, "at": now, "retold_at": None}
    BlockedName.objects.update_or_create(key=name_key(old), defaults=taken)
    _send(actor, user, StaffMessage.Kind.RENAMED, reason, cause)
    sentence = f"It is called {user.username} now, and not {old}. The reason: {reason}"
    tell_of_admin_action(user, f"{sentence}\nYou can choose another name at your next visit.")
    _record(actor, user, "user_renamed", reason, Change({"name": old}, {"name": user.username}))
    announce(user_renamed, user_id=user.pk, old=old, new=user.username)
    return user


def _neutral_name(user: User) -> str:
    while True:
        end = PROGRAM_END if user.is_program else ""
        name = f"player-{secrets.randbelow(NUMBERS)}{end}"
        if not is_taken(name):
            return name


def _send(actor: Actor, user: User, kind: StaffMessage.Kind, text: str, cause: str) -> None:
    by = None if actor == THE_HOUSE else int(actor.owner.removeprefix("user:"))
    now = timezone.now()
    StaffMessage.objects.create(user=user, by_id=by, kind=kind, text=text, cause=cause, at=now)
    if user.warned_at is None:
        user.warned_at = now
        user.save(update_fields=["warned_at"])


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


def unread_message(user: User) -> StaffMessage | None:
    """Return a user's oldest unread message; ask only where ``warned_at`` is set."""
    return user.staff_messages.filter(read_at=None).order_by("pk").first()


@transaction.atomic
def read_message(*, user_id: int, message_id: int, name: str = "") -> bool:
    """Mark a message as read, and after a rename take a name; return whether it was unread. Raises
    ValidationError for a name that is refused or not asked for.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    unread = user.staff_messages.filter(read_at=None)
    message = unread.filter(pk=message_id).first()
    if message is None:
        return False
    if name and message.kind != StaffMessage.Kind.RENAMED:
        raise ValidationError("This message is not about your name.", "no_rename")
    if name:
        _take_name(user, name)
    message.read_at = timezone.now()
    message.save(update_fields=["read_at"])
    if not unread.exists():
        user.warned_at = None
        user.save(update_fields=["warned_at"])
    return True


def _take_name(user: User, name: str) -> None:
    check_form(name)
    is_wrong = is_reserved(name) or is_programs(name) != user.is_program
    if is_wrong or is_taken(name, except_id=user.pk):
        raise name_refused()
    old, user.username = user.username, name
    user.save(update_fields=["username"])
    announce(user_renamed, user_id=user.pk, old=old, new=name)
