"""A match's facts for display: numbered, with sentences and the names on the seats.
Source: docs/reference/protocol.md "Events"; docs/reference/json-rpc.md "Notifications".
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from accounts.models import User
from games import registry
from games.matches.journal.entries import EntryRow, Recorded, read_facts
from games.matches.journal.reading import Range, all_entries, read_entries
from games.matches.models import HiddenPost, Match
from games.text.telling import FORMER

TAKEN_OVER: Final = "seat_taken_over"
POSTED: Final = "posted"
#: The kinds of facts that give a user a seat.
SEATING: Final = frozenset({"sat", TAKEN_OVER})


@dataclass(frozen=True, slots=True)
class StoryFact:
    """A fact with its sentence; one that is not public has no number and no text."""

    entry: EntryRow
    number: int | None
    kind: str
    data: Mapping[str, Any]
    audience: tuple[int, ...] | None
    text: str = ""
    names: Mapping[int, str] = field(default_factory=dict)


class HeldFact(NamedTuple):
    """A fact with the number of the last public one, and who holds the seats after it."""

    entry: EntryRow
    number: int
    fact: Recorded
    users: Mapping[int, int]
    former: int | None

    def is_for(self, user_id: int | None) -> bool:
        """Whether a user may hear it: all may, or it is told to the seat that the user had then."""
        audience = self.fact.audience
        return audience is None or any(
            user == user_id for seat, user in self.users.items() if seat in audience
        )


class Holders:
    """The user of each seat along a journal, beginning with ``users``."""

    def __init__(self, users: Mapping[int, int]) -> None:
        self.users = users

    def facts_of(self, entry: EntryRow) -> Iterator[HeldFact]:
        facts = read_facts(entry.facts)
        number = entry.last_public - sum(fact.audience is None for fact in facts)
        for fact in facts:
            number += fact.audience is None
            seat = fact.data.get("seat", -1)
            former = self.users.get(seat) if fact.kind == TAKEN_OVER else None
            if fact.kind in SEATING and entry.sitter_id is not None:
                self.users = {**self.users, seat: entry.sitter_id}
            yield HeldFact(entry, number, fact, self.users, former)
            if fact.kind == "stood":
                self.users = {no: user for no, user in self.users.items() if no != seat}


class Finished:
    """A match that is over, for logs, histories and proofs; raises ValueError if it is live."""

    def __init__(self, match: Match) -> None:
        if match.is_live:
            raise ValueError("a running match has secrets")
        self.match = match

    @cached_property
    def entries(self) -> list[EntryRow]:
        return list(all_entries(self.match.pk, self.match.action_count))

    @cached_property
    def opening(self) -> dict[int, int]:
        return opening_users(self.match)


def opening_users(match: Match) -> dict[int, int]:
    return {int(no): user for no, user in json.loads(match.origin_users).items()}


def whole_story(match: Match, entries: Sequence[EntryRow] = ()) -> list[StoryFact]:
    """Return all facts of a match, secret ones included; hidden posts have no text."""
    entries = entries or list(all_entries(match.pk, match.action_count))
    holders = Holders(opening_users(match))
    users = _names([*holders.users.values(), *(entry.sitter_id for entry in entries)])
    tell = registry.table(match.game).speech.tell
    hidden = set(HiddenPost.objects.filter(match=match).values_list("room", "no"))
    told, names, seated = [], dict[int, str](), None
    for held in (held for entry in entries for held in holders.facts_of(entry)):
        kind, data, audience = held.fact
        if held.users is not seated:
            seated, names = held.users, {no: users[user] for no, user in held.users.items()}
        if kind == POSTED and (data["room"], data["no"]) in hidden:
            data = {**data, "text": "", "is_hidden": True}
        shown = names if held.former is None else {**names, FORMER: users[held.former]}
        text, number = "", None
        if audience is None:
            text, number = tell(kind, data, shown) or "", held.number
        told.append(StoryFact(held.entry, number, kind, data, audience, text, names=names))
    return told


def facts_after(match_id: int, no: int, last: int, holders: Holders) -> list[HeldFact]:
    """Return the facts of a match's entries after ``no`` up to ``last``; ``holders`` are those of
    the seats before them, then after them.
    """
    entries = read_entries([Range(match_id, no + 1, last)])[match_id]
    return [held for entry in entries for held in holders.facts_of(entry)]


def _names(users: Iterable[int | None]) -> dict[int, str]:
    wanted = {user for user in users if user is not None}
    return dict(User.objects.filter(pk__in=wanted).values_list("pk", "username"))
