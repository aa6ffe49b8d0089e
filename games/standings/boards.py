"""Leaderboard of net winnings in the games that count for it; read-only. A week is that of ISO
8601, from Monday 00:00 UTC; a game belongs to the week in which it ended. Source:
docs/explanation/fair-play.md "Prizes".
"""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Count, Sum

from economy.models import Transfer
from economy.selectors import settings_starting
from economy.transfers import TransferCode, user_owner
from games import registry
from games.matches.models import Flag, Match, PrizeWeek, Seat
from games.matches.queries.losses import Losses, finished_seats, points_collected

#: The most rows on a page.
SHOWN = 50
#: Seconds for which a process keeps the board of all time: it reads all games that were finished.
KEPT = 60
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's place; ``net`` and ``prize`` are in points."""

    place: int
    user_id: int
    name: str
    avatar: str
    net: int
    games: int
    prize: int = 0


def week_of(at: datetime | date) -> str:
    """Return the ISO name of a week.

    >>> week_of(datetime(2027, 1, 3, tzinfo=UTC))
    '2026-W53'
    """
    year, week, _ = at.isocalendar()
    return f"{year}-W{week:02d}"


def beginning_of(week: str) -> datetime:
    """Return the Monday on which a week begins.

    >>> beginning_of("2026-W53").date().isoformat()
    '2026-12-28'
    """
    year, _, number = week.partition("-W")
    return datetime.fromisocalendar(int(year), int(number), 1).replace(tzinfo=UTC)


def week_after(week: str, count: int = 1) -> str:
    """Return the week ``count`` weeks later."""
    return week_of(beginning_of(week) + count * _WEEK)


def standings(week: str | None, least_games: int = 1) -> list[Standing]:
    """Return the users who finished games that count for the leaderboard, the highest net first.

    Banned users are left out, and so are winnings under suspicion.

    Args:
        week: in which the games ended; None takes all.

    Equal nets are in the order of fewer games, then of older accounts; places are never shared.
    """
    begins_at = None if week is None else beginning_of(week)
    if begins_at is None:
        seats = Seat.objects.filter(match__status=Match.Status.OVER)
    else:
        seats = finished_seats(begins_at).filter(match__ended_at__lt=begins_at + _WEEK)
    seats = seats.filter(match__game__in=on_boards(), user__is_active=True).filter(
        user__is_bot=False, user__is_program=False
    )
    shown = seats.values("user", "user__username", "user__avatar")
    sums = shown.annotate(won=Sum("net"), games=Count("pk"))
    rows = sums.filter(games__gte=least_games, won__isnull=False)
    doubtful = withheld(begins_at)
    people = {row["user"]: (row["user__username"], row["user__avatar"]) for row in rows}
    nets = {row["user"]: row["won"] - doubtful[row["user"]] for row in rows}
    ranked = sorted((-nets[row["user"]], row["games"], row["user"]) for row in rows)
    return [
        Standing(place, user_id, *people[user_id], nets[user_id], games)
        for place, (_, games, user_id) in enumerate(ranked, start=1)
    ]


def withheld(begins_at: datetime | None) -> Counter[int]:
    """Return user -> points that no board counts until an administrator settles a flag.

    They are the flagged user's winnings of grants and awards on the flag's day, in the games that
    count for the leaderboard.

    Args:
        begins_at: the Monday of the week in which they were won; None takes all.

    Source: docs/explanation/fair-play.md "New accounts".
    """
    doubtful: Counter[int] = Counter()
    for detail in Flag.objects.filter(kind=Flag.Kind.GRANTS, closed_at=None).values_list(
        "detail", flat=True
    ):
        flag = json.loads(detail)
        day = datetime.fromisoformat(flag["day"]).replace(tzinfo=UTC)
        if begins_at is None or begins_at <= day < begins_at + _WEEK:
            won = points_collected(day, on_boards()).get(flag["winner"], Losses())
            doubtful[flag["winner"]] += won.total()
    return doubtful


def on_boards() -> list[str]:
    """Return the games that count for the leaderboard."""
    return [game.slug for game in registry.games() if game.counts.board]


def week_cause(week: str) -> str:
    """Return the cause that a week's prizes name."""
    return f"week:{week}"


def leaderboard(period: str, user_id: int | None, at: datetime) -> dict[str, Any]:
    """Return the context of a period's page (week, last or all), with the viewer's own row. Only
    users with a positive net are listed; the viewer's own row follows below if needed. The last
    week also shows its prizes, and whether they have been decided.
    """
    this_week = week_of(at)
    week = {"week": this_week, "last": week_after(this_week, -1)}.get(period)
    prizes: dict[str, int] = {}
    if period == "last" and week:
        paid = Transfer.objects.filter(cause=week_cause(week), code=TransferCode.PRIZE)
        prizes = dict(paid.values_list("credit__owner", "amount"))
    ranked = standings(week) if week else _all_time(int(time.monotonic() / KEPT))
    rows = [replace(row, prize=prizes.get(user_owner(row.user_id), 0)) for row in ranked]
    listed = [row for row in rows[:SHOWN] if row.net > 0]
    mine = next((row for row in rows if row.user_id == user_id), None)
    return {
        "period": period,
        "week": week,
        "rows": listed,
        "mine": mine,
        "mine_is_below": mine is not None and mine.net > 0 and mine not in listed,
        "boards": [registry.get(slug).title for slug in on_boards()],
        "is_decided": week is not None and PrizeWeek.objects.filter(week=week).exists(),
        "prizes": amounts(),
        "least_games": settings_starting("prizes.")["prizes.least_games"],
    }


@lru_cache(1)
def _all_time(_slot: int) -> list[Standing]:
    return standings(None)


forget = _all_time.cache_clear


def amounts() -> Sequence[int]:
    """Return the points for the first, second and third place of a week."""
    numbers = settings_starting("prizes.")
    return [numbers[f"prizes.{place}"] for place in ("first", "second", "third")]
