"""Heartbeats of web processes: a live clock fires only while users could reach the site.
Source: docs/explanation/deadlines.md "Outages"; docs/explanation/durability.md DL4.
"""

import os
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.db.models import F
from django.utils import timezone

from economy.sql import Compiled
from games.engine.facts import instant
from games.matches.models import SelfCheck, WebProcess
from games.matches.processing.status import note_check
from games.matches.processing.submissions import Busy
from games.matches.queries.selectors import FRESH

#: The interval between two heartbeats of a web process.
BEAT = timedelta(seconds=2)
#: After this another thread writes it: clocks wait for one older than ``FRESH``.
LATE = timedelta(seconds=2.5)
#: What Linux says of a process that has been stopped, or is dead: it is not slow.
HALTED = frozenset("TtZX")
#: How long the rows of ended processes are kept.
KEPT = timedelta(days=7)
#: A heartbeat older than this is an outage; one of a process that runs on this machine may be late
#: for as long as ``SLOW``.
LOST = timedelta(seconds=6)
SLOW = timedelta(seconds=20)
#: Live clocks have at least this much left after an outage.
GRACE = timedelta(seconds=20)
#: Before a process closes sockets, live clocks that pass within this time get ``GRACE``.
SOON = timedelta(seconds=15)
#: Slow clocks are extended by the length of an outage of at least this.
LONG = timedelta(seconds=60)


class OutagePending(Exception):
    """A web process is gone; live clocks must get time back before one fires."""


class ClockSuspect(Busy):
    """A heartbeat is late: for a moment no clock may fire, nor what it would forbid."""


class Doubts(NamedTuple):
    """The reasons why live and slow clocks may not fire for a moment; None: they may."""

    live: ClockSuspect | None = None
    slow: ClockSuspect | None = None


@dataclass(slots=True)
class _Own:
    """This process's heartbeat row, None outside a web process."""

    process_id: int | None = None
    beat_at: float = 0.0  # by the monotonic clock
    turn: threading.Lock = field(default_factory=threading.Lock)  # two threads write it
    repaid: set[tuple[int, int]] = field(default_factory=set)


_own = _Own()
_CHECKED = "the clock is being checked, try again"


def open_process(now: datetime | None = None) -> WebProcess:
    now = now or timezone.now()
    WebProcess.objects.filter(closed_at__lt=now - KEPT).delete()
    for process in WebProcess.objects.filter(closed_at=None, name__startswith=_name("")):
        if not _is_running(process.name):
            _count_as_lost(process, now)
    last = WebProcess.objects.order_by("-beat_at").first()
    # Alone, it gives back the pause too, even one after a clean stop.
    if last is not None and not WebProcess.objects.filter(closed_at=None).exists():
        _count_as_lost(last, now)
    process = WebProcess.objects.create(name=_name(), started_at=now, beat_at=now)
    _own.process_id, _own.beat_at = process.pk, time.monotonic()
    return process


def beat(now: datetime | None = None) -> int:
    """Write this process's heartbeat and return its row's id."""
    with _own.turn:
        at = now or timezone.now()
        own = WebProcess.objects.filter(pk=_own.process_id or 0, closed_at=None)
        if not own.filter(beat_at__gt=at - LOST).update(beat_at=at):
            # After a pause longer than ``LOST``: the old row stays open as an outage.
            process = WebProcess.objects.create(name=_name(), started_at=at, beat_at=at)
            _own.process_id = process.pk
        _own.beat_at = time.monotonic()
    return _own.process_id or 0


def is_beat_late() -> bool:
    """Whether this web process's heartbeat is late, and no thread is about to write it."""
    is_late = time.monotonic() - _own.beat_at > LATE.total_seconds()
    return is_late and _own.process_id is not None and not _own.turn.locked()


def close_process(now: datetime | None = None) -> None:
    now = now or timezone.now()
    WebProcess.objects.filter(pk=_own.process_id or 0).update(closed_at=now, beat_at=now)
    _own.process_id = None


def is_alone(now: datetime | None = None) -> bool:
    """Whether no other web process is alive."""
    alive_since = (now or timezone.now()) - LOST
    others = WebProcess.objects.exclude(pk=_own.process_id or 0)
    return not others.filter(closed_at=None, beat_at__gt=alive_since).exists()


def lost_processes(now: datetime) -> list[WebProcess]:
    """Return the processes that stopped without closing their row, not repaid yet."""
    late = WebProcess.objects.filter(closed_at=None, beat_at__lte=now - LOST).order_by("pk")
    return [each for each in late if not _is_slow(each, now)]


def length_of(lost: Sequence[WebProcess], now: datetime) -> timedelta:
    return now - min(process.beat_at for process in lost)


def is_live_repaid(lost: Sequence[WebProcess]) -> bool:
    """Whether this process has given live clocks their time back after these losses."""
    return _own.repaid.issuperset((process.pk, process.outages) for process in lost)


def note_live_repaid(lost: Sequence[WebProcess]) -> None:
    _own.repaid = {(process.pk, process.outages) for process in lost}


def mark_repaid(lost: Sequence[WebProcess], now: datetime, matches: int) -> None:
    """Close the rows of lost processes whose outage was given back, once."""
    open_rows = WebProcess.objects.filter(pk__in=[process.pk for process in lost], closed_at=None)
    if open_rows.update(closed_at=now, lost=True, outages=F("outages") + 1):
        seconds = round(length_of(lost, now).total_seconds())
        note = f"{seconds} s to {matches} game{'' if matches == 1 else 's'}"
        note_check(SelfCheck.Kind.REPAY, note, now=now)


def resumption(now: datetime) -> dict[str, Any]:
    return {"kind": "resume", "due_at": instant(now + GRACE)}


_OPEN: Final = Compiled(lambda: WebProcess.objects.filter(closed_at=None))


def doubts(now: datetime, live_due_at: datetime | None) -> Doubts:
    """Return which passed clocks may not fire yet; raises OutagePending. ``live_due_at``: the
    latest live deadline that would fire, None: all are slow.
    """
    rows = _OPEN.objects(WebProcess)
    alive = [row for row in rows if row.beat_at > now - LOST or _is_slow(row, now)]
    lost = {(row.pk, row.outages) for row in rows if row not in alive}
    if not lost <= _own.repaid:
        raise OutagePending
    owed = ClockSuspect(_CHECKED) if lost else None
    if live_due_at is None:
        return Doubts(slow=owed)
    beats = [row.beat_at for row in alive]
    is_late = not beats or any(last < now - FRESH for last in beats)
    # Without sockets: with a later heartbeat somebody could have acted, and did not.
    if is_late or (_own.process_id is None and all(last < live_due_at for last in beats)):
        return Doubts(ClockSuspect(_CHECKED), owed)
    return Doubts(slow=owed)


def _count_as_lost(process: WebProcess, now: datetime) -> None:
    beat_at = min(process.beat_at, now - 2 * LOST)
    WebProcess.objects.filter(pk=process.pk).update(closed_at=None, beat_at=beat_at)


def _name(pid: object = None) -> str:
    return f"{socket.gethostname()}:{os.getpid() if pid is None else pid}"


def _is_slow(late: WebProcess, now: datetime) -> bool:
    """Whether a late process is only slow: under load it still serves its players."""
    return late.beat_at > now - SLOW and _is_running(late.name)


def _is_running(name: str) -> bool:
    if not name.startswith(_name("")):
        return False
    pid = int(name.removeprefix(_name("")))
    if pid == os.getpid():
        # In a container the next process often gets the id of the last.
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state not in HALTED
