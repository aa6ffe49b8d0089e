"""The activity of the site for its front page: who is online, games today, the last results."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.models import User
from economy.parts import given
from economy.sql import Compiled, Given
from games import registry
from games.matches.models import Match, Online, Seat, of_match
from games.matches.models.matches import CALLED_OFF
from games.matches.queries.addresses import address_of

#: Seconds for which a process keeps the activity.
KEPT: Final = 5
#: A user seen in this time is online.
ONLINE: Final = timedelta(seconds=60)
#: The most names and results returned.
NAMES, RESULTS = 24, 5
#: Matches that ended before this are not looked through; it keeps the queries short.
RECENT: Final = timedelta(days=9)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match; ``net`` is what its only winner won, in points."""

    title: str
    game: str
    url: str
    winners: tuple[str, ...]
    net: int
    ended_at: datetime


class Here(NamedTuple):
    """Somebody who is online."""

    username: str
    avatar: str


class Row(NamedTuple):
    """A winner of one of the last matches, if any, somebody who is online, today's number, or what
    another application adds.
    """

    part: str
    ended_at: datetime
    match: int
    no: int | None
    number: int | None
    name: str | None
    title: str
    game: str
    public_id: str


@dataclass(frozen=True, slots=True)
class Activity:
    """``everybody`` are those online who may be seen, ``people`` the first of them."""

    everybody: tuple[Here, ...]
    games_today: int
    outcomes: tuple[Outcome, ...]
    #: What other applications add, by part.
    others: Mapping[str, Sequence[Row]]

    @property
    def online(self) -> int:
        return len(self.everybody)

    @property
    def people(self) -> tuple[Here, ...]:
        return self.everybody[:NAMES]

    @property
    def more(self) -> int:
        return self.online - len(self.people)


def activity() -> Activity:
    """Return the activity, at most five seconds old."""
    return _activity(int(time.monotonic() / KEPT))


def online(since: Any) -> QuerySet[User]:
    """Return the people seen since an instant who may be seen, in no order; not those in a running
    game with hidden roles, where coming and going could tell something about one.
    """
    hiding = [game.slug for game in registry.tables() if game.hides_presence]
    hidden = of_match(status=Match.Status.RUNNING, game__in=hiding)
    playing = Seat.objects.filter(hidden, user=OuterRef("pk"))
    # No join: a database may read all users for one.
    here = Online.objects.filter(seen_at__gt=since)
    seen = User.objects.filter(~Exists(playing), pk__in=here.values("pk"))
    shown = seen.filter(is_active=True, is_bot=False, shows_presence=True)
    return shown.only("username", "avatar", "is_bot")


def _rows_of(games: tuple[str, ...]) -> QuerySet[Any, Any]:
    recent, midnight, since = (Given(at, DateTimeField()) for at in ("recent", "midnight", "since"))
    over = Match.objects.filter(ended_at__gte=recent).exclude(status__in=CALLED_OFF)
    shown = over.filter(listed=True, spectators=True, game__in=games)
    last = shown.order_by("-ended_at", "-pk")[:RESULTS]
    won = FilteredRelation("seats", condition=Q(seats__result=Seat.Result.WON))
    winners = Match.objects.filter(pk__in=last.values("pk")).annotate(won=won)
    none, zero, empty = Cast(Value(None), DateTimeField()), Value(0), Value("")
    here = online(since).values_list(
        Value("here"), none, zero, zero, zero, "username", "avatar", empty, empty
    )
    # Values first, or the rows were grouped by their keys.
    today = over.filter(ended_at__gte=midnight).order_by().values(part=Value("today"))
    count = today.values_list(
        Value("today"), none, zero, zero, Count("pk"), empty, empty, empty, empty
    )
    return winners.values_list(
        Value("over"), "ended_at", "pk", "won__no", "won__net", "won__user__username", "title",
        "game", "public_id",
    ).union(here, count, *(query() for query in given("activity")), all=True)  # fmt: skip


@cache
def _compiled(games: tuple[str, ...]) -> Compiled:
    return Compiled(lambda: _rows_of(games))


@lru_cache(1)
def _activity(_slot: int) -> Activity:
    now = timezone.now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    found: dict[str, list[Row]] = defaultdict(list)
    for values in _compiled(registry.slugs()).rows(
        recent=now - RECENT, midnight=midnight, since=now - ONLINE
    ):
        row = Row(*values)
        found[row.part].append(row)
    # Sorted here: in the order of its index a database may read all users.
    people = sorted(Here(row.name or "", row.title) for row in found["here"])
    over = sorted(found["over"], key=lambda row: (row.ended_at, row.match), reverse=True)
    return Activity(
        tuple(people),
        sum(row.number or 0 for row in found["today"]),
        tuple(_outcome(list(winners)) for _, winners in groupby(over, attrgetter("match"))),
        found,
    )


forget = _activity.cache_clear


def _outcome(winners: list[Row]) -> Outcome:
    """Return the result of a match, whose winners are in the order of their seats."""
    row = winners[0]
    names = [each.name for each in sorted(winners, key=attrgetter("no")) if each.name]
    net = (row.number or 0) if len(names) == 1 else 0
    url = address_of(row.game, row.public_id)
    return Outcome(row.title, registry.get(row.game).title, url, tuple(names), net, row.ended_at)
