"""A user's points, ratings, and the live matches with a seat of the user or a challenge to them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, cast

from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from economy.sql import made
from economy.transfers import user_owner
from games import registry
from games.matches.models import Match

_OWN: Final = "rr.own"
_WANTED: Final = {
    *("id", "public_id", "game", "title", "status", "table", "summary", "spectators", "mark"),
    *("begins_at", "invited_id", "opened_by_id", "action_count"),
}
#: In the model's order.
_FIELDS: Final = [f.attname for f in Match._meta.concrete_fields if f.attname in _WANTED]
_COLUMNS: Final = ", ".join([*(f'm."{name}"' for name in _FIELDS), 'o."username"', 'i."username"'])
_NO_MATCH: Final = ", ".join(["NULL"] * (len(_FIELDS) + 2))
_USERS: Final = """LEFT JOIN "accounts_user" o ON o."id" = m."opened_by_id"
 LEFT JOIN "accounts_user" i ON i."id" = m."invited_id" """
_PLAY: Final = """FROM "games_dailyplay" p JOIN "games_dailytable" y ON y."id" = p."table_id"
 WHERE p."user_id" = %(user)s AND y."day" = %(today)s"""
#: Nobody who was challenged sits.
_OPEN: Final = """m."status" = 'open' AND NOT EXISTS (SELECT 1 FROM "games_seat" a
 WHERE a."match_id" = m."id" AND a."user_id" = m."invited_id")"""
# Raw SQL: the ORM's six statements took 33 times the time (SQLite; 3.3 on PostgreSQL; 2026-11-27).
# The user's seats first: SQLite could begin a join with all matches of a status.
# ruff: noqa: S608
_STATEMENT: Final = f"""SELECT 'user', (SELECT w."balance" FROM "economy_account" w
 WHERE w."owner" = %(owner)s AND w."kind" = 'wallet' AND w."unit" = 'POINT'),
 (SELECT SUM(CASE %(owner)s WHEN d."owner" THEN t."amount" WHEN c."owner" THEN -t."amount" END)
  FROM "games_seat" s CROSS JOIN "games_match" m CROSS JOIN "economy_account" e
  CROSS JOIN "economy_transfer" t CROSS JOIN "economy_account" d CROSS JOIN "economy_account" c
  WHERE s."user_id" = %(user)s AND m."id" = s."match_id" AND m."status" = 'running'
  AND m."is_staked" AND e."owner" = 'match:' || m."id" AND e."kind" = 'escrow'
  AND e."unit" = 'POINT' AND e."balance" > 0 AND (t."debit_id" = e."id" OR t."credit_id" = e."id")
  AND d."id" = t."debit_id" AND c."id" = t."credit_id"),
 (SELECT p."net" {_PLAY}), (SELECT p."marks" {_PLAY}), CAST(NULL AS double precision),
 CAST(NULL AS double precision), NULL, NULL, {_NO_MATCH}
UNION ALL SELECT 'match', NULL, NULL, NULL, NULL, NULL, NULL, s."no",
 (s."user_id" = m."opened_by_id" AND m."invited_id" IS NOT NULL AND {_OPEN}), {_COLUMNS}
 FROM "games_seat" s CROSS JOIN "games_match" m {_USERS}
 WHERE s."user_id" = %(user)s AND m."id" = s."match_id" AND m."status" IN ('open', 'running')
UNION ALL SELECT 'match', NULL, NULL, NULL, NULL, NULL, NULL, NULL, (1 = 1), {_COLUMNS}
 FROM "games_match" m {_USERS} WHERE m."invited_id" = %(user)s AND {_OPEN} AND EXISTS (
  SELECT 1 FROM "games_seat" b WHERE b."match_id" = m."id" AND b."user_id" = m."opened_by_id")
UNION ALL SELECT 'rating', r."games", NULL, NULL, r."game", r."mu", r."sigma", NULL, NULL,
 {_NO_MATCH} FROM "games_rating" r WHERE r."user_id" = %(user)s"""


class OwnMatch(NamedTuple):
    """A live match, with the user's seat (None: a challenge to the user), whether a challenge is
    unanswered while its challenger sits, and the names of who opened it and who was challenged.
    """

    row: Match
    seat: int | None
    is_unanswered: bool
    opener: str | None
    invited: str | None


class Own(NamedTuple):
    """A user's points in the wallet and in running games, matches, the newest first, ratings by
    game, and today's daily table: its net, None before the end, and its marks.
    """

    balance: int
    in_play: int
    matches: Sequence[OwnMatch]
    #: Number of games, mu, sigma.
    ratings: Mapping[str, tuple[int, float, float]]
    daily_net: int | None
    daily_marks: str


def read_own(user_id: int) -> Own:
    """Return what a user has and where the user sits: one query."""
    owner, today = user_owner(user_id), timezone.now().date()
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT, {"user": user_id, "owner": owner, "today": today})
        (_, balance, in_play, net, marks, *_), *rows = cursor.fetchall()
    ratings = {row[4]: (row[1], row[5], row[6]) for row in rows if row[0] == "rating"}
    matches = [_match(*row[7:]) for row in rows if row[11] in registry.slugs()]
    matches.sort(key=lambda match: match.row.pk, reverse=True)
    return Own(balance or 0, in_play or 0, matches, ratings, net, marks or "")


def own_of(request: HttpRequest) -> Own:
    """Return the same of the user of a page, read once a request."""
    if _OWN not in request.META:
        request.META[_OWN] = read_own(cast("User", request.user).pk)
    found: Own = request.META[_OWN]
    return found


def _match(seat: int | None, is_unanswered: Any, *columns: Any) -> OwnMatch:
    *values, opener, invited = columns
    row = made(Match, _FIELDS, values)
    row.spectators = bool(row.spectators)
    if isinstance(row.begins_at, str):  # SQLite
        row.begins_at = datetime.fromisoformat(row.begins_at).replace(tzinfo=UTC)
    return OwnMatch(row, seat, bool(is_unanswered), opener, invited)
