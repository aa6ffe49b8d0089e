"""Posts in a game's rooms, read from its journal; callers check who may read a room."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from accounts.models import User
from games.engine.facts import Instant, iso
from games.engine.structs import canonical
from games.matches.journal.entries import EntryRow, read_facts
from games.matches.journal.reading import Sought, count_entries, find_entries
from games.matches.journal.story import POSTED, StoryFact, whole_story
from games.matches.models import HiddenPost, Match, PostReport

#: The kind of the posting action.
POST: Final = "post"
#: The text with which every posting action begins.
POSTING: Final = canonical({"kind": POST})[:-1] + ","
#: The kinds of actions by which a seat says something; a muted user may not.
WILL: Final = "write_will"
SPEECH: Final = frozenset({POST, WILL})
#: The option of tables with last wills, and the text in the facts of an entry that posts one: a
#: will is posted by a death, not by an action of its own.
WILLS, IS_WILL = "last_wills", '"is_will":true'
#: The largest number of a post in a query, because databases limit numbers.
LARGEST: Final = 1_000_000


class Said(NamedTuple):
    """A post; ``at`` in ISO 8601. The text of a hidden post is empty."""

    no: int
    seat: int
    name: str
    phase: int
    at: str
    text: str
    is_hidden: bool = False
    is_will: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """A post as bots read it; ``no`` counts in its room."""

    room: str
    no: int
    seat: int
    at: int
    text: str


def count_posts(match: Match, room: str) -> int:
    posted = count_entries(match.pk, Sought((_beginning(room),)), is_live=match.is_live)
    return posted + len(_wills(match, room))


def posts_between(
    match: Match, room: str, first: int, last: int, *, with_hidden: bool = False
) -> list[Said]:
    """Return the posts of a room from number ``first`` to ``last``, both included, oldest first.
    ``with_hidden``: with the texts of hidden posts, for administrators.
    """
    start = max(0, first - 1)
    end = max(start, last)
    wills = _wills(match, room)
    hidden = hidden_in(match, room)
    own = _entries(match, room, slice(start - _up_to(start, wills), end - _up_to(end, wills)))
    actors = User.objects.filter(pk__in={entry.actor_id for entry in own})
    names = dict[int | None, str](actors.values_list("pk", "username"))
    found = [_said(entry, names[entry.actor_id]) for entry in own]
    found = sorted([*found, *(will for will in wills if start < will.no <= end)])
    return [
        said._replace(is_hidden=True, text=said.text if with_hidden else "")
        if said.no in hidden
        else said
        for said in found
    ]


def entry_numbers(match: Match, room: str) -> list[int]:
    """Return the numbers of the journal's entries that posted in a room, wills too, in order."""
    posted = Sought((_beginning(room),), (IS_WILL,) if _has_wills(match) else ())
    return [entry.no for entry in find_entries([match.pk], posted, is_live=match.is_live)]


def posts_by_room(match: Match) -> dict[str, list[Heard]]:
    """Return all posts of a match by room, oldest first, as bots read them."""
    hidden = set(HiddenPost.objects.filter(match=match).values_list("room", "no"))
    found: dict[str, list[Heard]] = {}
    for entry in find_entries([match.pk], Sought((POSTING,)), is_live=match.is_live):
        post = next(fact.data for fact in read_facts(entry.facts) if fact.kind == POSTED)
        text = "" if (post["room"], post["no"]) in hidden else post["text"]
        heard = Heard(post["room"], post["no"], post["seat"], entry.at_ms, text)
        found.setdefault(heard.room, []).append(heard)
    return found


def author_of(match: Match, room: str, no: int) -> int | None:
    """Return the author of a post, None where there is no such post."""
    if not 0 < no <= LARGEST:
        return None
    wills = _wills(match, room)
    if (will := next((will for will in wills if will.no == no), None)) is not None:
        # The seat of a dead player never changes hands.
        return match.seats.values_list("user", flat=True).get(no=will.seat)
    place = no - 1 - _up_to(no, wills)
    own = _entries(match, room, slice(place, place + 1))
    return own[0].actor_id if own else None


def hidden_in(match: Match, room: str) -> frozenset[int]:
    rows = HiddenPost.objects.filter(match=match, room=room)
    return frozenset(rows.values_list("no", flat=True))


def withheld_from_replays(match: Match) -> frozenset[tuple[str, int]]:
    """Return the posts (room, number) that replays, histories and exports must not pass on: hidden
    ones, and reported ones until their report is closed.
    """
    hidden = HiddenPost.objects.filter(match=match).values_list("room", "no")
    reported = PostReport.objects.filter(match=match, flag__closed_at=None)
    return frozenset([*hidden, *reported.values_list("room", "no")])


def story_to_pass_on(match: Match, entries: Sequence[EntryRow] = ()) -> Iterator[StoryFact]:
    """Yield all facts of a match in order; a withheld post has no text and is marked so."""
    withheld = withheld_from_replays(match)
    for fact in whole_story(match, entries):
        is_out = fact.kind == POSTED and (fact.data["room"], fact.data["no"]) in withheld
        yield replace(fact, data=without_text(fact.data)) if is_out else fact


def without_text(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return a post, or the action that made it, as it is passed on while it is withheld."""
    return {**told, "text": "", "is_withheld": True}


def _entries(match: Match, room: str, part: slice = slice(None)) -> list[EntryRow]:
    return find_entries([match.pk], Sought((_beginning(room),)), part, is_live=match.is_live)


def _beginning(room: str) -> str:
    """Return the beginning of the text of a room's posts: the text is canonical."""
    return canonical({"kind": POST, "room": room})[:-1] + ","


def _has_wills(match: Match) -> bool:
    return bool(json.loads(match.table)["options"].get(WILLS))


def _wills(match: Match, room: str) -> list[Said]:
    """Return the last wills posted in a room, oldest first; no query where there can be none."""
    if not _has_wills(match):
        return []
    told = find_entries([match.pk], Sought(tells=(IS_WILL,)), is_live=match.is_live)
    names = dict(match.seats.values_list("no", "user__username"))
    return [
        Said(
            no=post["no"],
            seat=post["seat"],
            name=names[post["seat"]],
            phase=entry.phase,
            at=iso(Instant(entry.at_ms)),
            text=post["text"],
            is_will=True,
        )
        for entry in told
        for kind, post, _ in read_facts(entry.facts)
        if kind == POSTED and post["room"] == room
    ]


def _up_to(no: int, wills: list[Said]) -> int:
    return sum(will.no <= no for will in wills)


def _said(entry: EntryRow, name: str) -> Said:
    post = next(fact.data for fact in read_facts(entry.facts) if fact.kind == POSTED)
    at = iso(Instant(entry.at_ms))
    return Said(post["no"], post["seat"], name, entry.phase, at, post["text"])
