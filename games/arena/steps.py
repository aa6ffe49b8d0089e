"""What the leader does when it looks: end the selection that is over, begin the next one.

Each transition is one transaction that holds the lease and the round: none happens twice, however
many processes look at once.

Source: docs/arena.md "The leader"; docs/durability.md DL1.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from economy.selectors import settings_starting
from games.arena import lease, presence, resolving, rounds
from games.arena.models import Round
from games.arena.statements import moment

#: So often a process looks whether it is needed.
PAUSE: Final = timedelta(seconds=1)
#: While players' sockets are in another process, one without any leads only when nobody has led for
#: so long.  With ``lease.HELD`` and ``PAUSE`` it makes less than the 5 s of a leader's death.
GIVES_WAY: Final = timedelta(milliseconds=750)
#: When nobody has led for longer than this, the round that was under way is dropped.
OUTAGE: Final = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found: the round that is chosen for (0: none), and when to look again.

    ``has_moved``: this process has brought about a transition; ``has_left``: it leads no longer.
    """

    round_no: int
    pause: timedelta
    is_leading: bool = False
    has_moved: bool = False
    has_left: bool = False


def look(holder: str, at: datetime | None = None, *, has_sockets: bool = True) -> Look:
    """Do what is due in the arena, if this process leads or nobody does.

    The arena is led where its sockets are: a proxy that sends them all to one process keeps its
    work from those who play at tables in others.

    Args:
        holder: the name of the process.
        at: the database's time, unless it is given.
        has_sockets: players of the arena are connected to this process.
    """
    at = at or moment()
    current = rounds.newest_round()
    if not _is_running(current) and not rounds.is_anybody_in():
        return Look(0, PAUSE)
    gives_way = not has_sockets and presence.is_elsewhere(holder, at)
    if gives_way and lease.is_held_by(holder, at):
        lease.release(holder, at)
        return Look(_no_of(current), PAUSE, has_left=True)
    if not lease.may_take(holder, at, GIVES_WAY if gives_way else timedelta()):
        return Look(_no_of(current), PAUSE)
    with transaction.atomic():
        held = lease.take(holder, at)
        if held is None:
            return Look(_no_of(current), PAUSE)
        newest, has_moved = _advance(held, at)
    return Look(_no_of(newest), _pause(newest, at), is_leading=True, has_moved=has_moved)


def _advance(held: lease.Held, at: datetime) -> tuple[Round | None, bool]:
    """Make the transition that is due; return the newest round and whether there was one."""
    newest = Round.objects.select_for_update().order_by("-no").first()
    numbers = settings_starting("arena.")
    if newest is not None and _is_running(newest):
        if held.gap > OUTAGE:
            rounds.drop(newest, at)
            newest.state = Round.State.DROPPED
        elif at < newest.ends_at:
            return newest, False
        else:
            resolving.resolve(newest, at, numbers)
        return rounds.begin(newest, at, numbers), True
    new = rounds.begin(newest, at, numbers)
    return new, new is not None


def _is_running(current: Round | None) -> bool:
    return current is not None and current.state == Round.State.SELECTING


def _no_of(current: Round | None) -> int:
    return current.no if current is not None and _is_running(current) else 0


def _pause(newest: Round | None, at: datetime) -> timedelta:
    if newest is None or not _is_running(newest):
        return PAUSE
    return max(min(PAUSE, newest.ends_at - at), timedelta())
