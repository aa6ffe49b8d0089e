"""Heartbeats of web processes, and the clock rules that follow from them.

A live clock may fire only while web processes are alive: a user who could not reach the site
must not lose by it.  A process that stops without closing its row is an outage; ``repair`` gives
the time back before anything fires.

Source: docs/explanation/deadlines.md "Outages"; docs/explanation/durability.md DL4.
"""

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import F
from django.utils import timezone

from games.engine.facts import instant
from games.matches.models import SelfCheck, WebProcess
from games.matches.processing.components import note_check
from games.matches.processing.submissions import Busy
from games.matches.queries.selectors import FRESH

#: The interval between two heartbeats of a web process.
BEAT = timedelta(seconds=2)
#: How long the rows of ended processes are kept.
KEPT = timedelta(days=7)
#: A heartbeat older than this is an outage.
LOST = timedelta(seconds=6)
#: Live clocks have at least this much left after an outage.
GRACE = timedelta(seconds=20)
#: Before a process closes sockets, live clocks that pass within this time get ``GRACE``.
SOON = timedelta(seconds=15)
#: Slow clocks are extended by the length of an outage of at least this.
LONG = timedelta(seconds=60)


class OutagePending(Exception):
    """A deadline has passed while a web process was gone; live clocks must get time back first."""


class ClockSuspect(Busy):
    """A heartbeat is late: for a moment no clock may fire, nor any action that it would forbid."""


class Doubts(NamedTuple):
    """The reasons why live clocks, and slow ones, may not fire for a moment; None: they may."""

    live: ClockSuspect | None = None
    slow: ClockSuspect | None = None


@dataclass(slots=True)
class _Own:
    """The id of this process's heartbeat row, None outside a web process.

    ``repaid``: the losses, as ids of rows and their earlier outages, after which this process has
    given live clocks their time back.  Slow clocks may still be owed theirs.
    """

    process_id: int | None = None
    repaid: set[tuple[int, int]] = field(default_factory=set)


_own = _Own()
#: Why a clock is doubted.
_CHECKED = "the clock is being checked, try again"


def open_process(now: datetime | None = None) -> WebProcess:
    """Write this web process's first heartbeat and return its row.

    When no other web process was alive, the time since the last heartbeat is an outage too, even
    after a clean stop: the old row is opened again so that it is found as lost.
    """
    now = now or timezone.now()
    name = f"{socket.gethostname()}:{os.getpid()}"
    WebProcess.objects.filter(closed_at__lt=now - KEPT).delete()
    _find_dead_neighbours(now)
    last = WebProcess.objects.order_by("-beat_at").first()
    if last is not None and not WebProcess.objects.filter(closed_at=None).exists():
        _count_as_lost(last, now)
    process = WebProcess.objects.create(name=name, started_at=now, beat_at=now)
    _own.process_id = process.pk
    return process


def beat(now: datetime | None = None) -> int:
    """Write this process's heartbeat and return its row's id.

    After a pause longer than ``LOST`` a process cannot continue its row: the old row stays open as
    an outage, and a new one begins.
    """
    now = now or timezone.now()
    stored = connection.ops.adapt_datetimefield_value
    with connection.cursor() as cursor:
        # Plain SQL for speed: it runs every second or two beside the batch writer.
        cursor.execute(
            "UPDATE games_webprocess SET beat_at = %s"
            " WHERE id = %s AND closed_at IS NULL AND beat_at > %s",
            [stored(now), _own.process_id or 0, stored(now - LOST)],
        )
        is_beating = cursor.rowcount == 1
    if not is_beating:
        name = f"{socket.gethostname()}:{os.getpid()}"
        process = WebProcess.objects.create(name=name, started_at=now, beat_at=now)
        _own.process_id = process.pk
    return _own.process_id or 0


def close_process(now: datetime | None = None) -> None:
    """Close this process's heartbeat row after a clean stop."""
    now = now or timezone.now()
    WebProcess.objects.filter(pk=_own.process_id or 0).update(closed_at=now, beat_at=now)
    _own.process_id = None


def is_alone(now: datetime | None = None) -> bool:
    """Whether no other web process is alive, to which clients could go."""
    alive_since = (now or timezone.now()) - LOST
    others = WebProcess.objects.exclude(pk=_own.process_id or 0)
    return not others.filter(closed_at=None, beat_at__gt=alive_since).exists()


def own_process_id() -> int | None:
    """Return the id of this process's heartbeat row, None outside a web process."""
    return _own.process_id


def lost_processes(now: datetime) -> list[WebProcess]:
    """Return the processes that stopped without closing their row and are not repaid yet."""
    return list(WebProcess.objects.filter(closed_at=None, beat_at__lte=now - LOST).order_by("pk"))


def length_of(lost: Sequence[WebProcess], now: datetime) -> timedelta:
    """Return the length of the outage: since the earliest last heartbeat of the lost processes."""
    return now - min(process.beat_at for process in lost)


def is_live_repaid(lost: Sequence[WebProcess]) -> bool:
    """Whether this process has given live clocks their time back after these losses."""
    return _own.repaid.issuperset((process.pk, process.outages) for process in lost)


def note_live_repaid(lost: Sequence[WebProcess]) -> None:
    """Remember that live clocks have their time back after these losses."""
    _own.repaid = {(process.pk, process.outages) for process in lost}


def mark_repaid(lost: Sequence[WebProcess], now: datetime, matches: int) -> None:
    """Close the rows of lost processes whose outage was given back to some matches, once."""
    open_rows = WebProcess.objects.filter(pk__in=[process.pk for process in lost], closed_at=None)
    if open_rows.update(closed_at=now, lost=True, outages=F("outages") + 1):
        seconds = round(length_of(lost, now).total_seconds())
        note = f"{seconds} s to {matches} game{'' if matches == 1 else 's'}"
        note_check(SelfCheck.Kind.REPAY, note, now=now)


def resumption(now: datetime) -> dict[str, Any]:
    """Return the house's action that resumes a stalled clock."""
    return {"kind": "resume", "due_at": instant(now + GRACE)}


def doubts(now: datetime, live_due_at: datetime | None) -> Doubts:
    """Return which passed clocks may not fire yet.

    Live ones need live web processes, slow ones that no outage is owed to them: nobody has to be
    present when they fire.  A process without sockets (the worker) waits for a heartbeat later
    than the deadline: then somebody could have acted, and did not.

    Args:
        live_due_at: the latest of the live deadlines that would fire; None where all are slow.

    Raises:
        OutagePending: a web process stopped without closing its row; repair first.
    """
    rows = WebProcess.objects.filter(closed_at=None).values_list("pk", "outages", "beat_at")
    lost = {(pk, outages) for pk, outages, beat_at in rows if beat_at <= now - LOST}
    if not lost <= _own.repaid:
        raise OutagePending
    owed = ClockSuspect(_CHECKED) if lost else None
    if live_due_at is None:
        return Doubts(slow=owed)
    beats = [beat_at for _, _, beat_at in rows if beat_at > now - LOST]
    if not beats or any(last < now - FRESH for last in beats):
        return Doubts(ClockSuspect(_CHECKED), owed)
    if _own.process_id is None and not any(last >= live_due_at for last in beats):
        return Doubts(ClockSuspect(_CHECKED), owed)
    return Doubts(slow=owed)


def _find_dead_neighbours(now: datetime) -> None:
    """Mark dead processes of this machine as lost at once, not after six seconds."""
    here = f"{socket.gethostname()}:"
    for process in WebProcess.objects.filter(closed_at=None, name__startswith=here):
        if not _is_running(int(process.name.removeprefix(here))):
            _count_as_lost(process, now)


def _count_as_lost(process: WebProcess, now: datetime) -> None:
    """Mark a process as lost at once, with an outage since its last heartbeat."""
    beat_at = min(process.beat_at, now - 2 * LOST)
    WebProcess.objects.filter(pk=process.pk).update(closed_at=None, beat_at=beat_at)


def _is_running(pid: int) -> bool:
    """Whether another process of this machine with this id is running."""
    if pid == os.getpid():
        # In a container the next process often gets the id of the last.
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
