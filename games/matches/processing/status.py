"""Notes of what works: each part of the site says so itself, and a gap is a downtime.
Source: docs/how-to/run-a-site.md "The status page".
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.matches.models import Component, Downtime, SelfCheck

#: A longer time without a note of a part is a downtime.
LATE: Final = timedelta(seconds=60)
#: How long downtimes and checks are kept and shown.
KEPT: Final = timedelta(days=90)
#: Seconds between two notes of a process.
EVERY: Final = 15
#: Another process's note of this age is enough.
ENOUGH: Final = timedelta(seconds=10)


def note_working(names: Sequence[str], now: datetime | None = None) -> None:
    """Note that some parts of the site work, and store the downtime that ends with it."""
    now = now or timezone.now()
    fresh = Component.objects.filter(name__in=names, beat_at__gt=now - ENOUGH)
    stale = sorted({*names} - {*fresh.values_list("name", flat=True)})
    if not stale:
        return
    with transaction.atomic():
        found = Component.objects.select_for_update().filter(name__in=stale).order_by("name")
        for row in found:
            if row.beat_at < now - LATE:
                Downtime.objects.create(component=row.name, began_at=row.beat_at, ended_at=now)
                Downtime.objects.filter(ended_at__lt=now - KEPT).delete()
        Component.objects.filter(name__in=stale, beat_at__lt=now).update(beat_at=now)
        new = [Component(name=name, since_at=now, beat_at=now) for name in stale]
        Component.objects.bulk_create(new, ignore_conflicts=True)


def note_check(
    kind: SelfCheck.Kind, note: str, *, is_good: bool = True, now: datetime | None = None
) -> None:
    """Store what the site checked or repaired; forget what is older than is shown."""
    now = now or timezone.now()
    SelfCheck.objects.filter(at__lt=now - KEPT).delete()
    SelfCheck.objects.create(kind=kind, at=now, is_good=is_good, note=note[:200])
