"""The web processes of the arena: whose sockets are connected, and which one leads."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import msgspec

from economy.sql import is_any
from games.arena import SLUG
from games.arena.models import Lease, Player, Presence
from games.arena.statements import rows_of

#: The duration of a lease, and the remaining time below which it is renewed.
HELD: Final = timedelta(seconds=3)
RENEWED: Final = timedelta(seconds=2)
#: The age from which a row of users is ignored, and from which it is deleted.
FRESH: Final = timedelta(seconds=6)
FORGOTTEN: Final = timedelta(minutes=10)


def holds_lease(holder: str, at: datetime) -> bool:
    """Whether this process holds the lease."""
    return Lease.objects.filter(name=SLUG, holder=holder, until__gt=at).exists()


def may_take_lease(holder: str, at: datetime, patience: timedelta = timedelta()) -> bool:
    """Whether the lease is this process's, or has been free for ``patience``; reads only."""
    lease = Lease.objects.filter(name=SLUG).first()
    if lease is None or lease.until + patience <= at:
        return True
    return lease.holder == holder and lease.until > at


def take_lease(holder: str, at: datetime) -> timedelta | None:
    """Take or renew the lease; return how long it had no holder, None when another process holds
    it. The row stays locked, and the leader the same, until the end of the transaction.
    """
    Lease.objects.get_or_create(name=SLUG, defaults={"holder": "", "until": at})
    lease = Lease.objects.select_for_update().get(name=SLUG)
    if lease.holder != holder and lease.until > at:
        return None
    gap = max(at - lease.until, timedelta())
    if lease.holder != holder or lease.until - at < RENEWED:
        Lease.objects.filter(name=SLUG).update(holder=holder, until=at + HELD)
    return gap


def release_lease(holder: str, at: datetime) -> None:
    Lease.objects.filter(name=SLUG, holder=holder, until__gt=at).update(until=at)


def keep_users(process: str, users: Iterable[int], at: datetime) -> None:
    """Write the users with a socket in this process."""
    text = msgspec.json.encode(sorted(users)).decode()
    Presence.objects.update_or_create(process=process, defaults={"users": text, "beat_at": at})


def forget_users(process: str) -> None:
    Presence.objects.filter(process=process).delete()


def is_elsewhere(process: str, at: datetime) -> bool:
    """Whether another process has users with a socket, by its row."""
    others = Presence.objects.exclude(process=process).exclude(users="[]")
    return others.filter(beat_at__gt=at - FRESH).exists()


def let_go(at: datetime, limit: timedelta) -> None:
    """Mark players without a socket; move those to watching who had none for ``limit``. Delete rows
    of processes that are too old.
    """
    rows = Presence.objects.filter(beat_at__gt=at - FRESH).values_list("users", flat=True)
    here = {user for text in rows for user in msgspec.json.decode(text, type=list[int])}
    people = Player.objects.filter(is_in=True, is_bot=False)
    is_here, given = is_any("user_id", here, "bigint")
    is_new = "is_in AND NOT is_bot AND gone_since IS NULL"
    absent = f'FROM "arena_player" WHERE {is_new} AND NOT ({is_here})'
    gone = [user for (user,) in rows_of(["user_id"], absent, [given])]
    missed = people.filter(gone_since__isnull=False).values_list("user", "gone_since")
    back = [user for user, _ in missed if user in here]
    over = [user for user, since in missed if since and user not in here and at - since >= limit]
    if gone:
        people.filter(user__in=gone).update(gone_since=at)
    if back:
        people.filter(user__in=back).update(gone_since=None)
    if over:
        people.filter(user__in=over).update(
            is_in=False, watching=Player.Watching.GONE, gone_since=None, leaves=False
        )
    Presence.objects.filter(beat_at__lt=at - FORGOTTEN).delete()
