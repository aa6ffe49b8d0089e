"""Rankings of awards: the amounts awarded count, not what is left of them."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from math import hypot
from typing import Any

from django.db.models import Count, QuerySet, Sum

from games import registry
from games.matches.models import Flag, Seat
from games.matches.models.matches import AWARDED
from games.standings.boards import SHOWN


class By(StrEnum):
    """The measure of a ranking."""

    X = "x"
    Y = "y"
    MODULUS = "modulus"


@dataclass(frozen=True, slots=True)
class AwardStanding:
    """One player's place; ``x`` and ``y`` are points of either axis, ``games`` those awarded."""

    place: int
    user_id: int
    name: str
    avatar: str
    x: int
    y: int
    games: int

    @property
    def award(self) -> tuple[int, int]:
        return self.x, self.y

    @property
    def modulus(self) -> float:
        return hypot(self.x, self.y)


#: User -> points of either axis, and games in which they were awarded.
Totals = Counter[tuple[int, str]]


def award_standings(by: By, matches: Iterable[int] | None = None) -> list[AwardStanding]:
    """Return the users who were awarded anything, in these matches or in all, the highest first;
    equal ones by fewer games, then older accounts. Banned and frozen users and awards under
    suspicion do not count.
    """
    seats = Seat.objects.filter(AWARDED)
    if matches is not None:
        seats = seats.filter(match__in=matches)
    doubtful = withheld(seats)
    people = seats.filter(
        user__is_active=True, user__is_frozen=False, user__is_bot=False, user__is_program=False
    )
    rows = people.values_list("user", "user__username", "user__avatar").annotate(
        x=Sum("award"), y=Sum("y_award"), games=Count("pk")
    )
    found = [
        AwardStanding(
            0,
            user_id,
            name,
            avatar,
            x - doubtful[user_id, "x"],
            y - doubtful[user_id, "y"],
            games - doubtful[user_id, "games"],
        )
        for user_id, name, avatar, x, y, games in rows.order_by()
    ]
    ranked = sorted(
        (row for row in found if _measure(row, by)),
        key=lambda row: (-_measure(row, by), row.games, row.user_id),
    )
    return [replace(row, place=place) for place, row in enumerate(ranked, start=1)]


def withheld(seats: QuerySet[Seat]) -> Totals:
    """Return the part of these awards that no board counts while a flag is open: those of two users
    in games with each other, from the day on which they shared an address or device.
    """
    pairs = Flag.objects.filter(kind__in=(Flag.Kind.ADDRESS, Flag.Kind.DEVICE), closed_at=None)
    days = {}
    for flag in pairs.order_by("-opened_at").prefetch_related("users"):
        day = datetime.fromisoformat(json.loads(flag.detail)["day"]).replace(tzinfo=UTC)
        days[frozenset(user.pk for user in flag.users.all())] = day
    users = {user_id for pair in days for user_id in pair}
    if not users:
        return Totals()
    # The awards first: a game that is awarded between the two statements counts later.
    rows = list(
        seats.filter(user__in=users).values_list(
            "match", "user", "match__ended_at", "award", "y_award"
        )
    )
    there: dict[int, set[int]] = defaultdict(set)
    games = seats.filter(user__in=users).values("match")
    for match_id, user_id in Seat.objects.filter(match__in=games).values_list("match", "user"):
        there[match_id].add(user_id)
    doubtful = Totals()
    for match_id, user_id, ended_at, x, y in rows:
        if any(
            user_id in pair and pair <= there[match_id] and ended_at and day <= ended_at
            for pair, day in days.items()
        ):
            doubtful += Totals({(user_id, "x"): x, (user_id, "y"): y, (user_id, "games"): 1})
    return doubtful


def leaderboard(by: By, user_id: int | None) -> dict[str, Any]:
    """Return the context of the award page, with the viewer's own row."""
    rows = award_standings(by)
    listed = rows[:SHOWN]
    mine = next((row for row in rows if row.user_id == user_id), None)
    return {
        "by": by,
        "rows": listed,
        "mine": mine,
        "mine_is_below": mine is not None and mine not in listed,
        "titles": titles(),
    }


def games_of_the_ratio() -> list[str]:
    """Return the games whose rated results count for an account's win/loss ratio."""
    return [game.slug for game in registry.games() if game.counts.ratio]


def titles() -> tuple[str, ...]:
    return tuple(registry.get(slug).title for slug in games_of_the_ratio())


def _measure(row: AwardStanding, by: By) -> int:
    return {By.X: row.x, By.Y: row.y, By.MODULUS: row.x**2 + row.y**2}[by]
