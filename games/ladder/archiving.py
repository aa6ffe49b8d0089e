"""Figures of new matches and files of old days, by the worker; and a program's own data."""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from importlib import import_module
from typing import Any, Final

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from economy.selectors import setting
from games import registry
from games.ladder.house import HOUSE, READER
from games.ladder.models import Entrant, LadderDay, PlayedMatch
from games.ladder.queries import ended, told
from games.ladder.rules.match import HANDS, results, unpack
from games.matches.models.matches import new_public_id
from games.own_data.personal_data import OwnData, paged

#: Matches whose figures one sweep makes.
PORTION: Final = 20
#: Throws in a row of the strip, and between two points of the line.
WIDTH: Final = 100
STEP: Final = 10


def figures_of(hands: tuple[list[int], list[int]]) -> dict[str, Any]:
    """Return a match in figures: the strip's paths of throws won and lost by seat 0, its lead as
    points, and by seat how often each hand came and how well a reader would have beaten it.
    """
    won = results(hands)
    paths = {1: "", -1: ""}
    leads, points = [0], ["0,0"]
    for no, result in enumerate(won):
        leads.append(leads[-1] + result)
        if result:
            paths[result] += f"M{no % WIDTH} {no // WIDTH}h1v1h-1z"
        if no % STEP == STEP - 1 or no == len(won) - 1:
            points.append(f"{no + 1},{-leads[-1]}")
    return {
        "won": paths[1],
        "lost": paths[-1],
        "points": " ".join(points),
        "top": -max(leads) - 1,
        "height": max(leads) - min(leads) + 2,
        "most": max(leads),
        "hands": [[side.count(code) for code in range(3)] for side in hands],
        "read": [_edge(hands[seat], hands[1 - seat]) for seat in (0, 1)],
    }


def _edge(own: Sequence[int], theirs: Sequence[int]) -> list[float] | None:
    if READER not in HOUSE:
        return None
    reading = import_module(registry.READER)
    throws = [
        (reading.HANDS[one], reading.HANDS[other]) for one, other in zip(own, theirs, strict=True)
    ]
    edge = reading.edge_of(reading.read(throws))
    return None if edge is None else [edge.value, edge.give_or_take]


def draw_figures() -> int:
    """Make the figures of some matches that have none; return their number."""
    rows = PlayedMatch.objects.filter(hands__isnull=False, figures="").order_by("ended_at")
    some = list(rows[:PORTION])
    for row in some:
        figures = msgspec.json.encode(figures_of(unpack(row.hands or b""))).decode()
        PlayedMatch.objects.filter(pk=row.pk, hands__isnull=False).update(figures=figures)
    return len(some)


def pack_oldest_day(at: datetime | None = None) -> int:
    """Write the file of the oldest day that ended ``ladder.days_kept`` days ago, and forget the
    hands of its matches; return their number.
    """
    limit = (at or timezone.now()) - timedelta(days=setting("ladder.days_kept"))
    full = PlayedMatch.objects.filter(hands__isnull=False).order_by("ended_at", "pk")
    oldest = full.values_list("ended_at", flat=True).first()
    if oldest is None:
        return 0
    day = oldest.astimezone(UTC).date()
    ends_at = datetime.combine(day, time(), UTC) + timedelta(days=1)
    if ends_at > limit:
        return 0
    with transaction.atomic():
        rows = list(full.filter(ended_at__lt=ends_at).select_related("first", "second"))
        lines = b"".join(msgspec.json.encode(_line(row)) + b"\n" for row in rows)
        LadderDay.objects.update_or_create(
            day=day, defaults={"content": gzip.compress(lines, mtime=0)}
        )
        ids = [row.pk for row in rows]
        PlayedMatch.objects.filter(pk__in=ids).update(hands=None, seed="", figures="")
    return len(rows)


def _line(row: PlayedMatch) -> dict[str, Any]:
    hands = unpack(row.hands or b"")
    return {
        "programs": [each.house or each.key for each in row.entrants],
        **told(row),
        "seed": row.seed,
        "hands": ["".join(HANDS[code] for code in side) for side in hands],
    }


def rows_of(user: User) -> Iterator[Mapping[str, Any]]:
    """Yield the user's matches; ``seat`` is the user's, and so are the hands."""
    for entrant in Entrant.objects.filter(user=user):
        yield {"program": user.username, "source": entrant.source, "matches": entrant.matches}
        for row in paged(ended().filter(Q(first=entrant) | Q(second=entrant)).order_by()):
            seat = int(row.second_id == entrant.pk)
            hands = None if row.hands is None else unpack(row.hands)[seat]
            yield {
                "opponent": row.entrants[1 - seat].name,
                "seat": seat,
                **told(row),
                "hands": None if hands is None else "".join(HANDS[code] for code in hands),
            }


def blank(user: User) -> None:
    """Forget where a program's source stands, and its name in the files of days."""
    Entrant.objects.filter(user=user).update(source="", key=new_public_id())


OWN_DATA: Final = OwnData("ladder", rows_of, lambda _: "", blank)
