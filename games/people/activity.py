"""The activity of the site for its front page: who is online, games today, the last results."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import starmap
from typing import Final, NamedTuple

from django.db.models import Exists, FilteredRelation, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
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


@dataclass(frozen=True, slots=True)
class Activity:
    """``everybody`` are those online who may be seen, ``people`` the first of them."""

    everybody: tuple[Here, ...]
    games_today: int
    outcomes: tuple[Outcome, ...]

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


def online(at: datetime) -> QuerySet[User]:
    """Return the people who are online and may be seen, in no order; not those who sit in a running
    game with hidden roles, where coming and going could tell something about one.
    """
    hiding = [game.slug for game in registry.tables() if game.hides_presence]
    hidden = of_match(status=Match.Status.RUNNING, game__in=hiding)
    playing = Seat.objects.filter(hidden, user=OuterRef("pk"))
    # No join: a database may read all users for one.
    here = Online.objects.filter(seen_at__gt=at - ONLINE)
    seen = User.objects.filter(~Exists(playing), pk__in=here.values("pk"))
    shown = seen.filter(is_active=True, is_bot=False, shows_presence=True)
    return shown.only("username", "avatar", "is_bot")


@lru_cache(1)
def _activity(_slot: int) -> Activity:
    now = timezone.now()
    # Sorted here: in the order of its index a database may read all users.
    people = sorted(starmap(Here, online(now).values_list("username", "avatar")))
    over = Match.objects.filter(ended_at__gte=now - RECENT).exclude(status__in=CALLED_OFF)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    today = over.filter(ended_at__gte=midnight).count()
    shown = over.filter(listed=True, spectators=True, game__in=registry.slugs())
    last = _outcomes(shown.order_by("-ended_at", "-pk")[:RESULTS])
    return Activity(tuple(people), today, tuple(last))


forget = _activity.cache_clear


def _outcomes(matches: QuerySet[Match]) -> list[Outcome]:
    won = FilteredRelation("seats", condition=Q(seats__result=Seat.Result.WON))
    rows = Match.objects.filter(pk__in=matches.values("pk")).annotate(won=won)
    seats: dict[Row, list[tuple[str, int | None]]] = {}
    for *match, name, net in rows.order_by("-ended_at", "-pk", "won__no").values_list(
        *Row._fields, "won__user__username", "won__net"
    ):
        seats.setdefault(Row(*match), []).append((name, net))
    return [_outcome(row, [each for each in won if each[0]]) for row, won in seats.items()]


class Row(NamedTuple):
    title: str
    game: str
    public_id: str
    ended_at: datetime


def _outcome(row: Row, winners: Sequence[tuple[str, int | None]]) -> Outcome:
    game, names = registry.get(row.game).title, tuple(name for name, _ in winners)
    net = (winners[0][1] or 0) if len(winners) == 1 else 0
    url = address_of(row.game, row.public_id)
    return Outcome(row.title, game, url, names, net, row.ended_at)
