"""Matches as they stand: from this process's memory, or else from their rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Q

from games import catalog
from games.journal.memory import Remembered, memory
from games.journal.rows import Mark, reread
from games.kernel.table import Table
from games.models import Match, Seat


def awake() -> Q:
    """Return what holds of the matches whose game is played here; the others sleep."""
    return Q(game__in=catalog.slugs())


def table_of(match: Match) -> Table:
    """Return the rules by which a match is played, with those of its table.

    Raises:
        KeyError: its game, or that version of it, is not played here.
    """
    return Table(catalog.rules_of(match.game, match.rules_version))


def recall(marks: Sequence[Mark]) -> list[Remembered]:
    """Return these locked matches in their order: three queries at most."""
    kept = memory.take(marks)
    found = {mark.match_id: kept[mark.match_id] for mark in marks if _holds(kept, mark)}
    found |= load([mark.match_id for mark in marks if mark.match_id not in found], kept)
    return [found[mark.match_id] for mark in marks]


def load(match_ids: Collection[int], older: Mapping[int, Remembered]) -> dict[int, Remembered]:
    """Read matches from their rows: three queries at most.

    Args:
        older: earlier states of running matches; at one that still runs the same people sit.
    """
    if not match_ids:
        return {}
    known = [older[pk].match for pk in match_ids if pk in older]
    matches = reread(known) if known else []
    if unknown := set(match_ids) - {match.pk for match in matches}:
        # With the names of a challenge, which few matches have.
        matches += Match.objects.filter(pk__in=unknown).select_related("opened_by", "invited")
    seats: dict[int, Iterable[Seat]] = {
        match.pk: older[match.pk].seats.values() for match in matches if _sits(match, older)
    }
    seats |= _read_seats([match.pk for match in matches if match.pk not in seats])
    return {match.pk: read(match, seats[match.pk]) for match in matches}


def read(match: Match, seats: Iterable[Seat]) -> Remembered:
    """Read a match's row."""
    state = table_of(match).decode(match.table, match.state)
    return Remembered(match, state, {seat.no: seat for seat in seats})


def _holds(kept: Mapping[int, Remembered], mark: Mark) -> bool:
    return mark.match_id in kept and kept[mark.match_id].mark == mark


def _sits(match: Match, older: Mapping[int, Remembered]) -> bool:
    """Whether it is known who sits here."""
    known = older.get(match.pk)
    is_same = known is not None and known.match.public_id == match.public_id
    return is_same and match.status == Match.Status.RUNNING


def _read_seats(match_ids: Collection[int]) -> dict[int, Iterable[Seat]]:
    found: dict[int, list[Seat]] = defaultdict(list)
    if match_ids:
        for seat in Seat.objects.filter(match__in=match_ids).select_related("user").order_by("no"):
            found[seat.match_id].append(seat)
    return {match_id: found[match_id] for match_id in match_ids}
