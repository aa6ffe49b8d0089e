"""A match's facts for display: numbered, with sentences and the names on the seats.

Source: docs/reference/protocol.md "Events"; docs/reference/json-rpc.md "Notifications".
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from accounts.models import User
from games import registry
from games.matches.journal.entries import EntryRow, read_facts
from games.matches.journal.reading import Range, all_entries, read_entries
from games.matches.models import HiddenPost, Match
from games.text.telling import FORMER

TAKEN_OVER: Final = "seat_taken_over"
#: The kind of the fact of a post.
POSTED: Final = "posted"
#: The kinds of facts that give a user a seat.
SEATING: Final = frozenset({"sat", TAKEN_OVER})


@dataclass(frozen=True, slots=True)
class StoryFact:
    """One fact: the entry that made it true, its number in the public log, its sentence.

    For a fact that is not public ``number`` is None and ``text`` empty.  ``name`` is the user who
    sat down by the fact, ``names`` the users on the seats after it.
    """

    entry: EntryRow
    number: int | None
    kind: str
    data: Mapping[str, Any]
    audience: tuple[int, ...] | None
    text: str = ""
    name: str | None = None
    names: Mapping[int, str] = field(default_factory=dict)


def whole_story(match: Match) -> list[StoryFact]:
    """Return all facts of a match in order from the opening, the secret ones included.

    A post that an administrator has hidden has no text and is marked as hidden.
    """
    entries = list(all_entries(match.pk, match.action_count))
    opening = {int(no): user for no, user in json.loads(match.origin_users).items()}
    users = _names([*opening.values(), *(entry.sitter_id for entry in entries)])
    names = {no: users[user] for no, user in opening.items()}
    tell = registry.get(match.game).speech.tell
    hidden = set(HiddenPost.objects.filter(match=match).values_list("room", "no"))
    told = []
    for entry in entries:
        for fact in _facts_of(entry):
            before = names
            if fact.kind in SEATING and entry.sitter_id is not None:
                names = {**names, fact.data["seat"]: users[entry.sitter_id]}
            is_public = fact.audience is None
            if fact.kind == POSTED and (fact.data["room"], fact.data["no"]) in hidden:
                fact = replace(fact, data={**fact.data, "text": "", "is_hidden": True})
            shown = names
            if fact.kind == TAKEN_OVER and fact.data["seat"] in before:
                shown = {**names, FORMER: before[fact.data["seat"]]}
            text = (tell(fact.kind, fact.data, shown) or "") if is_public else ""
            told.append(_told(fact, text=text, names=names))
            if fact.kind == "stood":
                names = {no: name for no, name in names.items() if no != fact.data["seat"]}
    return told


def facts_after(match_id: int, no: int, last: int) -> list[StoryFact]:
    """Return the facts of a match's entries after ``no`` up to ``last``, without sentences."""
    entries = read_entries([Range(match_id, no + 1, last)])[match_id]
    users = _names(entry.sitter_id for entry in entries)
    return [
        _told(fact, name=users.get(entry.sitter_id or 0) if fact.kind in SEATING else None)
        for entry in entries
        for fact in _facts_of(entry)
    ]


def _facts_of(entry: EntryRow) -> Iterator[StoryFact]:
    facts = read_facts(entry.facts)
    number = entry.last_public - sum(fact.audience is None for fact in facts)
    for fact in facts:
        is_public = fact.audience is None
        number += is_public
        yield StoryFact(entry, number if is_public else None, *fact)


def _told(fact: StoryFact, **more: Any) -> StoryFact:
    return StoryFact(
        fact.entry,
        fact.number,
        fact.kind,
        fact.data,
        fact.audience,
        **more,
    )


def _names(users: Iterable[int | None]) -> dict[int, str]:
    wanted = {user for user in users if user is not None}
    if not wanted:
        return {}
    return dict(User.objects.filter(pk__in=wanted).values_list("pk", "username"))
