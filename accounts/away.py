"""Away notices: until which day somebody says not to be here, as everybody may read.

Nothing is decided by one: a clock does not wait.  Who asks people into new games passes them by.

Source: docs/agora.md "Absence".
"""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Final

from accounts.models import User

#: Whoever is away for longer says so again.
LONGEST: Final = timedelta(days=90)


class BadAwayDate(ValueError):
    """The last day of an absence lies in the past, or too far in the future."""


def say_away(*, user_id: int, until: date | None, today: date) -> None:
    """Keep the last day on which a user is away; None ends the notice.

    Raises:
        BadAwayDate: the day is past, or more than 90 days ahead.
    """
    if until is not None and not today <= until <= today + LONGEST:
        raise BadAwayDate(f"a day from today on, at most {LONGEST.days} days ahead")
    User.objects.filter(pk=user_id).update(away_until=until)


def away_among(user_ids: Collection[int], today: date) -> dict[int, date]:
    """Return who of these users is away, and until when: one query."""
    rows = User.objects.filter(pk__in=user_ids, away_until__gte=today)
    return {pk: until for pk, until in rows.values_list("pk", "away_until") if until is not None}
