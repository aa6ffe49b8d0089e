"""The archive of finished Mafia games by filters, the newest first. A page goes on from the last
row of the one before: by the index ``match_archive`` no page costs more than another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import User, named
from games.engine.facts import EPOCH
from games.mafia.common.game import DRAW, SIDES, phase_word
from games.mafia.common.town_config import town_configs
from games.matches.models import Match, Seat
from games.matches.models.matches import SHOWN
from games.text.telling import listed

#: Matches on a page.
PAGE: Final = 25
MICROSECOND: Final = timedelta(microseconds=1)


class Finished(NamedTuple):
    """A finished game in a list; ``names``: its players, and whether each is a bot."""

    title: str
    game: str
    story: str
    result: str
    size: int
    length: str
    ended_at: datetime
    names: list[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class Filters:
    """The wanted games; an empty field takes all. ``before``: the end and the number of the last
    match of the page before.
    """

    setup: str = ""
    size: int = 0
    winner: str = ""
    player: str = ""
    since: date | None = None
    until: date | None = None
    before: tuple[datetime, int] | None = None

    @property
    def query(self) -> str:
        """The query of the address of the first page; empty where no game is left out."""
        named = ("setup", "size", "winner", "player", "since", "until")
        return urlencode([(name, value) for name in named if (value := getattr(self, name))])


def filters_of(query: Mapping[str, str]) -> Filters:
    """Read the filters of a page's query; what cannot be read is left out."""
    size, setup, winner = (query.get(name, "") for name in ("size", "setup", "winner"))
    return Filters(
        setup if setup in town_configs() else "",
        int(size) if size.isdecimal() and len(size) < 4 else 0,
        winner if winner in winners() else "",
        query.get("player", "").strip()[:60],
        _day(query.get("since", "")),
        _day(query.get("until", "")),
        _cursor(query.get("before", "")),
    )


def winners() -> dict[str, str]:
    """Return the sides of all Mafia games and the draw, by label."""
    sides = [config.sides for _, config in town_configs().values()]
    return {side: word for each in sides for side, word in each.items()} | {DRAW: "Draw"}


def archive(viewer: User | None, filters: Filters) -> tuple[list[Finished], str]:
    """Return a page of finished games, and the query that goes on after it. Games off the list, and
    those without spectators, are shown to their players alone, under their own name.
    """
    found = _matches(viewer, filters)
    rows = _told(found[:PAGE])
    if len(found) <= PAGE:
        return rows, ""
    at, pk = _order(found[PAGE - 1])
    cursor = urlencode({"before": f"{(at - EPOCH) // MICROSECOND}-{pk}"})
    return rows, f"{filters.query}&{cursor}" if filters.query else cursor


def newest(slugs: Sequence[str], count: int) -> list[Finished]:
    """Return the games on the list that ended last: two queries and one for each game."""
    matches = [match for slug in slugs for match in _page(_shown(slug), count)]
    return _told(sorted(matches, key=_order, reverse=True)[:count])


def _matches(viewer: User | None, filters: Filters) -> list[Match]:
    """Return the matches of a page and the first of the next one: a query for each game."""
    player = None
    if filters.player:
        player = User.objects.filter(named(filters.player)).first()
        if player is None:
            return []
    is_own = player is not None and player == viewer
    matches: list[Match] = []
    for slug in [filters.setup] if filters.setup else town_configs():
        over = Match.objects.filter(game=slug, status=Match.Status.OVER)
        wanted = (over if is_own else _shown(slug)).filter(_narrowing(filters))
        if player is not None:
            wanted = wanted.filter(pk__in=Seat.objects.filter(user=player).values("match"))
        matches += _page(wanted, PAGE + 1)
    return sorted(matches, key=_order, reverse=True)[: PAGE + 1]


def _shown(slug: str) -> QuerySet[Match]:
    return Match.objects.filter(SHOWN, game=slug)


def _page(wanted: QuerySet[Match], count: int) -> list[Match]:
    rows = wanted.defer("state", "recent", "origin", "table", "summary")
    return list(rows.order_by("-ended_at", "-pk")[:count])


def _order(match: Match) -> tuple[datetime, int]:
    assert match.ended_at is not None, "a finished match has an end"
    return match.ended_at, match.pk


def _narrowing(filters: Filters) -> Q:
    narrow = Q()
    if filters.size:
        narrow &= Q(size=filters.size)
    if filters.winner:
        narrow &= Q(outcome__contains=filters.winner)
    if filters.since:
        narrow &= Q(ended_at__gte=_midnight(filters.since))
    if filters.until:
        narrow &= Q(ended_at__lt=_midnight(filters.until + timedelta(days=1)))
    if filters.before:
        at, pk = filters.before
        narrow &= Q(ended_at__lte=at) & (Q(ended_at__lt=at) | Q(pk__lt=pk))
    return narrow


def _told(matches: Sequence[Match]) -> list[Finished]:
    names: dict[int, list[tuple[str, bool]]] = {}
    seats = Seat.objects.filter(match__in=matches).order_by("no")
    for match_id, name, is_bot in seats.values_list("match", "user__username", "user__is_bot"):
        names.setdefault(match_id, []).append((name, is_bot))
    return [_row(match, names.get(match.pk, [])) for match in matches]


def _row(match: Match, names: list[tuple[str, bool]]) -> Finished:
    game, config = town_configs()[match.game]
    ended_at = match.ended_at or match.opened_at
    return Finished(
        title=match.title,
        game=game.title,
        story=reverse("mafia_story", args=[match.public_id]),
        result=result_words(match, config.sides, game.newest.first_stage),
        size=match.size or len(names),
        length=length_words(ended_at - (match.started_at or match.opened_at)),
        ended_at=ended_at,
        names=names,
    )


def result_words(match: Match, sides: Mapping[str, str], first: str) -> str:
    """Return who won a finished match and when, such as "Town won on day 4"."""
    # The end is a phase of its own.
    when = f"on {phase_word(match.phase - 1, first)}"
    if match.outcome in ("", DRAW):
        return f"Draw {when}"
    return f"{listed(sides[side] for side in match.outcome.split(SIDES))} won {when}"


def length_words(length: timedelta) -> str:
    """Return a length in its largest fitting unit.
    >>> [length_words(timedelta(minutes=minutes)) for minutes in (0.2, 95, 300, 4320)]
    ['1 min', '95 min', '5 h', '3 days']
    """
    minutes = max(1, round(length.total_seconds() / 60))
    if minutes < 120:
        return f"{minutes} min"
    hours = round(minutes / 60)
    return f"{hours} h" if hours < 48 else f"{round(hours / 24)} days"


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if 2000 <= day.year <= 2200 else None


def _cursor(text: str) -> tuple[datetime, int] | None:
    at, _, pk = text.partition("-")
    numbers = [int(part) if part.isascii() and part.isdigit() else 0 for part in (at, pk)]
    if not all(0 < number < 10**17 for number in numbers):
        return None
    return EPOCH + numbers[0] * MICROSECOND, numbers[1]


@require_GET
@never_cache
def mafia_archive(request: HttpRequest) -> HttpResponse:
    filters = filters_of(request.GET)
    user = request.user if isinstance(request.user, User) else None
    found, older = archive(user, filters)
    context = {
        "setups": town_configs().values(),
        "filters": filters,
        "winners": winners(),
        "found": found,
        "older": older,
    }
    return render(request, "games/mafia/archive.html", context)
