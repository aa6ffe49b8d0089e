"""The web processes of the arena: whose sockets are connected."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import msgspec

from economy.sql import is_any
from games.arena.models import Player, Presence
from games.arena.statements import rows_of

#: The age from which a row of users is ignored, and from which it is deleted.
FRESH: Final = timedelta(seconds=6)
FORGOTTEN: Final = timedelta(minutes=10)


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
