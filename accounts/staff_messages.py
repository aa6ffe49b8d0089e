"""Messages of the moderators to a user: shown on every page until they are read. After a rename the
user may choose a name, once, before the news counts as read.
"""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts.models import StaffMessage, User, is_taken
from accounts.names import check_form, is_programs, is_reserved, name_refused
from accounts.signals import announce_new_name


def unread_message(user: User) -> StaffMessage | None:
    """Return a user's oldest message that is not read; ask only where ``warned_at`` is set."""
    return user.staff_messages.filter(read_at=None).order_by("pk").first()


@transaction.atomic
def read_message(*, user_id: int, message_id: int, name: str = "") -> bool:
    """Mark a user's message as read, and after a rename take a name; return whether it was unread.
    ``name``: the chosen name; empty: the neutral one stays. Raises ValidationError: as for the
    names of sign-ups, or the message allows no new name.
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
    if is_reserved(name) or is_programs(name) != user.is_program:
        raise name_refused()
    if is_taken(name, except_id=user.pk):
        raise name_refused()
    old, user.username = user.username, name
    user.save(update_fields=["username"])
    announce_new_name(user.pk, old, name)
