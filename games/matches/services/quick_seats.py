"""The common part of quick seats: turns, presence, refusals of one table, actions for the user."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection

from accounts.models import User
from games.engine import errors
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import REFUSALS, OnlyHere, Submission

#: The time for which a seated user counts as present after the socket's last sign of life, which
#: is stored about every ten seconds.
PRESENT: Final = timedelta(seconds=25)
#: Refusals that concern one table or its company only, so that the next table is tried.
PASSED_OVER: Final = (OnlyHere, errors.AlreadySeated, errors.NotInPhase, errors.SeatTaken)


def take_turn(user: User, lock: int) -> None:
    """Lock the user's row, then take this advisory lock, until the end of the transaction. The row
    comes before matches and accounts: the user may open a table after others have refused one.  On
    SQLite a transaction has the write lock from its beginning.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock])


def ask(match: Match, user: User, action: Mapping[str, Any], at: datetime | None) -> Any:
    """Submit an action as this user through the write path; return the refusal."""
    submission = Submission(match.pk, action, f"quick-{secrets.token_hex(8)}", user.pk)
    refusal = writing.apply([submission], at).answers[0].error
    assert refusal is None or isinstance(refusal, REFUSALS)
    return refusal
