"""The best streaks of those who are in, the streaks that the last round broke, and the season.
Source: docs/rules/arena.md "Streaks and seasons"; docs/reference/protocol.md "The arena".
"""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db.models import Count, F
from django.utils import timezone

from accounts.models import User
from economy.selectors import settings_starting
from games.arena.models import Player, Round, SeasonFigures
from games.arena.rules.seasons import Season, season_at
from games.engine.facts import instant, iso

#: The most streaks, and leaders of a season, that are shown.
MOST_STREAKS: Final = 10
MOST_LEADERS: Final = 3
#: Seconds after which the same is read again though no round has ended.
FRESH: Final = 60.0


class Rivals(msgspec.Struct, frozen=True):
    """The rivals that a process shows until the next round has ended. ``places``: the place of each
    streak above 0.  ``last_no``: the round after which it was read, at ``read_at`` seconds of a
    monotonic clock.
    """

    last_no: int = 0
    read_at: float = 0.0
    streaks: Sequence[Mapping[str, Any]] = ()
    places: Mapping[int, int] = {}
    broken: Sequence[Mapping[str, Any]] = ()
    season: Mapping[str, Any] | None = None

    def is_still(self, last_no: int) -> bool:
        """Whether it stands after this round, too."""
        return self.last_no == last_no and time.monotonic() - self.read_at < FRESH


def read_rivals(last: Round | None) -> Rivals:
    """Return the rivals after the last resolved round; bots are none."""
    people = Player.objects.filter(is_in=True, is_bot=False, user__is_program=False, streak__gt=0)
    best = people.order_by("-streak", "joined_at", "user")[:MOST_STREAKS]
    places, before = dict[int, int](), 0
    numbers = people.values_list("streak").annotate(number=Count("pk")).order_by("-streak")
    for streak, number in numbers:
        places[streak] = before + 1
        before += number
    return Rivals(
        last_no=0 if last is None else last.no,
        read_at=time.monotonic(),
        streaks=list(best.values("streak", name=F("user__username"))),
        places=places,
        broken=[] if last is None else _broken(last),
        season=season_shown(),
    )


def season_of(at: datetime, numbers: Mapping[str, int]) -> Season | None:
    """Return the season that runs at an instant, else the next one, by the site's numbers."""
    return season_at(at, numbers["arena.season_begins"], numbers["arena.season_minutes"])


def season_shown(at: datetime | None = None) -> dict[str, Any] | None:
    """Return the season that runs or comes next, with leaders and the last winner; None: none."""
    at = at or timezone.now()
    season = season_of(at, settings_starting("arena.season_"))
    if season is None:
        return None
    ranked = SeasonFigures.objects.filter(
        score__gt=0, user__is_active=True, user__is_program=False
    ).order_by("-began_at", "-score", "-round_wins", "user")
    now = ranked.filter(began_at=season.begins_at)[:MOST_LEADERS]
    last = ranked.filter(began_at__lt=season.begins_at).values(
        "score", "began_at", name=F("user__username")
    )
    won = last.first()
    return {
        "is_running": season.is_at(at),
        "begins_at": iso(instant(season.begins_at)),
        "ends_at": iso(instant(season.ends_at)),
        "leaders": list(now.values("score", name=F("user__username"))),
        "last": won and {**won, "began_at": iso(instant(won["began_at"]))},
    }


def _broken(last: Round) -> list[dict[str, Any]]:
    told = msgspec.json.decode(last.broken, type=list[tuple[int, int, int]])
    users = {user for of, _, by in told for user in (of, by)}
    names = dict(User.objects.filter(pk__in=users).values_list("pk", "username")) if users else {}
    return [{"of": names[of], "streak": streak, "by": names[by]} for of, streak, by in told]
