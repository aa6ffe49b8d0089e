"""Who leads the arena: a row that one process holds for some seconds at a time.

Source: docs/arena.md "The leader".
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from games.arena import SLUG
from games.arena.models import Lease

#: A lease is held so long, and renewed when so much of it is left.
HELD: Final = timedelta(seconds=3)
RENEWED: Final = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class TakenLease:
    """A lease that was taken or renewed; ``gap``: for how long nobody had held it before."""

    gap: timedelta


def is_held_by(holder: str, at: datetime) -> bool:
    """Whether this process leads.  Reads only."""
    return Lease.objects.filter(name=SLUG, holder=holder, until__gt=at).exists()


def may_take(holder: str, at: datetime, patience: timedelta = timedelta()) -> bool:
    """Whether it is worth trying: nobody else holds it, or did so lately.  Reads only."""
    lease = Lease.objects.filter(name=SLUG).first()
    if lease is None or lease.until + patience <= at:
        return True
    return lease.holder == holder and lease.until > at


def take(holder: str, at: datetime) -> TakenLease | None:
    """Take or renew the lease; None when another process holds it.

    Inside a transaction, to whose end the row stays locked: who leads is settled until then.
    """
    Lease.objects.get_or_create(name=SLUG, defaults={"holder": "", "until": at})
    lease = Lease.objects.select_for_update().get(name=SLUG)
    if lease.holder != holder and lease.until > at:
        return None
    gap = max(at - lease.until, timedelta())
    if lease.holder != holder or lease.until - at < RENEWED:
        Lease.objects.filter(name=SLUG).update(holder=holder, until=at + HELD)
    return TakenLease(gap)


def release(holder: str, at: datetime) -> None:
    """Let another process lead at once."""
    Lease.objects.filter(name=SLUG, holder=holder, until__gt=at).update(until=at)
