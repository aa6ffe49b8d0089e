"""Posts: what is said in a game by actions of it, read from its journal, room by room.

Numbers are dense in each room, so that a part of it is asked for by its place.  Who may read what
is for the rules to say, before anything is read.

Source: docs/agora.md "Rooms".
"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db.models import QuerySet

from games.engine.facts import Instant, iso
from games.engine.structs import canonical
from games.matches.journal.entries import read_facts
from games.matches.models import Entry, HiddenPost, Match

#: The kind of action by which something is posted, and the fact that tells it.
POST, POSTED = "post", "posted"
#: The largest number of a post that is looked for; databases take no number of any size.
LARGEST: Final = 1_000_000


class Said(NamedTuple):
    """A post: its number in the room, who said what, in which phase and when (ISO 8601).

    The text of a hidden one is empty.
    """

    no: int
    seat: int
    name: str
    phase: int
    at: str
    text: str
    is_hidden: bool


def count_posts(match: Match, room: str) -> int:
    """Count the posts of a room."""
    return _entries(match, room).count()


def posts_between(
    match: Match, room: str, first: int, last: int, *, with_hidden: bool = False
) -> list[Said]:
    """Return the posts of a room from one number to another, both among them, oldest first.

    Args:
        with_hidden: whether the texts of hidden posts are wanted, for administrators.
    """
    rows = _entries(match, room).values_list("facts", "phase", "at_ms", "actor__username")
    start = max(0, first - 1)
    hidden = hidden_in(match, room)
    found = [_said(*row) for row in rows[start : max(start, last)]]
    return [
        said._replace(is_hidden=True, text=said.text if with_hidden else "")
        if said.no in hidden
        else said
        for said in found
    ]


def author_of(match: Match, room: str, no: int) -> int | None:
    """Return the user who posted something, None where there is no such post."""
    if not 0 < no <= LARGEST:
        return None
    authors = _entries(match, room).values_list("actor", flat=True)
    return next(iter(authors[no - 1 : no]), None)


def hidden_in(match: Match, room: str) -> frozenset[int]:
    """Return the numbers of the posts of a room that are hidden."""
    rows = HiddenPost.objects.filter(match=match, room=room)
    return frozenset(rows.values_list("no", flat=True))


def _entries(match: Match, room: str) -> QuerySet[Entry]:
    # The text is canonical, so its beginning tells kind and room.
    begins = canonical({"kind": POST, "room": room})[:-1] + ","
    return Entry.objects.filter(match=match, action__startswith=begins).order_by("no")


def _said(facts: str, phase: int, at_ms: int, name: str) -> Said:
    post = next(fact.data for fact in read_facts(facts) if fact.kind == POSTED)
    at = iso(Instant(at_ms))
    return Said(post["no"], post["seat"], name, phase, at, post["text"], is_hidden=False)
