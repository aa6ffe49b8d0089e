"""The stored journal: one row per accepted action, with the facts that it made true.

Source: docs/explanation/performance.md "The journal".
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from django.db import connection

from economy.sql import as_given
from games.engine.facts import Told
from games.engine.structs import canonical
from games.matches.models import Entry


class EntryRow(msgspec.Struct, frozen=True):
    """A line of the journal; see ``games.matches.models.Entry`` for the fields."""

    match_id: int
    no: int
    actor_id: int | None
    seat: int | None
    sitter_id: int | None
    action_id: str
    action: str
    asked: str | None
    phase: int
    facts: str
    at_ms: int
    last_seq: int
    last_public: int
    is_whole: bool


class Recorded(NamedTuple):
    """A stored fact: its kind, its data, and the seats that may read it (None: everybody)."""

    kind: str
    data: Mapping[str, Any]
    audience: tuple[int, ...] | None


class Range(NamedTuple):
    """A range of a match's entries, both ends included."""

    match_id: int
    first: int
    last: int


_FACTS: Final = msgspec.json.Decoder(list[tuple[dict[str, Any], tuple[int, ...] | None]])


def write_facts(told: Sequence[Told]) -> str:
    """Encode facts as the canonical text of an entry."""
    return canonical(
        [
            (each.fact, None if each.audience is None else sorted(each.audience))
            for each in told
        ]
    )  # fmt: skip


def read_facts(text: str) -> list[Recorded]:
    """Decode the text of ``write_facts``.

    Raises:
        ValueError: the text is not of that form; each fact must have an audience.
    """
    return [Recorded(fact.pop("kind"), fact, audience) for fact, audience in _FACTS.decode(text)]


_COLUMNS: Final = ", ".join(f"entry.{name}" for name in EntryRow.__struct_fields__)
# One lookup in the primary key for each match; every name in these texts is a constant.
_READ: Final = {
    "sqlite": f"""
        SELECT {_COLUMNS} FROM json_each(%s) AS asked CROSS JOIN games_entry AS entry
        ON entry.match_id = json_extract(asked.value, '$[0]')
        AND entry.no BETWEEN json_extract(asked.value, '$[1]') AND json_extract(asked.value, '$[2]')
        ORDER BY entry.match_id, entry.no
    """,  # noqa: S608
    "postgresql": f"""
        SELECT {_COLUMNS} FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[])
        AS asked(match_id, first, last) JOIN games_entry AS entry
        ON entry.match_id = asked.match_id AND entry.no BETWEEN asked.first AND asked.last
        ORDER BY entry.match_id, entry.no
    """,  # noqa: S608
}


def read_entries(wanted: Iterable[Range]) -> dict[int, list[EntryRow]]:
    """Return these entries by match, in order: one query, none when the ranges are empty."""
    ranges = [each for each in wanted if each.last >= each.first]
    found: dict[int, list[EntryRow]] = defaultdict(list)
    if not ranges:
        return found
    with connection.cursor() as cursor:
        cursor.execute(_READ[connection.vendor], as_given(ranges))
        for row in cursor.fetchall():
            entry = EntryRow(*row)
            found[entry.match_id].append(entry)
    return found


def all_entries(match_id: int, last: int) -> Iterable[EntryRow]:
    """Yield a match's entries from the first to ``last``, 500 at a time."""
    rows = Entry.objects.filter(match_id=match_id, no__lte=last).order_by("no")
    for row in rows.values_list(*EntryRow.__struct_fields__).iterator(500):
        yield EntryRow(*row)
