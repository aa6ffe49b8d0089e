"""The posts of a Mafia game, a page at a time: by room, for whoever may read there.

They stand in the journal, as actions with their facts, and nowhere else.

Source: docs/agora.md "Rooms".
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.journal.entries import read_facts
from games.kernel.facts import Instant, iso
from games.kernel.structs import canonical, kind_of
from games.mafia.rules.actions import Post
from games.mafia.rules.facts import Posted
from games.models import Entry, Match
from games.services.posts import rooms_of

#: So many posts are a page.
PAGE: Final = 50


class Said(NamedTuple):
    """A post: its number in the room, who said what, in which phase and when (ISO 8601)."""

    no: int
    seat: int
    phase: int
    at: str
    text: str


def posts_in(match: Match, seat: int | None, room: str, *, before: int | None = None) -> list[Said]:
    """Return the last posts of a room that a seat (None: an onlooker) may read, oldest first.

    Args:
        before: only posts with a smaller number, for the page before one that is there.

    Raises:
        LookupError: there is no such room, or not for this viewer; which of them is not told.
    """
    found = rooms_of(match, seat).get(room)
    if found is None:
        raise LookupError("there is no such room here")
    # The text is canonical, so its beginning tells kind and room; numbers are dense.
    begins = canonical({"kind": kind_of(Post), "room": room})[:-1] + ","
    entries = Entry.objects.filter(match=match, action__startswith=begins).order_by("no")
    last = entries.count() if before is None else before - 1
    if found.reads_to is not None:
        last = min(last, found.reads_to)
    first = max(1, found.reads_from, last - PAGE + 1)
    rows = entries.values_list("facts", "phase", "at_ms")[first - 1 : max(last, first - 1)]
    return [_said(*row) for row in rows]


def _said(facts: str, phase: int, at_ms: int) -> Said:
    post = next(fact.data for fact in read_facts(facts) if fact.kind == kind_of(Posted))
    return Said(post["no"], post["seat"], phase, iso(Instant(at_ms)), post["text"])
