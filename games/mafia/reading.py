"""What is read of a Mafia match beside its view: posts a page at a time, votes day by day.

Both stand in the journal, as actions with their facts, and nowhere else.  Of a room only what the
rules let the viewer read is asked for; nothing is taken out of a larger answer.

Source: docs/agora.md "Rooms".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from games import catalog
from games.journal.entries import read_facts
from games.kernel.contract import SPECTATORS_ROOM, TABLE_ROOM
from games.kernel.facts import Instant, iso
from games.kernel.structs import canonical, kind_of
from games.mafia.rules.actions import Post
from games.mafia.rules.facts import Posted
from games.mafia.rules.phases import Stage
from games.models import Entry, Match
from games.services.posts import rooms_of

#: So many posts are a page.
PAGE: Final = 50
#: Their lines are chat, which the match's socket brings.
CHAT_ROOMS: Final = frozenset({TABLE_ROOM, SPECTATORS_ROOM})
#: So many finished matches stand in the lobby.
FINISHED: Final = 10
#: How the text of a vote ends: it is canonical, with its keys sorted.
VOTED: Final = '"kind":"vote"}'


class Said(NamedTuple):
    """A post: its number in the room, who said what, in which phase and when (ISO 8601)."""

    no: int
    seat: int
    name: str
    phase: int
    at: str
    text: str


class Page(NamedTuple):
    """Some posts of a room, oldest first, and the number of the last one that may be read."""

    last: int
    posts: list[Said]


def posts_in(
    match: Match, seat: int | None, room: str, *, before: int | None = None, after: int = 0
) -> Page:
    """Return the last posts of a room that a seat (None: an onlooker) may read.

    Args:
        before: only posts with a smaller number, for the page before one that is there.
        after: only posts with a larger number; without ``before``, those that follow on it.

    Raises:
        LookupError: there is no such room, or not for this viewer; which of them is not told.
    """
    found = rooms_of(match, seat).get(room)
    if found is None or room in CHAT_ROOMS:
        raise LookupError("there is no such room here")
    # The text is canonical, so its beginning tells kind and room; numbers are dense.
    begins = canonical({"kind": kind_of(Post), "room": room})[:-1] + ","
    entries = Entry.objects.filter(match=match, action__startswith=begins).order_by("no")
    last = entries.count() if found.reads_to is None else found.reads_to
    unread = max(after, found.reads_from - 1)
    if before is None and after:
        start, end = unread, min(last, unread + PAGE)
    else:
        end = last if before is None else min(last, before - 1)
        start = max(unread, end - PAGE)
    rows = entries.values_list("facts", "phase", "at_ms", "actor__username")
    return Page(last, [_said(*row) for row in rows[start : max(start, end)]])


def votes_of(match: Match) -> list[dict[str, Any]]:
    """Return every vote of a match in order, by day: a seat and its choice, null for no opinion."""
    days: dict[int, list[tuple[int, Any]]] = {}
    rules = catalog.rules_of(match.game, match.rules_version)
    offset = 1 if rules.first_stage == Stage.DAY else 0  # type: ignore[attr-defined]
    rows = Entry.objects.filter(match=match, action__endswith=VOTED).order_by("no")
    for phase, facts in rows.values_list("phase", "facts").iterator(500):
        for kind, data, audience in read_facts(facts):
            if kind == "voted" and audience is None:
                # A night and its day are two phases; the vote that ends a day is told in the next.
                days.setdefault((phase + offset) // 2, []).append((data["seat"], data["choice"]))
    return [{"round": round_no, "votes": votes} for round_no, votes in sorted(days.items())]


def finished(games: Sequence[str]) -> list[dict[str, Any]]:
    """Return the listed matches of some games that ended last: title, public name, when, who."""
    over = Match.objects.filter(
        game__in=games, listed=True, spectators=True, status=Match.Status.OVER
    )
    return [
        {
            "title": match.title,
            "public_id": match.public_id,
            "game": catalog.get(match.game).title,
            "ended_at": match.ended_at,
            "names": [seat.user.username for seat in match.seats.all()],
        }
        for match in over.order_by("-ended_at").prefetch_related("seats__user")[:FINISHED]
    ]


def _said(facts: str, phase: int, at_ms: int, name: str) -> Said:
    post = next(fact.data for fact in read_facts(facts) if fact.kind == kind_of(Posted))
    return Said(post["no"], post["seat"], name, phase, iso(Instant(at_ms)), post["text"])
