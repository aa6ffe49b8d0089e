"""Who has a socket in any web process, and who has had none for too long.

Each process writes one row, however many are there.

Source: docs/arena.md "The leader".
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import msgspec

from games.arena.models import Player, Presence

#: A row that is older says nothing, one that is much older is deleted.
FRESH: Final = timedelta(seconds=6)
FORGOTTEN: Final = timedelta(minutes=10)


def keep(process: str, users: Iterable[int], at: datetime) -> None:
    """Write who has a socket in this process."""
    text = msgspec.json.encode(sorted(users)).decode()
    Presence.objects.update_or_create(process=process, defaults={"users": text, "beat_at": at})


def forget(process: str) -> None:
    """A process ends; its sockets are closed."""
    Presence.objects.filter(process=process).delete()


def users_here(at: datetime) -> set[int]:
    """Return the users with a socket in any process."""
    rows = Presence.objects.filter(beat_at__gt=at - FRESH).values_list("users", flat=True)
    return {user for text in rows for user in msgspec.json.decode(text, type=list[int])}


def is_elsewhere(process: str, at: datetime) -> bool:
    """Whether another process says that it has sockets of users."""
    others = Presence.objects.exclude(process=process).exclude(users="[]")
    return others.filter(beat_at__gt=at - FRESH).exists()


def let_go(at: datetime, limit: timedelta) -> None:
    """Note who has no socket, and move those to watching who have had none for too long."""
    here = users_here(at)
    people = Player.objects.filter(is_in=True, is_bot=False)
    known = dict(people.values_list("user", "gone_since"))
    gone = [user for user, since in known.items() if user not in here and since is None]
    back = [user for user, since in known.items() if user in here and since is not None]
    over = [user for user, since in known.items() if user not in here and since is not None]
    over = [user for user in over if at - known[user] >= limit]  # type: ignore[operator]
    if gone:
        people.filter(user__in=gone).update(gone_since=at)
    if back:
        people.filter(user__in=back).update(gone_since=None)
    if over:
        people.filter(user__in=over).update(
            is_in=False, watching=Player.Watching.GONE, gone_since=None, leaves=False
        )
    Presence.objects.filter(beat_at__lt=at - FORGOTTEN).delete()
