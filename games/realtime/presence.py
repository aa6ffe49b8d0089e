"""Heartbeat and presence of this web process, written together every two seconds."""

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from django.db import transaction
from django.db.models import BigIntegerField
from django.utils import timezone

from economy.sql import BulkRows, Compiled, Given, fetch, is_any
from games.matches.models import Match, Online, Presence, Seat
from games.matches.processing import outage

#: A present sitter's seat is marked as seen when the mark is older than this.
SEEN = timedelta(seconds=10)

#: The columns of a row about a match.
_SAID: Final = ("seats", "there", "spectators")

# Every name in these statements is a constant; values are always passed as parameters.
# ruff: noqa: S608


#: Rows of users who were online before this are deleted.
FORGOTTEN = timedelta(hours=1)


class _Written:
    """The process and the presence that were written last here."""

    last: tuple[int, Mapping[int, Mapping[str, Any]]] = (0, MappingProxyType({}))


def keep_presence(here: Mapping[int, Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """Write this process's heartbeat, and for each match its present ``seats``, those with a
    visible page (``there``) and its spectators (``watching``); return the presence of other
    processes.
    """
    process_id = outage.beat()
    if _Written.last != (process_id, here):
        _write(process_id, here)
        _Written.last = process_id, dict(here)
    if not here:
        return {}
    _mark_seen(here)
    return _elsewhere(process_id, here)


def keep_online(user_ids: Iterable[int]) -> None:
    """Note that these users have a page open in this process."""
    now = timezone.now()
    Online.objects.bulk_create(
        [Online(user_id=pk, seen_at=now) for pk in user_ids],
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=["seen_at"],
    )
    Online.objects.filter(seen_at__lt=now - FORGOTTEN).delete()


def _write(process_id: int, here: Mapping[int, Mapping[str, Any]]) -> None:
    """Write this process's rows that differ, and delete those of matches without sockets."""
    known = {match_id: tuple(said) for match_id, *said in _KNOWN.rows(process=process_id)}
    wanted = {
        pk: (json.dumps(each["seats"]), json.dumps(each["there"]), each["watching"])
        for pk, each in here.items()
    }
    gone = known.keys() - wanted.keys()
    changed = [(process_id, pk, *said) for pk, said in wanted.items() if known.get(pk) != said]
    if not (gone or changed):
        return
    with transaction.atomic():
        if gone:
            Presence.objects.filter(process=process_id, match__in=gone).delete()
        _ROWS.upsert(changed)


_KNOWN: Final = Compiled(
    lambda: Presence.objects.filter(process=Given("process", BigIntegerField())).values_list(
        "match_id", *_SAID
    )
)
_ROWS: Final = BulkRows(Presence, ("process", "match", *_SAID), ("process", "match"))


def _mark_seen(here: Mapping[int, Mapping[str, Any]]) -> None:
    """Mark present players' seats as seen: every ten seconds before the start, then once a day, as
    absence does not free a seat any more.
    """
    now = timezone.now()
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    is_here, given = is_any("m.id", here, "bigint")
    status = Match.Status
    # Raw SQL: the ORM took 7.0 times the time (SQLite; 2.2 on PostgreSQL; 2026-11-27).
    stale = fetch(
        "SELECT s.id, s.match_id, s.no FROM games_match AS m"
        " JOIN games_seat AS s ON s.match_id = m.id"
        f" WHERE {is_here} AND (m.status = %s AND s.seen_at <= %s"
        " OR m.status = %s AND s.seen_at < %s)",
        [given, status.OPEN.value, now - SEEN, status.RUNNING.value, day],
    )
    if seen := [pk for pk, match_id, no in stale if no in here[match_id]["seats"]]:
        Seat.objects.filter(pk__in=seen).update(seen_at=now)


def _elsewhere(process_id: int, match_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    is_here, given = is_any("p.match_id", match_ids, "bigint")
    # Raw SQL: the ORM took 6.0 times the time (SQLite; 2.8 on PostgreSQL; 2026-11-27).
    rows = fetch(
        "SELECT p.match_id, p.seats, p.spectators FROM games_webprocess AS w"
        " JOIN games_presence AS p ON p.process_id = w.id"
        f" WHERE w.closed_at IS NULL AND w.id <> %s AND {is_here}",
        [process_id, given],
    )
    found: dict[int, dict[str, Any]] = {}
    for match_id, seats, spectators in rows:
        present = found.setdefault(match_id, {"seats": [], "watching": 0})
        present["seats"] = sorted({*present["seats"], *json.loads(seats)})
        present["watching"] += spectators
    return found
