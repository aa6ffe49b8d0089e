"""The check of every web process each second: is anything due, and may a log-in have ended?

One statement: the batch writer shares the interpreter with the thread that runs it, and each
return to it may cost a batch 5 ms.  ``repair`` makes the same checks part by part with Django's
ORM, and acts on them.

Source: docs/explanation/performance.md "The background".
"""

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection
from django.utils import timezone

from accounts.login_number import LOGIN_NUMBER
from economy.sql import is_any
from games import registry
from games.matches.models import Match
from games.matches.processing import outage, repair
from games.matches.queries import selectors

# Every name in these texts is a constant; values are passed only as parameters.
# ruff: noqa: S608

_HEARTBEATS: Final = "SELECT 1 FROM games_webprocess WHERE closed_at IS NULL AND beat_at"
_MATCHES: Final = "SELECT 1 FROM games_match AS m WHERE {is_awake} AND m"
#: An outage to repay; a due clock or bot; a seat to free, and a game to void, which both need a
#: live process to which users could have come back.
_LOOK: Final = f"""
    SELECT EXISTS ({_HEARTBEATS} <= %s)
    OR EXISTS ({_MATCHES}.wake_at <= %s AND (m.wake_at <= %s OR NOT m.is_slow)
               AND m.stalled_at IS NULL)
    OR (EXISTS ({_HEARTBEATS} > %s) AND EXISTS (
        {_MATCHES}.status = %s AND (m.begins_at IS NULL OR m.begins_at <= %s) AND EXISTS (
            SELECT 1 FROM games_seat AS s JOIN accounts_user AS u ON u.id = s.user_id
            WHERE s.match_id = m.id AND s.seen_at <= %s AND NOT u.is_bot)))
    OR (EXISTS ({_HEARTBEATS} > %s AND started_at <= %s)
        AND EXISTS ({_MATCHES}.stalled_at <= %s AND m.status = %s AND NOT m.is_slow)),
    {LOGIN_NUMBER}
"""


class DueCheck(NamedTuple):
    """Whether a sweep would find work, and the current number of log-ins."""

    is_anything_due: bool
    login_number: int


def look(now: datetime | None = None) -> DueCheck:
    """Run the check; read-only."""
    now = now or timezone.now()
    is_awake, games = is_any("m.game", registry.slugs(), "text")
    fresh, back_since = now - selectors.FRESH, now - selectors.PATIENCE
    given: list[Any] = [
        *(now - outage.LOST, games, now, now - selectors.HEAD_START),
        *(fresh, games, Match.Status.OPEN, now, now - repair.ABSENCE),
        *(fresh, back_since, games, back_since, Match.Status.RUNNING),
    ]
    with connection.cursor() as cursor:
        cursor.execute(_LOOK.format(is_awake=is_awake), [_stored(each) for each in given])
        is_due, number = cursor.fetchone()
    return DueCheck(bool(is_due), number or 0)


def _stored(value: Any) -> Any:
    """Return a value as the database stores it."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return str(value) if isinstance(value, Match.Status) else value
