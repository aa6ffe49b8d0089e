"""Leaderboards: net winnings of an ISO week (from Monday 00:00 UTC) or of all time; ratings."""

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from django.db.models import Count, Sum
from django.utils import timezone

from accounts.shared import Shared, Shown, site_numbers
from economy.models import Transfer
from economy.selectors import settings_starting
from economy.transfers import TransferCode, user_owner
from games import registry
from games.matches.models import Flag, Match, PrizeWeek, Rating, Seat
from games.matches.queries.losses import Losses, finished_seats, points_collected
from games.matches.queries.own import Own
from games.matches.queries.ratings import SETTLED_GAMES, SETTLED_SIGMA, pools, shown

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
    """Return the ISO name of a week: 2026-W53."""
    year, week, _ = at.isocalendar()
    return f"{year}-W{week:02d}"


def beginning_of(week: str) -> datetime:
    """Return the Monday on which a week begins."""
    year, _, number = week.partition("-W")
    return datetime.fromisocalendar(int(year), int(number), 1).replace(tzinfo=UTC)


def week_after(week: str, count: int = 1) -> str:
    return week_of(beginning_of(week) + count * _WEEK)


def standings(week: str | None, least_games: int = 1) -> list[Standing]:
    """Return the users who finished games that count in a week, None: ever, the highest net first;
    equal ones by fewer games, then older accounts. Banned users and winnings under suspicion do not
    count.
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
    """Return user -> points that no board counts while a flag is open: winnings of grants and
    awards on the flag's day, if it is in the week that begins then; None: any.
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
    return f"week:{week}"


def leaderboard(period: str, user_id: int | None, at: datetime) -> dict[str, Any]:
    """Return the context of a period's page: week, last or all; the viewer's own row is below if it
    is not among the first.
    """
    return seen_by(board(period, at), user_id)


def seen_by(shown: Shown, user_id: int | None) -> dict[str, Any]:
    """Return a board with the viewer's own row."""
    mine = None if user_id is None else shown["everybody"].get(user_id)
    is_listed = mine in shown["rows"]
    is_below = mine is not None and mine.net > 0 and not is_listed
    return {
        **shown,
        "shown": shown,
        "mine": mine,
        "mine_is_below": is_below,
        "is_listed": is_listed,
    }


def board(period: str, at: datetime) -> Shown:
    """Return the same without a viewer. Users with a positive net are listed; the last week shows
    its prizes.
    """
    this_week = week_of(at)
    week = {"week": this_week, "last": week_after(this_week, -1)}.get(period)
    prizes: dict[str, int] = {}
    if period == "last" and week:
        paid = Transfer.objects.filter(cause=week_cause(week), code=TransferCode.PRIZE)
        prizes = dict(paid.values_list("credit__owner", "amount"))
    ranked = standings(week) if week else _all_time(int(time.monotonic() / KEPT))
    rows = [replace(row, prize=prizes.get(user_owner(row.user_id), 0)) for row in ranked]
    numbers = site_numbers()
    return Shown(
        {
            "period": period,
            "week": week,
            "rows": [row for row in rows[:SHOWN] if row.net > 0],
            "everybody": {row.user_id: row for row in rows},
            "boards": [registry.get(slug).title for slug in on_boards()],
            "is_decided": week is not None and PrizeWeek.objects.filter(week=week).exists(),
            "prizes": amounts(numbers),
            "least_games": numbers["prizes.least_games"],
        }
    )


#: From the period.
shown_board: Final = Shared(lambda period: board(period, timezone.now()))


@lru_cache(1)
def _all_time(_slot: int) -> list[Standing]:
    return standings(None)


forget = _all_time.cache_clear


def amounts(numbers: Mapping[str, int] | None = None) -> Sequence[int]:
    """Return the points for the first, second and third place of a week."""
    numbers = numbers or settings_starting("prizes.")
    return [numbers[f"prizes.{place}"] for place in ("first", "second", "third")]


@dataclass(frozen=True, slots=True)
class Leader:
    """One place of the rating list; places are never shared."""

    place: int
    user_id: int
    name: str
    avatar: str
    rating: int
    games: int


def main_rating(own: Own) -> tuple[str, int] | None:
    """Return the pool with most of a user's rated games, by title, and the rating."""
    rated = [(-own.ratings[pool][0], pool) for pool in pools() if pool in own.ratings]
    games, pool = min(rated, default=(0, ""))
    return (pools()[pool][0], shown(own.ratings[pool][1])) if games else None


def leaders(pool: str, *, limit: int = 50, programs: bool = False) -> list[Leader]:
    """Return the people, or the programs, with the highest settled ratings; equal ones by more
    games, then older accounts.
    """
    settled = Rating.objects.filter(
        game=pool, games__gte=SETTLED_GAMES, sigma__lte=SETTLED_SIGMA, user__is_active=True
    )
    rows = (
        settled.filter(user__is_program=programs)
        .order_by("-mu", "-games", "user")
        .values_list("user", "user__username", "user__avatar", "mu", "games")
    )
    return [
        Leader(place, user_id, name, avatar, shown(mu), games)
        for place, (user_id, name, avatar, mu, games) in enumerate(rows[:limit], start=1)
    ]


#: From the pool and whether programs are listed.
shown_leaders: Final = Shared(lambda pool, programs: leaders(pool, programs=programs))
