"""What is said in the rooms of a Mafia match, in pages, and how the town voted day by day.

Posts stand in the journal.  A page is read by room and number, and only as far as the rules let
the viewer read: nothing is taken out of a larger answer.

Source: docs/agora.md "Reading posts"; docs/rules/agora.md "Secret information".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from django.db.models import QuerySet

from games.journal.entries import read_facts
from games.kernel.contract import SPECTATORS_ROOM, TABLE_ROOM
from games.kernel.errors import IllegalAction
from games.kernel.facts import Instant, iso
from games.models import Entry, Match
from games.services.posts import rooms_of

#: So many posts are read at once.
PAGE: Final = 40
#: Their lines are chat, which the match's socket brings.
CHAT_ROOMS: Final = frozenset({TABLE_ROOM, SPECTATORS_ROOM})
#: Actions are stored in canonical text: keys are sorted, so what is searched stands at an end.
POSTED: Final = '{"kind":"post","room":"%s",'
VOTED: Final = '"kind":"vote"}'


class NoSuchRoom(IllegalAction):
    """There is no such room, or not for this viewer; the two look alike."""

    code: ClassVar[str] = "not_found"


def page_of(
    match: Match, seat: int | None, room: str, *, before: int | None = None, after: int = 0
) -> dict[str, Any]:
    """Return the newest posts of a room that a seat (None: an onlooker) may read, oldest first.

    Args:
        before: those right before this number; None: the newest ones.
        after: none up to this number; without ``before``, those that follow on it.

    Raises:
        NoSuchRoom: the viewer reads no such room.
    """
    found = rooms_of(match, seat).get(room)
    if found is None or room in CHAT_ROOMS:
        raise NoSuchRoom("there is no such room here")
    rows = _posts_in(match, room)
    last = rows.count() if found.reads_to is None else found.reads_to
    start = max(after, found.reads_from - 1, 0)
    end = last if before is None else min(last, max(before - 1, 0))
    if before is None and after:
        end = min(end, start + PAGE)
    else:
        start = max(start, end - PAGE)
    return {"room": room, "last": last, "posts": _read(rows[start : max(start, end)])}


def votes_of(match: Match) -> list[dict[str, Any]]:
    """Return every vote of a match in order, by day: a seat and its choice, null for no opinion."""
    days: dict[int, list[tuple[int, Any]]] = {}
    rows = Entry.objects.filter(match=match, action__endswith=VOTED).order_by("no")
    for phase, facts in rows.values_list("phase", "facts").iterator(500):
        for kind, data, audience in read_facts(facts):
            if kind == "voted" and audience is None:
                # A night and its day are two phases; the vote that ends a day is told in the next.
                days.setdefault(phase // 2, []).append((data["seat"], data["choice"]))
    return [{"round": round_no, "votes": votes} for round_no, votes in sorted(days.items())]


def _posts_in(match: Match, room: str) -> QuerySet[Entry]:
    rows = Entry.objects.filter(match=match, action__startswith=POSTED % room)
    return rows.order_by("no")


def _read(rows: QuerySet[Entry]) -> list[dict[str, Any]]:
    columns = rows.values_list("phase", "at_ms", "facts", "actor__username")
    return [post for row in columns for post in _posts(*row)]


def _posts(phase: int, at_ms: int, facts: str, name: str) -> Iterable[dict[str, Any]]:
    for kind, data, _ in read_facts(facts):
        if kind == "posted":
            yield {
                "no": data["no"],
                "seat": data["seat"],
                "name": name,
                "text": data["text"],
                "phase": phase,
                "at": iso(Instant(at_ms)),
            }
