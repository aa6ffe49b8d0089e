"""Heartbeat and presence of this web process, written together every two seconds."""

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from economy.sql import BulkRows, is_any
from games.matches.models import Match, Online, Presence
from games.matches.processing import outage

#: A present sitter's seat is marked as seen when the mark is older than this.
SEEN = timedelta(seconds=10)

_NEW: Final = BulkRows(Presence, ("process", "match", "seats", "there", "spectators"))
_CHANGED: Final = BulkRows(Presence, ("seats", "there", "spectators", "id"))

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
    """Delete, insert and update this process's rows where they differ."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT match_id, id, seats, there, spectators FROM games_presence"
            " WHERE process_id = %s",
            [process_id],
        )
        rows = {match_id: (pk, *said) for match_id, pk, *said in cursor.fetchall()}
    wanted = {
        pk: (json.dumps(each["seats"]), json.dumps(each["there"]), each["watching"])
        for pk, each in here.items()
    }
    gone = [row[0] for match_id, row in rows.items() if match_id not in wanted]
    new = [(process_id, pk, *said) for pk, said in wanted.items() if pk not in rows]
    changed = [
        (*said, rows[pk][0]) for pk, said in wanted.items() if pk in rows and rows[pk][1:] != said
    ]
    if not (gone or new or changed):
        return
    with transaction.atomic():
        if gone:
            is_gone, keys = is_any("id", gone, "bigint")
            with connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM games_presence WHERE {is_gone}", [keys])
        _NEW.insert(new)
        _CHANGED.update(changed)


def _mark_seen(here: Mapping[int, Mapping[str, Any]]) -> None:
    """Mark present players' seats as seen: every ten seconds before the start, then once a day, as
    absence does not free a seat any more.
    """
    now = timezone.now()
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    is_here, given = is_any("m.id", here, "bigint")
    stored, status = connection.ops.adapt_datetimefield_value, Match.Status
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT s.id, s.match_id, s.no FROM games_match AS m"
            " JOIN games_seat AS s ON s.match_id = m.id"
            f" WHERE {is_here} AND (m.status = %s AND s.seen_at <= %s"
            " OR m.status = %s AND s.seen_at < %s)",
            [given, str(status.OPEN), stored(now - SEEN), str(status.RUNNING), stored(day)],
        )
        stale = cursor.fetchall()
        seen = [pk for pk, match_id, no in stale if no in here[match_id]["seats"]]
        if seen:
            is_seen, given = is_any("id", seen, "bigint")
            cursor.execute(
                f"UPDATE games_seat SET seen_at = %s WHERE {is_seen}", [stored(now), given]
            )


def _elsewhere(process_id: int, match_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    is_here, given = is_any("p.match_id", match_ids, "bigint")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.match_id, p.seats, p.spectators FROM games_webprocess AS w"
            " JOIN games_presence AS p ON p.process_id = w.id"
            f" WHERE w.closed_at IS NULL AND w.id <> %s AND {is_here}",
            [process_id, given],
        )
        rows = cursor.fetchall()
    found: dict[int, dict[str, Any]] = {}
    for match_id, seats, spectators in rows:
        present = found.setdefault(match_id, {"seats": [], "watching": 0})
        present["seats"] = sorted({*present["seats"], *json.loads(seats)})
        present["watching"] += spectators
    return found
