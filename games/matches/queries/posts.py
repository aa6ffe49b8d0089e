"""Posts: messages sent by actions of a game, read from its journal, room by room.

Numbers are dense in each room, so that a range can be requested.  The rules decide who may read
a room; callers check them before reading.

Source: docs/explanation/agora.md "Rooms".
"""

from typing import Final, NamedTuple

from django.db.models import QuerySet

from games.engine.facts import Instant, iso
from games.engine.structs import canonical
from games.matches.journal.entries import read_facts
from games.matches.models import Entry, HiddenPost, Match, PostReport

#: The kinds of the posting action and of its fact.
POST, POSTED = "post", "posted"
#: The largest number of a post in a query, because databases limit numbers.
LARGEST: Final = 1_000_000


class Said(NamedTuple):
    """A post: number in the room, author, phase, time (ISO 8601) and text.

    The text of a hidden post is empty.
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
    """Return the posts of a room from number ``first`` to ``last``, both included, oldest first.

    Args:
        with_hidden: include the texts of hidden posts, for administrators.
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
    """Return the author of a post, None where there is no such post."""
    if not 0 < no <= LARGEST:
        return None
    authors = _entries(match, room).values_list("actor", flat=True)
    return next(iter(authors[no - 1 : no]), None)


def hidden_in(match: Match, room: str) -> frozenset[int]:
    """Return the numbers of the hidden posts of a room."""
    rows = HiddenPost.objects.filter(match=match, room=room)
    return frozenset(rows.values_list("no", flat=True))


def withheld_from_replays(match: Match) -> frozenset[tuple[str, int]]:
    """Return the posts (room, number) that a replay must not repeat: hidden, or reported and open.

    Replays, histories and exports are passed on; whether a reported post is shown again there is
    decided when its report is closed.
    """
    hidden = HiddenPost.objects.filter(match=match).values_list("room", "no")
    reported = PostReport.objects.filter(match=match, flag__closed_at=None)
    return frozenset([*hidden, *reported.values_list("room", "no")])


def _entries(match: Match, room: str) -> QuerySet[Entry]:
    # The text is canonical, so its beginning identifies kind and room.
    begins = canonical({"kind": POST, "room": room})[:-1] + ","
    return Entry.objects.filter(match=match, action__startswith=begins).order_by("no")


def _said(facts: str, phase: int, at_ms: int, name: str) -> Said:
    post = next(fact.data for fact in read_facts(facts) if fact.kind == POSTED)
    at = iso(Instant(at_ms))
    return Said(post["no"], post["seat"], name, phase, at, post["text"], is_hidden=False)
