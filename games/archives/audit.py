"""The ledger audit's check of archived journals: each is what was stored, and complete.
Source: docs/explanation/durability.md G1; docs/explanation/scale.md "The archive".
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from accounts.models import User
from games.matches.journal.entries import BrokenArchive, EntryRow, read_facts, unpack
from games.matches.models import ArchivedJournal, Match
from games.matches.queries.audit import sample_of

#: The number of archived journals that a look at the last minutes reads.
SAMPLE: Final = 5
CHUNK: Final = 500


def find_broken_archives(since: datetime | None) -> Iterator[str]:
    """Find archived journals that were changed: all of them, or some drawn at random (G1)."""
    if since is not None:
        yield from _problems(sample_of(ArchivedJournal.objects.all(), SAMPLE))
        return
    rows, last = ArchivedJournal.objects.order_by("pk"), 0
    while some := list(rows.filter(pk__gt=last)[:CHUNK]):
        yield from _problems(some)
        last = some[-1].pk


def _problems(rows: Sequence[ArchivedJournal]) -> Iterator[str]:
    entries = list[EntryRow]()
    ids = [row.match_id for row in rows]
    over = set(
        Match.objects.filter(pk__in=ids, is_archived=True)
        .exclude(status__in=Match.LIVE)
        .values_list("pk", flat=True)
    )
    for row in rows:
        if row.match_id not in over:
            yield f"G1: match {row.match_id} is archived and not over"
        try:
            journal = unpack(row)
        except BrokenArchive as problem:
            yield f"G1: {problem}"
            continue
        entries += journal
        if not _is_counted(journal):
            yield f"G1: the facts of match {row.match_id} do not follow on each other"
    named = {user for entry in entries for user in (entry.actor_id, entry.sitter_id) if user}
    there = {None, *User.objects.filter(pk__in=named).values_list("pk", flat=True)}
    for entry in entries:
        if not {entry.actor_id, entry.sitter_id} <= there:
            yield f"G1: entry {entry.no} of match {entry.match_id} belongs to nobody"


def _is_counted(journal: Sequence[EntryRow]) -> bool:
    """Whether the numbers of facts rise by the facts of each entry."""
    seq = public = 0
    for entry in journal:
        facts = read_facts(entry.facts)
        seq += len(facts)
        public += sum(fact.audience is None for fact in facts)
        if (entry.last_seq, entry.last_public) != (seq, public):
            return False
    return True
