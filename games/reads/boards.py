"""The best readers, and what a finished match's story tells of sealed reads."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from django.db.models import Avg

from accounts.devices import shared_sightings
from accounts.shared import Shared, Shown
from games.matches.models import Match, SealedRead
from games.reads.odds import probabilities
from games.reads.scoring import strengths_of

#: The towns that a reader on the board has read; the readers that a figure in a story is made of.
LEAST_TOWNS: Final = 10
LEAST_READERS: Final = 3
#: The most rows of the board.
SHOWN: Final = 50


class BestReader(NamedTuple):
    """A row of the board: the mean of the towns' scores, in bits, and half of its interval of
    95 %.
    """

    place: int
    user_id: int
    name: str
    towns: int
    mean: float
    within: float


def best_readers() -> Shown:
    """Return the readers who knew no roles by right, the highest mean first; and how many towns
    each reader has, in the board or not.
    """
    fair = SealedRead.objects.filter(knew=False, match__listed=True, user__is_active=True)
    towns = fair.values("user", "user__username", "match").order_by()
    scores, names = defaultdict[int, list[float]](list), dict[int, str]()
    for pk, name, score in towns.annotate(mean=Avg("score")).values_list(
        "user", "user__username", "mean"
    ):
        scores[pk].append(score)
        names[pk] = name
    settled = [(pk, of) for pk, of in scores.items() if len(of) >= LEAST_TOWNS]
    settled.sort(key=lambda pair: (-fmean(pair[1]), pair[0]))
    rows = [
        BestReader(place, pk, names[pk], len(of), fmean(of), 1.96 * stdev(of) / len(of) ** 0.5)
        for place, (pk, of) in enumerate(settled[:SHOWN], start=1)
    ]
    return Shown({"rows": rows, "towns": {pk: len(of) for pk, of in scores.items()}})


#: Reads are scored once a minute.
shown_readers: Final = Shared(best_readers, 60)


def reads_in_story(match: Match, names: Mapping[int, str], user_id: int | None) -> dict[str, Any]:
    """Return the viewer's own reads of a finished match, and on each day with enough readers how
    suspicious each seat was to them, in percent; nothing before they are scored.
    """
    scored = SealedRead.objects.filter(match=match, score__isnull=False).order_by("day", "pk")
    rows = list(scored)
    by_day = {
        day: [probabilities(strengths_of(read), read.hidden) for read in some]
        for day, some in _of_enough([read for read in rows if not read.knew]).items()
    }
    lines = []
    for no, name in sorted(names.items()):
        chances = [_mean([read[no] for read in some if no in read]) for some in by_day.values()]
        lines.append((name, chances, _curve(chances)))
    own = [read for read in rows if read.user_id == user_id]
    return {"own": own, "days": list(by_day), "lines": lines, "least_readers": LEAST_READERS}


def _of_enough(reads: Sequence[SealedRead]) -> dict[int, list[SealedRead]]:
    """Return the reads of each day with enough readers; all who share a device or an address with
    another one count as one, who must not learn from the mean what somebody else sealed.
    """
    several = shared_sightings({read.user_id for read in reads}).keys() if reads else set[int]()
    by_day = defaultdict[int, list[SealedRead]](list)
    for read in reads:
        by_day[read.day].append(read)
    return {
        day: some
        for day, some in by_day.items()
        if len({0 if read.user_id in several else read.user_id for read in some}) >= LEAST_READERS
    }


def _mean(chances: list[float]) -> int | None:
    """Return a mean in percent, None for a seat that too few were asked about."""
    return round(100 * fmean(chances)) if len(chances) >= LEAST_READERS else None


def _curve(chances: list[int | None]) -> str:
    """Return the points of a line in a square of 100."""
    step = 100 / max(1, len(chances) - 1)
    return " ".join(
        f"{round(place * step, 1)},{100 - chance}"
        for place, chance in enumerate(chances)
        if chance is not None
    )
