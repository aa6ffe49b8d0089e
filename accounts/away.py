"""Away notices: the public last day of a user's absence. They stop no clock; only the start of a
contest's game leaves out absent users.
Source: docs/explanation/agora.md "Absence".
"""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Final

from accounts.models import User

#: The longest absence that one notice announces.
LONGEST: Final = timedelta(days=90)


class BadAwayDate(ValueError):
    """The last day of an absence is past, or too far ahead."""


def say_away(*, user_id: int, until: date | None, today: date) -> None:
    """Store the last day of a user's absence; None ends the notice. Raises BadAwayDate: the day is
    past, or more than 90 days ahead.
    """
    if until is not None and not today <= until <= today + LONGEST:
        raise BadAwayDate(f"a day from today on, at most {LONGEST.days} days ahead")
    User.objects.filter(pk=user_id).update(away_until=until)


def away_among(user_ids: Collection[int], today: date) -> dict[int, date]:
    """Return user -> last day of absence, for those of these users who are absent: one query."""
    rows = User.objects.filter(pk__in=user_ids, away_until__gte=today)
    return {pk: until for pk, until in rows.values_list("pk", "away_until") if until is not None}
