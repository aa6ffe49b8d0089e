"""The boards of long duels: hardest to read, and best readers.
Source: docs/explanation/duels.md "Boards".
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Final, NamedTuple

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.devices import company_of
from accounts.models import HabitsChoice
from accounts.shared import Shared, Shown
from economy.selectors import setting
from games.duel import SLUG
from games.duel.dossier import first_month
from games.duel.reading import VERSION, Edge, edge
from games.matches.models import DuelFigures, Seat
from games.matches.queries.selectors import read_summary

#: Throws that stand on a board, and people who give them; none gives more than an equal share of
#: the fewest.
FEWEST_THROWS: Final = 300
FEWEST_PEOPLE: Final = 5
LISTED: Final = 20
#: Seconds between two reads, each of which adds up six months.
KEPT: Final = 600
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


class BoardRow(NamedTuple):
    """A place on a board; ``edge`` is the reader's, or the player's own."""

    place: int
    user_id: int
    name: str
    throws: int
    people: int
    edge: Edge


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


def _players() -> Iterator[tuple[int, str, int, Against]]:
    """Yield the players with enough throws against people who share no device or address."""
    met = {user: others for user, others in _met().items() if counted(others)}
    shown = HabitsChoice.objects.filter(user__in=met, shows=True, user__is_active=True)
    since = timezone.now() - timedelta(days=setting("fair.device_days"))
    for user, name in shown.values_list("user", "user__username"):
        company = company_of(user, list(met[user]), since)
        shared = company.by_device | company.by_address
        others = {other: each for other, each in met[user].items() if other not in shared}
        if (figures := counted(others)) is not None:
            yield user, name, len(others), figures


def _boards() -> Shown:
    hardest, best = [], []
    for user, name, people, sums in _players():
        throws = round(sums.throws)
        if (read := edge(sums.throws, sums.read, sums.misread)) is not None:
            bound = read.value + read.give_or_take
            hardest.append((bound, BoardRow(0, user, name, throws, people, read)))
        if (own := edge(sums.throws, sums.won, sums.lost)) is not None:
            best.append(
                (own.give_or_take - own.value, BoardRow(0, user, name, throws, people, own))
            )
    return Shown({"hardest": _ranked(hardest), "best": _ranked(best)})


def _ranked(rows: list[tuple[float, BoardRow]]) -> list[BoardRow]:
    ordered = [row for _, row in sorted(rows, key=lambda row: (row[0], row[1].user_id))]
    return [row._replace(place=place) for place, row in enumerate(ordered[:LISTED], 1)]


shown_boards: Final = Shared(_boards, KEPT)
