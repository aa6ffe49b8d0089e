"""The audit's check of seats that were taken over: rows and journal must agree.

Source: docs/durability.md G14.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from games.engine.facts import instant
from games.engine.structs import canonical, kind_of
from games.engine.table.actions import TakeOver
from games.matches.models import Entry, Match, Replaced, Seat

#: The beginning of a takeover's text: it is canonical, with its keys sorted.
BEGINS: Final = canonical({"kind": kind_of(TakeOver)})[:-1] + ","


def find_wrong_holders(since: datetime | None) -> list[str]:
    """Return the seats whose holder or replaced users differ from the journal (G14)."""
    touched = Match.objects.all()
    if since is not None:
        touched = touched.filter(at_ms__gte=instant(since))
    taken = _taken_over(touched.values_list("pk", flat=True))
    rows = Replaced.objects.filter(match__in=touched)
    gone = {(row.match_id, row.no, row.entry_no): row.user_id for row in rows}
    wrong = {(pk, no) for pk, no, entry_no in gone if entry_no not in taken.get((pk, no), {})}
    now = dict(_holders(pk for pk, _ in taken))
    for (pk, no), comers in taken.items():
        numbers = sorted(comers)
        # The user who came with one entry was replaced by the next, or sits there.
        after = [gone.get((pk, no, number)) for number in numbers[1:]]
        if [comers[number] for number in numbers] != [*after, now.get((pk, no))]:
            wrong.add((pk, no))
        if (pk, no, numbers[0]) not in gone:
            wrong.add((pk, no))
    return [
        f"G14: seat {no} of match {pk} has another holder than its journal says"
        for pk, no in sorted(wrong)
    ]


def _taken_over(match_ids: Iterable[int]) -> dict[tuple[int, int], dict[int, int | None]]:
    """Return (match, seat) -> entry -> the user who came with it."""
    entries = Entry.objects.filter(match__in=match_ids, action__startswith=BEGINS)
    found: dict[tuple[int, int], dict[int, int | None]] = defaultdict(dict)
    for pk, entry_no, action, sitter in entries.values_list("match", "no", "action", "sitter"):
        found[pk, json.loads(action)["seat"]][entry_no] = sitter
    return found


def _holders(match_ids: Iterable[int]) -> list[tuple[tuple[int, int], int]]:
    seats = Seat.objects.filter(match__in=set(match_ids))
    return [((pk, no), user) for pk, no, user in seats.values_list("match", "no", "user")]
