"""The boards of long duels: hardest to read, and best readers.
Source: docs/explanation/duels.md "Boards".
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.core.cache import cache
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.devices import company_of
from accounts.models import HabitsChoice
from accounts.shared import Shared
from economy.selectors import setting
from games.duel import SLUG
from games.duel.dossier import first_month
from games.duel.reading import VERSION, edge
from games.matches.models import DuelFigures, Seat
from games.matches.queries.selectors import read_summary

#: Throws that stand on a board, and people who give them; none gives more than an equal share of
#: the fewest.
FEWEST_THROWS: Final = 300
FEWEST_PEOPLE: Final = 5
LISTED: Final = 20
#: Of the cache.
KEY: Final = "duel:boards"
LONG: Final = "long"


class Against(NamedTuple):
    """A player's throws against one person: how many, those that a reader won and lost, and those
    that the player won and lost.
    """

    throws: float = 0
    read: float = 0
    misread: float = 0
    won: float = 0
    lost: float = 0

    def times(self, share: float) -> "Against":
        return Against(*(share * each for each in self))


def added(met: Iterable[Against]) -> Against:
    return Against(*map(sum, zip(*met, strict=True)))


def counted(met: Mapping[int, Against]) -> Against | None:
    """Return the throws that count, of each person at most an equal share of the fewest people;
    None if they are too few.
    """
    most, throws = 0.0, sorted((each.throws for each in met.values()), reverse=True)
    for cut in range(FEWEST_PEOPLE):
        most = sum(throws[cut:]) / (FEWEST_PEOPLE - cut)
        if max(throws[cut:], default=0.0) <= most:
            break
    if FEWEST_PEOPLE * most < FEWEST_THROWS:
        return None
    return added(each.times(min(1.0, most / each.throws)) for each in met.values() if each.throws)


def _met() -> dict[int, dict[int, Against]]:
    """Return what players who show their habits did in long duels, by player and opponent."""
    since = first_month(timezone.now().date())
    mine = Seat.objects.filter(match=OuterRef("match"), user=OuterRef("user")).values("no")[:1]
    rows = DuelFigures.objects.filter(
        match__game=SLUG, match__mark=LONG, month__gte=since, version=VERSION
    ).annotate(no=Subquery(mine))
    duels = defaultdict[int, list[tuple[int, int, Against]]](list)
    columns = ("match", "user", "no", "match__summary", "throws", "won", "lost")
    for match_id, user, no, summary, throws, read, misread in rows.values_list(*columns):
        wins = read_summary(summary)["wins"]
        figures = Against(throws, read, misread, wins[no], wins[1 - no])
        duels[match_id].append((user, no, figures))
    found = defaultdict[int, dict[int, Against]](dict)
    for sides in duels.values():
        for user, no, figures in sides:
            for other, place, _ in sides:
                if place != no:
                    before = found[user].get(other, Against())
                    found[user][other] = added([before, figures])
    return found


def _players() -> Iterator[tuple[int, int, Against]]:
    """Yield the players with enough throws against people who share no device or address."""
    met = {user: others for user, others in _met().items() if counted(others)}
    since = timezone.now() - timedelta(days=setting("fair.device_days"))
    for user in _names(met):
        company = company_of(user, list(met[user]), since)
        shared = company.by_device | company.by_address
        others = {other: each for other, each in met[user].items() if other not in shared}
        if (figures := counted(others)) is not None:
            yield user, len(others), figures


def _names(user_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of those of these users who show their habits now."""
    shown = HabitsChoice.objects.filter(user__in=user_ids, shows=True, user__is_active=True)
    return dict(shown.values_list("user", "user__username"))


def keep_boards() -> None:
    """Keep the boards for the pages, as values that any release can read."""
    ranked: dict[str, list[tuple[float, int, dict[str, Any]]]] = {"hardest": [], "best": []}
    for user, people, sums in _players():
        row = {"user_id": user, "throws": round(sums.throws), "people": people}
        read = edge(sums.throws, sums.read, sums.misread)
        own = edge(sums.throws, sums.won, sums.lost)
        for key, found, way in (("hardest", read, 1), ("best", own, -1)):
            if found is not None:
                bound = way * found.value + found.give_or_take
                ranked[key].append((bound, user, {**row, "edge": found._asdict()}))
    kept = {key: [row for *_, row in sorted(rows)[:LISTED]] for key, rows in ranked.items()}
    cache.set(KEY, kept, timeout=None)


def _shown() -> dict[str, list[dict[str, Any]]]:
    """Return the boards as kept last, without who shows no habits any more."""
    kept: dict[str, list[dict[str, Any]]] = cache.get(KEY, {})
    names = _names({row["user_id"] for rows in kept.values() for row in rows})
    return {
        key: [
            {**row, "name": names[row["user_id"]], "place": place}
            for place, row in enumerate((each for each in rows if each["user_id"] in names), 1)
        ]
        for key, rows in kept.items()
    }


shown_boards: Final = Shared(_shown)
