"""Accounts that programs play: made from an account that has not played yet, and for good.
Source: docs/reference/json-rpc.md "Program accounts".
"""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import User, is_taken
from accounts.names import check_form, is_programs, is_reserved, name_refused
from games.matches.models import Seat


def why_no_program(user: User) -> str:
    """Return the reason why an account cannot become a program's, else an empty text."""
    if user.is_program:
        return "This account is a program's."
    if user.is_staff or user.is_bot:
        return "Staff accounts cannot be programs."
    if Seat.objects.filter(user=user).exists():
        return "This account has played. Make a new account for your program."
    return ""


def become_program(*, user_id: int, name: str) -> User:
    """Turn an account that has not played into a program's, with a name that says so. Raises
    ValidationError: ``program_refused`` with the reason, ``program_name``, or as for names.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        if why := why_no_program(user):
            raise ValidationError(why, "program_refused")
        check_form(name)
        if not is_programs(name):
            raise ValidationError("A program's name ends with _bot.", "program_name")
        if is_reserved(name) or is_taken(name, except_id=user.pk):
            raise name_refused()
        user.username, user.is_program = name, True
        try:
            with transaction.atomic():
                user.save(update_fields=["username", "is_program"])
        except IntegrityError:
            raise name_refused() from None
    return user
