"""Archiving: the journal of a match that ended long ago becomes one row; the ledger audit checks
these.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from economy.paging import portions_of
from economy.selectors import setting
from games.matches.journal.entries import BrokenArchive, EntryRow, pack, read_facts, unpack
from games.matches.journal.loading import standing
from games.matches.journal.reading import all_entries, read_archived
from games.matches.models import ArchivedJournal, Entry, Match
from games.matches.processing.store import write_checkpoints
from games.matches.queries.audit import sample_of

log = logging.getLogger(__name__)

#: The most matches, and about the most entries, that one task archives.
MATCHES: Final = 200
ENTRIES: Final = 20_000
#: The number of archived journals that a look at the last minutes reads.
SAMPLE: Final = 5
CHUNK: Final = 500


class NotArchived(Exception):
    """A journal could not be archived and is as it was; the message says why."""


def due(now: datetime | None = None) -> QuerySet[Match]:
    """Return the matches to archive, those that ended first at the front."""
    ended_by = (now or timezone.now()) - timedelta(days=setting("archive.days"))
    return Match.objects.filter(ended_at__lt=ended_by, is_archived=False).order_by("ended_at")


def archive_due(now: datetime | None = None) -> int:
    """Archive some of the due matches; return their number."""
    matches = entries = 0
    for count in archive_each(due(now)):
        matches, entries = matches + 1, entries + count
        if matches >= MATCHES or entries >= ENTRIES:
            break
    return matches


def archive_each(matches: QuerySet[Match]) -> Iterator[int]:
    """Archive matches, each in a transaction; yield the numbers of their entries. A broken journal
    is left out, with a critical line in the log.
    """
    left_out = list[int]()
    ids = matches.values_list("pk", flat=True)
    while some := list(ids.exclude(pk__in=left_out)[:MATCHES]):
        for match_id in some:
            try:
                yield archive(match_id)
            except (NotArchived, BrokenArchive) as problem:
                log.critical("archive: %s", problem)
                left_out.append(match_id)


def archive(match_id: int) -> int:
    """Archive the journal of a match that is over, in one transaction; return how many entries, 0
    where it is archived already. Raises NotArchived.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
        if match.is_live:
            raise NotArchived(f"match {match_id} is not over")
        if match.is_archived:
            return 0
        if match.state_no < match.action_count:
            # A page of the match then needs no entry.
            write_checkpoints(standing([match_id]).values())
        entries = list(all_entries(match_id, match.action_count))
        if [entry.no for entry in entries] != list(range(1, match.action_count + 1)):
            raise NotArchived(f"the journal of match {match_id} is not complete")
        pack(match_id, entries).save(force_insert=True)
        if read_archived([match_id])[match_id] != entries:
            raise NotArchived(f"the archived journal of match {match_id} is not what was stored")
        deleted, _ = Entry.objects.filter(match=match_id, no__lte=len(entries)).delete()
        if deleted != len(entries):
            raise NotArchived(f"{deleted} of {len(entries)} entries of match {match_id} went")
        Match.objects.filter(pk=match_id).update(is_archived=True)
        return deleted


def find_broken_archives(since: datetime | None) -> Iterator[str]:
    """Find archived journals that were changed: all of them, or some drawn at random (G1)."""
    if since is not None:
        yield from _problems(sample_of(ArchivedJournal.objects.all(), SAMPLE))
        return
    for some in portions_of(ArchivedJournal.objects.all(), CHUNK):
        yield from _problems(some)


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
    seq = public = 0
    for entry in journal:
        facts = read_facts(entry.facts)
        seq += len(facts)
        public += sum(fact.audience is None for fact in facts)
        if (entry.last_seq, entry.last_public) != (seq, public):
            return False
    return True
