"""A user's points, and the live matches of which the user has a seat or an unanswered challenge."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final

from django.db import connection
from django.http import HttpRequest

from economy.transfers import user_owner
from games import registry

_OWN: Final = "rr.own"
_COLUMNS: Final = (
    *('m."id"', 'm."public_id"', 'm."game"', 'm."title"', 'm."status"', 'm."table"'),
    *('m."summary"', 'm."spectators"', 'm."mark"', 'm."begins_at"', 'm."invited_id"'),
    *('m."opened_by_id"', 'm."action_count"', 'o."username"', 'i."username"'),
)
_NAMES: Final = (
    'LEFT JOIN "accounts_user" o ON o."id" = m."opened_by_id"'
    ' LEFT JOIN "accounts_user" i ON i."id" = m."invited_id"'
)
# A list of the tables first: SQLite could begin a join with all matches of a status.
# ruff: noqa: S608
_STATEMENT: Final = f"""SELECT
 (SELECT w."balance" FROM "economy_account" w
  WHERE w."owner" = %(owner)s AND w."kind" = 'wallet' AND w."unit" = 'POINT'),
 (SELECT SUM(CASE WHEN d."owner" = %(owner)s THEN t."amount"
             WHEN c."owner" = %(owner)s THEN -t."amount" ELSE 0 END)
  FROM "games_seat" s CROSS JOIN "games_match" m CROSS JOIN "economy_account" e
  CROSS JOIN "economy_transfer" t CROSS JOIN "economy_account" d CROSS JOIN "economy_account" c
  WHERE s."user_id" = %(user)s AND m."id" = s."match_id" AND m."status" = 'running'
   AND m."is_staked" AND e."owner" = 'match:' || m."id" AND e."kind" = 'escrow'
   AND e."unit" = 'POINT' AND e."balance" > 0 AND (t."debit_id" = e."id" OR t."credit_id" = e."id")
   AND d."id" = t."debit_id" AND c."id" = t."credit_id"),
 NULL, NULL, {", ".join(["NULL"] * len(_COLUMNS))}
UNION ALL SELECT NULL, NULL, s."no",
 (s."user_id" = m."opened_by_id" AND m."invited_id" IS NOT NULL AND m."status" = 'open'
  AND NOT EXISTS (SELECT 1 FROM "games_seat" a
                  WHERE a."match_id" = m."id" AND a."user_id" = m."invited_id")),
 {", ".join(_COLUMNS)}
 FROM "games_seat" s CROSS JOIN "games_match" m {_NAMES}
 WHERE s."user_id" = %(user)s AND m."id" = s."match_id" AND m."status" IN ('open', 'running')
UNION ALL SELECT NULL, NULL, NULL, (1 = 1), {", ".join(_COLUMNS)}
 FROM "games_match" m {_NAMES}
 WHERE m."invited_id" = %(user)s AND m."status" = 'open'
  AND EXISTS (SELECT 1 FROM "games_seat" b WHERE b."match_id" = m."id"
              AND b."user_id" = m."opened_by_id")
  AND NOT EXISTS (SELECT 1 FROM "games_seat" a WHERE a."match_id" = m."id"
                  AND a."user_id" = m."invited_id")
"""


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A live match with the user's seat, None for an unanswered challenge to the user."""

    own_seat: int | None
    #: A challenge whose challenger sits and whose challenged does not.
    is_unanswered: bool
    pk: int
    public_id: str
    game: str
    title: str
    status: str
    table: str
    summary: str
    spectators: bool
    mark: str
    begins_at: datetime | None
    invited_id: int | None
    opened_by_id: int | None
    action_count: int
    opener: str | None
    invited: str | None


@dataclass(frozen=True)
class Own:
    """A user's points in the wallet and in running games, and the matches, the newest first."""

    balance: int
    in_play: int
    matches: tuple[OwnMatch, ...]

    @cached_property
    def seated(self) -> list[OwnMatch]:
        return [match for match in self.matches if match.own_seat is not None]


def read_own(user_id: int) -> Own:
    """Return what a user has and where the user sits: one query."""
    given = {"user": user_id, "owner": user_owner(user_id)}
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT, given)
        (balance, in_play, *_), *rows = cursor.fetchall()
    here = registry.slugs()
    found = [_match(row[2:]) for row in rows if row[6] in here]
    found.sort(key=lambda match: match.pk, reverse=True)
    return Own(balance or 0, in_play or 0, tuple(found))


def own_of(request: HttpRequest) -> Own:
    """Return the same of the user of a page, read once a request."""
    if _OWN not in request.META:
        request.META[_OWN] = read_own(request.user.pk)
    found: Own = request.META[_OWN]
    return found


def _match(row: tuple[Any, ...]) -> OwnMatch:
    seat, is_unanswered, *columns = row
    begins_at = columns[9]
    if isinstance(begins_at, str):  # SQLite
        columns[9] = datetime.fromisoformat(begins_at).replace(tzinfo=UTC)
    elif begins_at is not None and begins_at.tzinfo is None:
        columns[9] = begins_at.replace(tzinfo=UTC)
    columns[7] = bool(columns[7])
    return OwnMatch(seat, bool(is_unanswered), *columns)
