"""The lease of the arena's leader: a row that one process holds for some seconds at a time.
Source: docs/explanation/arena.md "The leader".
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from games.arena import SLUG
from games.arena.models import Lease

#: The duration of a lease, and the remaining time below which it is renewed.
HELD: Final = timedelta(seconds=3)
RENEWED: Final = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class TakenLease:
    """A lease that was taken or renewed; ``gap``: the time without a holder before that."""

    gap: timedelta


def is_held_by(holder: str, at: datetime) -> bool:
    """Whether this process holds the lease.  Reads only."""
    return Lease.objects.filter(name=SLUG, holder=holder, until__gt=at).exists()


def may_take(holder: str, at: datetime, patience: timedelta = timedelta()) -> bool:
    """Whether the lease is this process's, or has been free for ``patience``.  Reads only."""
    lease = Lease.objects.filter(name=SLUG).first()
    if lease is None or lease.until + patience <= at:
        return True
    return lease.holder == holder and lease.until > at


def take(holder: str, at: datetime) -> TakenLease | None:
    """Take or renew the lease; return None when another process holds it. Call it in a transaction:
    the row stays locked, and the leader the same, until its end.
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
    """End this process's lease, so that another process can lead at once."""
    Lease.objects.filter(name=SLUG, holder=holder, until__gt=at).update(until=at)
