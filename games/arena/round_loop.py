"""One tick of the round leader: close an expired selection, open the next.

Each transition ends with one transaction that locks the lease and the round: none happens twice,
even if several processes run a tick at once.  Counting a round blocks no other writer.

Source: docs/explanation/arena.md "The leader"; docs/explanation/durability.md DL1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from economy.selectors import settings_starting
from games.arena import lease, player_stats, presence, resolving, rounds
from games.arena.models import Player, Round
from games.arena.rivals import season_of
from games.arena.statements import moment

#: The longest pause between two ticks of a process.
PAUSE: Final = timedelta(seconds=1)
#: A process without players' sockets, while another has some, takes the lease only after it has
#: been free for this time.  With ``lease.HELD`` and ``PAUSE`` this is less than the 5 s in which a
#: dead leader is replaced.
GIVES_WAY: Final = timedelta(milliseconds=750)
#: After a longer time without a leader the round under way is dropped.
OUTAGE: Final = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Look:
    """The result of one tick: the round under way (0: none), and the pause before the next tick.
    ``has_moved``: this process made a transition; ``has_left``: it has released the lease;
    ``ended_at``: when the selection ended of the round that this tick has counted.
    """

    round_no: int
    pause: timedelta
    is_leading: bool = False
    has_moved: bool = False
    has_left: bool = False
    ended_at: datetime | None = None


def look(holder: str, at: datetime | None = None, *, has_sockets: bool = True) -> Look:
    """Run one tick: make the due transitions, if this process leads or no process does.

    A process with the arena's sockets leads: with a proxy that sends them all to one process, the
    arena's work does not slow the tables in other processes.

    Args:
        holder: the name of the process.
        at: the time, by default the database's.
        has_sockets: players of the arena are connected to this process.
    """
    at = at or moment()
    current = rounds.newest_round()
    people = Player.objects.filter(is_in=True, is_bot=False)
    if not _no_of(current) and not people.exists():
        return Look(0, PAUSE)
    gives_way = not has_sockets and presence.is_elsewhere(holder, at)
    if gives_way and lease.is_held_by(holder, at):
        lease.release(holder, at)
        return Look(_no_of(current), PAUSE, has_left=True)
    if not lease.may_take(holder, at, GIVES_WAY if gives_way else timedelta()):
        return Look(_no_of(current), PAUSE)
    numbers = settings_starting("arena.")
    step = _take(holder, at, numbers)
    if step is not None and step.newest is not None and step.newest.is_being_counted:
        step = _count(holder, step.newest, at, numbers)
    if step is None:
        return Look(_no_of(current), PAUSE)
    pause, newest = PAUSE, step.newest
    if newest is not None and newest.is_under_way:
        pause = max(min(PAUSE, newest.ends_at - at), timedelta())
    moved = step.has_moved
    return Look(_no_of(newest), pause, is_leading=True, has_moved=moved, ended_at=step.ended_at)


@dataclass(frozen=True, slots=True)
class _Step:
    """The result of one of the leader's transactions."""

    newest: Round | None
    has_moved: bool = False
    ended_at: datetime | None = None


def _take(holder: str, at: datetime, numbers: Mapping[str, int]) -> _Step | None:
    """Take the lease, and begin a round, drop one, or close a selection that is over. None when
    another process leads.
    """
    with transaction.atomic():
        held = lease.take(holder, at)
        if held is None:
            return None
        newest, is_dropped = _held_newest(), False
        if newest is not None and newest.is_under_way:
            if newest.is_being_counted:
                return _Step(newest)
            if held.gap <= OUTAGE:
                if newest.ends_at <= at:
                    newest.state = Round.State.COUNTING
                    newest.save(update_fields=["state"])
                return _Step(newest)
            rounds.drop(newest, at)
            is_dropped = True
        _let_go(at, numbers)
        new = rounds.begin(newest, at, numbers)
        return _Step(new, has_moved=new is not None or is_dropped)


def _let_go(at: datetime, numbers: Mapping[str, int]) -> None:
    presence.let_go(at, timedelta(seconds=numbers["arena.gone_seconds"]))


def _count(holder: str, closed: Round, at: datetime, numbers: Mapping[str, int]) -> _Step | None:
    """Finish counting a round, then begin the next one. None when another process has done so
    meanwhile, or leads now.
    """
    if closed.state == Round.State.COUNTING:
        closed = resolving.count(closed)
    season = season_of(closed.ends_at, numbers)
    player_stats.give(closed, season if season and season.is_at(closed.ends_at) else None)
    _let_go(at, numbers)
    with transaction.atomic():
        if lease.take(holder, at) is None:
            return None
        newest = _held_newest()
        if newest is None or newest.no != closed.no or newest.state != Round.State.COUNTED:
            return None
        resolving.finish(newest, at, numbers)
        new = rounds.begin(newest, at, numbers)
        return _Step(new, has_moved=True, ended_at=closed.ends_at)


def _held_newest() -> Round | None:
    return Round.objects.select_for_update().order_by("-no").first()


def _no_of(current: Round | None) -> int:
    return current.no if current is not None and current.is_under_way else 0
