"""Heartbeat and presence of this web process, written together every two seconds.

Source: docs/deadlines.md "Outages"; docs/decisions/ "Open tables end".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.models import Match, Presence, Seat
from games.play import outage

#: A present sitter's seat is marked as seen when the mark is older than this.
SEEN = timedelta(seconds=10)


class _Written:
    """What this process wrote last; most of the time nobody has come or gone since."""

    process_id = 0
    here: Mapping[int, Mapping[str, Any]] = MappingProxyType({})

    def differs(self, process_id: int, here: Mapping[int, Mapping[str, Any]]) -> bool:
        """Whether something else is to be written now."""
        return (self.process_id, self.here) != (process_id, here)


_written = _Written()


def keep_presence(here: Mapping[int, Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """Write this process's heartbeat and presence; return what other processes wrote.

    Args:
        here: for each match, the seats with a socket (``seats``) and how many look on.
    """
    process_id = outage.beat()
    if _written.differs(process_id, here):
        _write(process_id, here)
        _written.process_id, _written.here = process_id, dict(here)
    _mark_seen(here)
    return _elsewhere(process_id, list(here))


def _write(process_id: int, here: Mapping[int, Mapping[str, Any]]) -> None:
    rows = {row.match_id: row for row in Presence.objects.filter(process_id=process_id)}
    gone = [row.pk for match_id, row in rows.items() if match_id not in here]
    new, changed = [], []
    for match_id, present in here.items():
        seats = json.dumps(present["seats"])
        row = rows.get(match_id)
        if row is None:
            row = Presence(process_id=process_id, match_id=match_id)
            new.append(row)
        elif (row.seats, row.spectators) != (seats, present["watching"]):
            changed.append(row)
        row.seats, row.spectators = seats, present["watching"]
    if not (gone or new or changed):
        return
    with transaction.atomic():
        Presence.objects.filter(pk__in=gone).delete()
        Presence.objects.bulk_create(new)
        Presence.objects.bulk_update(changed, ["seats", "spectators"])


def _mark_seen(here: Mapping[int, Mapping[str, Any]]) -> None:
    now = timezone.now()
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    # Once a day is enough where a seat is not freed by its absence.
    stale = Seat.objects.filter(
        Q(match__status=Match.Status.OPEN, seen_at__lte=now - SEEN)
        | Q(match__status=Match.Status.RUNNING, seen_at__lt=day),
        match__in=list(here),
    ).values_list("pk", "match_id", "no")
    wanted = [pk for pk, match_id, no in stale if no in here[match_id]["seats"]]
    if wanted:
        Seat.objects.filter(pk__in=wanted).update(seen_at=now)


def _elsewhere(process_id: int, match_ids: list[int]) -> dict[int, dict[str, Any]]:
    rows = Presence.objects.filter(match_id__in=match_ids, process__closed_at=None)
    found: dict[int, dict[str, Any]] = {}
    for row in rows.exclude(process_id=process_id):
        present = found.setdefault(row.match_id, {"seats": [], "watching": 0})
        present["seats"] = sorted({*present["seats"], *json.loads(row.seats)})
        present["watching"] += row.spectators
    return found
