"""The archive of finished Mafia games by filters, the newest first. A page goes on from the last
row of the one before: by the index ``match_archive`` no page costs more than another.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import User, named
from economy.paging import FilterField, FilterForm, in_days, searched
from games.engine.facts import EPOCH
from games.mafia.common.game import DRAW, SIDES, phase_word
from games.mafia.common.town_config import town_configs
from games.matches.models import Match, Seat
from games.matches.models.matches import SHOWN
from games.text.telling import listed

#: Matches on a page.
PAGE: Final = 25
MICROSECOND: Final = timedelta(microseconds=1)
#: A part of a cursor.
NUMBER: Final = "0*[1-9][0-9]{0,16}"


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


def _day(text: str) -> date:
    day = date.fromisoformat(text)
    if not 2000 <= day.year <= 2200:
        raise ValueError("no day of this site")
    return day


def _key(text: str) -> tuple[datetime, int]:
    microseconds, pk = map(int, text.split("-"))
    return EPOCH + microseconds * MICROSECOND, pk


def winners() -> dict[str, str]:
    """Return the sides of all Mafia games and the draw, by label."""
    sides = [config.sides for _, config in town_configs().values()]
    return {side: word for each in sides for side, word in each.items()} | {DRAW: "Draw"}


def setups() -> dict[str, str]:
    return {slug: game.plural for slug, (game, _) in town_configs().items()}


class ArchiveFilters(FilterForm):
    """The wanted games; ``before``: the end and the number of the last match of the page before."""

    setup = forms.ChoiceField(choices=setups)
    size = FilterField(int, r"\d{1,3}")
    winner = forms.ChoiceField(choices=winners)
    player = FilterField(searched)
    since = FilterField(_day)
    until = FilterField(_day)
    before = FilterField(_key, f"{NUMBER}-{NUMBER}")


def archive(viewer: User | None, filters: ArchiveFilters) -> tuple[list[Finished], str]:
    """Return a page of finished games, and the query that goes on after it. Games off the list, and
    those without spectators, are shown to their players alone, under their own name.
    """
    found = _matches(viewer, filters)
    rows = _told(found[:PAGE])
    if len(found) <= PAGE:
        return rows, ""
    at, pk = _order(found[PAGE - 1])
    return rows, filters.query(f"{(at - EPOCH) // MICROSECOND}-{pk}")


def newest(slugs: Sequence[str], count: int) -> list[Finished]:
    """Return the games on the list that ended last: two queries and one for each game."""
    matches = [match for slug in slugs for match in _page(_shown(slug), count)]
    return _told(sorted(matches, key=_order, reverse=True)[:count])


def _matches(viewer: User | None, filters: ArchiveFilters) -> list[Match]:
    """Return the matches of a page and the first of the next one: a query for each game."""
    player, given = None, filters.values
    if given["player"]:
        player = User.objects.filter(named(given["player"])).first()
        if player is None:
            return []
    is_own = player is not None and player == viewer
    matches: list[Match] = []
    for slug in [given["setup"]] if given["setup"] else town_configs():
        over = Match.objects.filter(game=slug, status=Match.Status.OVER)
        wanted = (over if is_own else _shown(slug)).filter(_narrowing(given))
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


def _narrowing(given: Mapping[str, Any]) -> Q:
    narrow = in_days("ended_at", given["since"], given["until"])
    if given["size"]:
        narrow &= Q(size=given["size"])
    if given["winner"]:
        narrow &= Q(outcome__contains=given["winner"])
    if given["before"]:
        at, pk = given["before"]
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


@require_GET
@never_cache
def mafia_archive(request: HttpRequest) -> HttpResponse:
    filters = ArchiveFilters(request.GET)
    user = request.user if isinstance(request.user, User) else None
    found, older = archive(user, filters)
    context = {"filters": filters, "found": found, "older": older}
    return render(request, "games/mafia/archive.html", context)
