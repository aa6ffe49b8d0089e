"""Reads of stored journals: entries are rows, or in the archived row of their match.
Source: docs/explanation/scale.md "The archive".
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec
from django.db import connection
from django.db.models import Q

from economy.sql import as_given, fetch, read_rows
from games.matches.journal.entries import BrokenArchive, EntryRow, Recorded, read_facts, unpack
from games.matches.models import ArchivedJournal, Entry

log = logging.getLogger(__name__)

CHUNK: Final = 500


class Range(NamedTuple):
    """A range of a match's entries, both ends included."""

    match_id: int
    first: int
    last: int


class Sought(msgspec.Struct, frozen=True):
    """A condition on entries: who acted, and a text that begins the action or is in the facts."""

    begins: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    actor_id: int | None = None

    def condition(self) -> Q:
        texts = Q()
        for begin in self.begins:
            texts |= Q(action__startswith=begin)
        for told in self.tells:
            texts |= Q(facts__contains=told)
        return texts if self.actor_id is None else texts & Q(actor=self.actor_id)

    def holds(self, entry: EntryRow) -> bool:
        if self.actor_id is not None and entry.actor_id != self.actor_id:
            return False
        if not self.begins and not self.tells:
            return True
        return entry.action.startswith(self.begins) or any(t in entry.facts for t in self.tells)


#: The columns of an entry, in the order of ``EntryRow``.
FIELDS: Final = EntryRow.__struct_fields__
_COLUMNS: Final = ", ".join(f"entry.{name}" for name in FIELDS)
# One lookup in the primary key for each match; every name in these texts is a constant.  Raw SQL:
# the ORM took 8.4 times the time for 20 matches (SQLite; 8.1 on PostgreSQL; 2026-11-27).
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
    """Return these entries by match in order: one or two queries. Raises BrokenArchive."""
    ranges = [each for each in wanted if each.last >= each.first]
    found: dict[int, list[EntryRow]] = defaultdict(list)
    if not ranges:
        return found
    # Rows first: an archived row and the deletion of its entries are committed together, so what is
    # not among the rows was archived before they were read.
    for row in fetch(_READ[connection.vendor], as_given(ranges)):
        found[row[0]].append(EntryRow(*row))
    short = {r.match_id: r for r in ranges if len(found[r.match_id]) <= r.last - r.first}
    for match_id, archived in read_archived(short).items():
        _, first, last = short[match_id]
        later = [entry for entry in found[match_id] if entry.no > len(archived)]
        found[match_id] = [*archived[first - 1 : last], *later]
    return found


def all_entries(match_id: int, last: int) -> Iterable[EntryRow]:
    """Yield entries from the first to ``last``, 500 rows at a time. Raises BrokenArchive."""
    if last <= CHUNK:
        yield from read_entries([Range(match_id, 1, last)])[match_id]
        return
    rows = Entry.objects.filter(match_id=match_id, no__lte=last).order_by("no")
    reader = (EntryRow(*row) for row in rows.values_list(*FIELDS).iterator(500))
    first = next(reader, None)
    if last > 0 and (first is None or first.no > 1):
        # What was asked for after the end of a match may follow on its archived row.
        yield from read_archived([match_id]).get(match_id, [])[:last]
    if first is not None:
        yield first
        yield from reader


def find_entries(
    match_ids: Iterable[int], sought: Sought, part: slice = slice(None), *, is_live: bool = False
) -> list[EntryRow]:
    """Return the ``part`` of the entries that meet a condition, by match and number."""
    wanted = sorted(match_ids)
    if is_live:  # None is archived.
        rows = Entry.objects.filter(sought.condition(), match__in=wanted).order_by("match", "no")
        return [EntryRow(*row) for row in rows.values_list(*FIELDS)[part]]
    found = list[EntryRow]()
    for first in range(0, len(wanted), CHUNK):
        found += _find_in(wanted[first : first + CHUNK], sought)
    return found[part]


def find_facts(
    match_ids: Iterable[int], kinds: Collection[str], *, is_live: bool = False
) -> Iterator[tuple[EntryRow, Recorded]]:
    """Yield the facts of these kinds, each with its entry, by match and in their order."""
    sought = Sought(tells=tuple(f'"{kind}"' for kind in sorted(kinds)))
    for entry in find_entries(match_ids, sought, is_live=is_live):
        yield from ((entry, fact) for fact in read_facts(entry.facts) if fact.kind in kinds)


def _find_in(match_ids: Sequence[int], sought: Sought) -> list[EntryRow]:
    rows = Entry.objects.filter(sought.condition(), match__in=match_ids).values_list(*FIELDS)
    stored = [EntryRow(*row) for row in rows]
    archived = dict[int, list[EntryRow]]()
    for row in read_rows(ArchivedJournal, "match_id", match_ids):
        try:
            archived[row.match_id] = unpack(row)
        except BrokenArchive:  # It must not spoil the lists of others.
            log.critical("%r cannot be read", row, exc_info=True)
    found = [entry for entries in archived.values() for entry in entries if sought.holds(entry)]
    found += [entry for entry in stored if entry.no > len(archived.get(entry.match_id, ()))]
    return sorted(found, key=lambda entry: (entry.match_id, entry.no))


def count_entries(match_id: int, sought: Sought, *, is_live: bool) -> int:
    if is_live:
        return Entry.objects.filter(sought.condition(), match_id=match_id).count()
    return len(find_entries([match_id], sought))


def read_archived(match_ids: Iterable[int]) -> dict[int, list[EntryRow]]:
    """Return the archived entries by match; raises BrokenArchive."""
    wanted = list(match_ids)
    if not wanted:
        return {}
    return {row.match_id: unpack(row) for row in read_rows(ArchivedJournal, "match_id", wanted)}
