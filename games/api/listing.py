"""Lists of matches of any status, the newest first, in parts that new matches do not shift.
Source: docs/reference/api.md.
"""

import json
from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User, named
from games import registry
from games.engine.facts import instant, iso
from games.matches.models import Match, Seat
from games.matches.queries.ratings import Scales
from games.matches.queries.selectors import read_summary


def listed_matches(game: str = "", status: str = "", player: str = "") -> QuerySet[Match]:
    """Return the matches that are in public lists; an empty argument takes all."""
    found = Match.objects.filter(listed=True, game__in=_games())
    if game:
        found = found.filter(game=game)
    if status:
        found = found.filter(status=status)
    if player:
        user = User.objects.filter(named(player), is_active=True).first()
        found = found.filter(pk__in=_with_seat(user)) if user else found.none()
    return found


def own_matches(user: User) -> QuerySet[Match]:
    """Return all matches with a seat of this user, the unlisted ones included."""
    return Match.objects.filter(pk__in=_with_seat(user), game__in=_games())


def part_of(found: QuerySet[Match], after: str, limit: int) -> tuple[list[dict[str, Any]], str]:
    """Return some matches, each as a row, and the public id of the last one if others follow.
    ``after``: the public id of the last match of the part before; empty for the first part. Raises
    Match.DoesNotExist: ``after`` is no match that such a list may hold.
    """
    if after:
        # A match that is over leaves a list of running ones, but keeps its place in the order.
        known = Match.objects.filter(Q(listed=True) | Q(pk__in=found.values("pk")))
        found = found.filter(pk__lt=known.only("pk").get(public_id=after).pk)
    lean = found.defer("state", "recent", "origin", "origin_users", "seed")
    rows = list(lean.order_by("-pk")[: limit + 1])
    shown = rows[:limit]
    return _rows(shown), shown[-1].public_id if len(rows) > limit else ""


def _with_seat(user: User) -> QuerySet[Seat, Any]:
    return Seat.objects.filter(user=user).values("match")


def _games() -> list[str]:
    return [game.slug for game in registry.tables()]


def _rows(matches: Sequence[Match]) -> list[dict[str, Any]]:
    seats: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    taken = Seat.objects.filter(match__in=seats).select_related("user").order_by("match", "no")
    for seat in taken:
        seats[seat.match_id].append(seat)
    scales = Scales()
    return [
        {**_row(match, seats[match.pk]), "old_scale": scales.is_old(match)} for match in matches
    ]


def _row(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    options = json.loads(match.table)["options"]
    told = registry.table(match.game).lists.row(options, read_summary(match.summary))
    moments = (match.opened_at, match.started_at, match.ended_at)
    opened_at, started_at, ended_at = (at and iso(instant(at)) for at in moments)
    return {
        "public_id": match.public_id,
        "game": match.game,
        "title": match.title,
        "status": match.status,
        "void_reason": match.void_reason or None,
        "opened_at": opened_at,
        "started_at": started_at,
        "ended_at": ended_at,
        "rated": match.is_rated,
        "staked": match.is_staked,
        "spectators": match.spectators,
        "terms": told.get("terms", ""),
        "news": told.get("news", ""),
        "seats": [_seat(match, seat) for seat in seats],
    }


def _seat(match: Match, seat: Seat) -> dict[str, Any]:
    is_over = not match.is_live
    return {
        "no": seat.no,
        "name": seat.user.username,
        "bot": seat.user.is_bot,
        "result": (seat.result or None) if is_over else None,
        "net": seat.net if is_over else None,
        "rating_change": seat.rating_change if is_over else None,
    }
