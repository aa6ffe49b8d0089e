"""The public page about the site's state: facts about parts and numbers, no user, match, address or
machine. Beat writes a copy of it, which nginx serves while no web process answers.
"""

import logging
import math
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError
from django.template.loader import render_to_string
from django.utils import timezone

from economy.overview import Audit, last_audit
from games.matches.models import Component, Downtime, SelfCheck
from games.matches.processing.status import KEPT, LATE
from rpsite.disk import disk_state

#: The same on the page for what is noted as soon as it answers, every 15 s.
SOON_LATE: Final = {"redis": timedelta(seconds=35)}
#: Component -> its name on the page and what it does.
PARTS: Final = {
    "web": ("Website", "pages, tables and the arena"),
    "database": ("Database", "every action, point and message"),
    "worker": ("Worker", "audits, payments and backups"),
    "beat": ("Scheduler", "starts what is done regularly"),
    "redis": ("Live updates", "between the processes of the site"),
    "mail": ("Mail", "confirmations and reminders"),
}
#: Kind of check -> its title on the page, and the word for a good one.
CHECKS: Final = {
    SelfCheck.Kind.RESTORE: ("Backup restored", "Restored and audited"),
    SelfCheck.Kind.REPLAY: ("Old games replayed", "All the same"),
    SelfCheck.Kind.REPAY: ("Time given back", "Given back"),
}
#: Seconds for which the page is cached.
FRESH_FOR: Final = 15
_FRESH: Final = timedelta(seconds=FRESH_FOR)
_NONE: Final = timedelta()
#: The least share of a day for which it counts as good, and as fair.
GOOD, FAIR = 0.999, 0.98
#: Downtimes on the page.
SHOWN: Final = 10
_DAY: Final = timedelta(days=1)
#: Another one than that of 1.1, whose processes read their own form of it.
_KEY: Final = "status-2"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Bar:
    """One day of a part: the share in which it worked, None where nothing is known."""

    day: date
    share: float | None

    @property
    def percent(self) -> str:
        return _percent(self.share)

    @property
    def tone(self) -> str:
        if self.share is None:
            return "none"
        return "good" if self.share >= GOOD else "fair" if self.share >= FAIR else "bad"


@dataclass(frozen=True, slots=True)
class SitePart:
    """A part of the site: whether it works, and its last 90 days."""

    title: str
    about: str
    works: bool | None
    share: float | None
    bars: list[Bar]

    @property
    def percent(self) -> str:
        return _percent(self.share)


@dataclass(frozen=True, slots=True)
class Check:
    """The last check of a kind; ``good`` and ``runs`` count those of 90 days, ``word`` is a good
    result.
    """

    title: str
    word: str
    last: SelfCheck | None
    runs: int
    good: int


@dataclass(frozen=True, slots=True)
class Past:
    """A downtime of a part."""

    title: str
    began_at: datetime
    ended_at: datetime

    @property
    def lasted(self) -> str:
        return _lasted(self.ended_at - self.began_at)


@dataclass(frozen=True, slots=True)
class Status:
    """Everything on the page; ``disk`` is "low" or "full" where room is short."""

    at: datetime
    parts: list[SitePart]
    audit: Audit | None
    checks: list[Check]
    past: list[Past]
    disk: str = ""
    days: int = KEPT.days
    #: How old it is in words where the database does not answer, otherwise "".
    old: str = ""

    @property
    def away(self) -> list[str]:
        return [part.title for part in self.parts if part.works is False]


class _Last:
    """The last state that this process knows, for when the database is away."""

    known: Status | None = None


def status() -> Status:
    """Return the state of the site, up to 15 seconds old; without the database, what this process
    knew last.
    """
    now = timezone.now()
    try:
        found = cache.get(_KEY)
        # Where the clock was set back, a copy is from the future.
        if not isinstance(found, Status) or not timedelta() <= now - found.at <= _FRESH:
            found = status_at(now)
            # A full disk keeps nothing.
            with suppress(DatabaseError):
                cache.set(_KEY, found, FRESH_FOR)
    except DatabaseError:
        return _without_database(now)
    _Last.known = found
    return found


def _without_database(now: datetime) -> Status:
    last = _Last.known or Status(at=now, parts=[], audit=None, checks=[], past=[])
    known = {part.title: part for part in last.parts}
    parts = []
    for name, (title, about) in PARTS.items():
        part = known.get(title) or SitePart(title, about, None, None, [])
        parts.append(replace(part, works=False if name == "database" else None))
    return replace(last, parts=parts, disk=disk_state(), old=_lasted(max(now - last.at, _NONE)))


def _lasted(time: timedelta) -> str:
    minutes, seconds = divmod(round(time.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def last_check(kind: SelfCheck.Kind) -> SelfCheck | None:
    """Return the last check of a kind."""
    return SelfCheck.objects.filter(kind=kind).order_by("-at").first()


def status_at(now: datetime) -> Status:
    """Return the state of the site at an instant."""
    rows = {row.name: row for row in Component.objects.all()}
    gaps = defaultdict[str, list[tuple[datetime, datetime]]](list)
    past = list(Downtime.objects.filter(ended_at__gt=now - KEPT).order_by("-began_at"))
    for downtime in past:
        gaps[downtime.component].append((downtime.began_at, downtime.ended_at))
    for name, row in rows.items():
        if row.beat_at < now - LATE:
            gaps[name].append((row.beat_at, now))
    known = [downtime for downtime in past if downtime.component in PARTS]
    return Status(
        at=now,
        parts=[_part(name, rows.get(name), gaps[name], now) for name in PARTS],
        audit=last_audit(),
        checks=[_check(kind, now) for kind in CHECKS],
        disk=disk_state(),
        past=[Past(PARTS[d.component][0], d.began_at, d.ended_at) for d in known[:SHOWN]],
    )


def _part(
    name: str, row: Component | None, gaps: Iterable[tuple[datetime, datetime]], now: datetime
) -> SitePart:
    title, about = PARTS[name]
    since = max(row.since_at, now - KEPT) if row else now
    bars = [_bar(now, number, since, gaps) for number in reversed(range(KEPT.days))]
    works = now - row.beat_at <= SOON_LATE.get(name, LATE) if row else None
    return SitePart(title, about, works, _share(since, now, gaps), bars)


def _bar(
    now: datetime, ago: int, since: datetime, gaps: Iterable[tuple[datetime, datetime]]
) -> Bar:
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) - ago * _DAY
    share = _share(max(midnight, since), min(midnight + _DAY, now), gaps)
    return Bar(midnight.date(), share)


def _share(
    begin: datetime, end: datetime, gaps: Iterable[tuple[datetime, datetime]]
) -> float | None:
    """Return the share of a time that no gap covers; gaps of a part do not overlap."""
    if end <= begin:
        return None
    inside = (min(until, end) - max(since, begin) for since, until in gaps)
    lost = sum((max(each, timedelta()) for each in inside), timedelta())
    return 1 - lost / (end - begin)


def _check(kind: SelfCheck.Kind, now: datetime) -> Check:
    rows = SelfCheck.objects.filter(kind=kind, at__gt=now - KEPT)
    return Check(*CHECKS[kind], last_check(kind), rows.count(), rows.filter(is_good=True).count())


def _percent(share: float | None) -> str:
    """Return a share rounded down: only a day without a downtime has 100 %."""
    return "" if share is None else f"{math.floor(share * 10_000) / 100:g} %"


def copy_path() -> Path:
    """Return the file of the copy, in ``SITE_VAR``."""
    return Path(settings.VAR) / "status.html"


def write_copy() -> None:
    """Write the copy again; on a full disk the former one stays."""
    path = copy_path()
    draft = path.with_suffix(".new")
    try:
        draft.write_text(
            render_to_string("pages/status.html", {"status": status(), "is_copy": True}), "utf-8"
        )
        draft.replace(path)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        log.warning("the copy of the status page could not be written: %s", type(problem).__name__)
