"""The ladder as the pages and the reading API show it."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from inspect import getsource
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.shared import Shared, Shown
from games.ladder import LABEL, house
from games.ladder.models import Encounter, Entrant, PlayedMatch, Pooled
from games.matches.models import Rating
from games.matches.queries.ratings import SCALE, is_provisional, shown

#: Programs on the board, and in the matrix; matches in the list of the last ones.
LISTED: Final = 200
IN_MATRIX: Final = 12
LAST: Final = 15
#: Age of the lease up to which its matches are shown as live.
FRESH: Final = timedelta(seconds=5)
EXAMPLES: Final = Path(__file__).parents[2] / "examples"


class Rung(NamedTuple):
    """A program's place; ``author``: its owner; ``within``: half of the rating's interval of 95 %;
    ``share``: of throws won, in percent; ``thinks``: mean milliseconds a throw.
    """

    place: int
    pk: int
    name: str
    is_house: bool
    author: str
    source: str
    rating: int
    within: int
    is_provisional: bool
    matches: int
    share: float
    thinks: float

    @property
    def host(self) -> str:
        """The host and path of the source, shortened, since it is what tells its author."""
        return self.source.removeprefix("https://")[:40]


class Against(NamedTuple):
    """Throws that a program won above those that it lost against another one, in 100."""

    ahead: int = 0
    matches: int = 0


def board() -> list[Rung]:
    """Return the programs that have played, by the lower ends of their ratings' intervals."""
    active = Q(user=None) | Q(user__is_active=True)
    rows = Entrant.objects.filter(active, matches__gt=0).select_related("user__owner")
    found = {row.user_id: row for row in Rating.objects.filter(game=LABEL)}
    rated = [(found.get(row.user_id or 0, row), row) for row in rows]
    rated.sort(key=lambda pair: (2 * pair[0].sigma - pair[0].mu, -pair[1].matches, pair[1].pk))
    return [
        Rung(
            place=place,
            pk=row.pk,
            name=row.name,
            is_house=row.user_id is None,
            author=row.user.owner.username if row.user and row.user.owner else "",
            source=row.source,
            rating=shown(rating.mu),
            within=round(2 * SCALE * rating.sigma),
            is_provisional=is_provisional(row.rated, rating.sigma),
            matches=row.matches,
            share=100 * row.won / max(1, row.throws),
            thinks=row.thought_ms / max(1, row.throws),
        )
        for place, (rating, row) in enumerate(rated[:LISTED], start=1)
    ]


def matrix(rungs: Sequence[Rung]) -> list[tuple[Rung, list[Against]]]:
    """Return the first programs of a board, each with its cells against all of them."""
    among = rungs[:IN_MATRIX]
    ids = [each.pk for each in among]
    cells: dict[tuple[int, int], Against] = {}
    for met in Encounter.objects.filter(one__in=ids, other__in=ids):
        ahead = round(100 * (met.won_one - met.won_other) / max(1, met.throws))
        cells[met.one_id, met.other_id] = Against(ahead, met.matches)
        cells[met.other_id, met.one_id] = Against(-ahead, met.matches)
    return [(row, [cells.get((row.pk, pk), Against()) for pk in ids]) for row in among]


def live(at: datetime) -> list[list[Any]]:
    """Return the matches under way: both names, throws, and throws won by each."""
    row = Pooled.objects.filter(name=LABEL, until__gt=at - FRESH).first()
    found: list[list[Any]] = msgspec.json.decode(row.live) if row else []
    return found


def ended() -> QuerySet[PlayedMatch]:
    """Return the stored matches with their programs, the last one first."""
    return PlayedMatch.objects.order_by("-pk").select_related("first__user", "second__user")


def told(match: PlayedMatch) -> dict[str, Any]:
    """Return all but the programs of a match that everybody may know; lists are by seat."""
    return {
        "public_id": match.public_id,
        "began_at": match.began_at,
        "ended_at": match.ended_at,
        "reason": match.reason,
        "forfeit": match.forfeit,
        "throws": match.throws,
        "won": [match.won_first, match.won_second],
        "thought_ms": [match.thought_first_ms, match.thought_second_ms],
        "ratings": msgspec.json.decode(match.ratings) if match.ratings else None,
    }


def _page() -> Shown:
    rungs, last = board(), list(ended()[:LAST])
    under_way = live(timezone.now())
    seen = msgspec.json.encode([under_way, [each.public_id for each in last]])
    return Shown(
        {
            "etag": hashlib.sha256(seen).hexdigest()[:16],
            "rows": rungs,
            "matrix": matrix(rungs),
            "live": under_way,
            "last": last,
        }
    )


#: The page of the ladder, the same for everybody.
shown_ladder: Final = Shared(_page)


@cache
def sources() -> dict[str, Any]:
    """Return the examples, with how each is run, and the texts of the programs of the house."""
    return {
        "examples": {
            name: {"source": (EXAMPLES / name).read_text(), "run": f"{words} {name}"}
            for name, words in {"ladder.py": "python", "ladder.mjs": "node"}.items()
        },
        "house": {
            name: getsource(getattr(each, "func", each)) for name, each in house.HOUSE.items()
        },
    }
