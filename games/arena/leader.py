"""The arena's leader loop: every web process has one, and the one that holds the lease leads."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone

from economy.selectors import settings_starting
from economy.sql import Compiled
from games.arena import SLUG, processes, resolving, rounds
from games.arena.hub import ARENA_HUB, TOPIC, ArenaHub
from games.arena.models import Lease, Player, Round
from games.arena.queries import season_of
from games.realtime import measures
from games.realtime.executors import Executor, Poller
from games.realtime.leases import moment, new_holder
from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

#: Seconds between two writes of this process's presence.
BEAT: Final = 2.0
#: The longest pause between two ticks of a process.
PAUSE: Final = timedelta(seconds=1)
#: A process without players' sockets, while another has some, takes the lease only after it has
#: been free for this time.  With ``leases.HELD`` and ``PAUSE`` this is less than the 5 s in
#: which a dead leader is replaced.
GIVES_WAY: Final = timedelta(milliseconds=750)
#: After a longer time without a leader the round under way is dropped.
OUTAGE: Final = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Look:
    """The result of a tick: the round under way (0: none) and the pause before the next tick.
    ``has_left``: this process has released the lease; ``ended_at``: the end of the selection that
    was counted.
    """

    round_no: int
    pause: timedelta
    is_leading: bool = False
    has_moved: bool = False
    has_left: bool = False
    ended_at: datetime | None = None


_PEOPLE: Final = Compiled(
    lambda: Player.objects.filter(is_in=True, is_bot=False).values_list("pk")[:1]
)


def look(holder: str, at: datetime | None = None, *, has_sockets: bool = True) -> Look:
    """Run one tick: make the due transitions, if this process leads or no process does. ``at`` is
    by default the database's time.
    """
    at = at or moment()
    current = rounds.newest_round()
    if not _no_of(current) and not _PEOPLE.rows():
        return Look(0, PAUSE)
    # With a proxy that sends all sockets of the arena to one process, that one should lead: its
    # work then does not slow the tables in others.
    gives_way = not has_sockets and processes.is_elsewhere(holder, at)
    if gives_way and Lease.is_held(SLUG, holder, at):
        Lease.release(SLUG, holder, at)
        return Look(_no_of(current), PAUSE, has_left=True)
    if not Lease.may_take(SLUG, holder, at, GIVES_WAY if gives_way else timedelta()):
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
    newest: Round | None
    has_moved: bool = False
    ended_at: datetime | None = None


def _take(holder: str, at: datetime, numbers: Mapping[str, int]) -> _Step | None:
    """Take the lease, and begin a round, drop one, or close a selection that is over; None when
    another process leads.
    """
    # Lease and round are locked: no transition happens twice, even if several processes run a tick.
    with transaction.atomic():
        gap = Lease.take(SLUG, holder, at)
        if gap is None:
            return None
        newest, is_dropped = _held_newest(), False
        if newest is not None and newest.is_under_way:
            if newest.is_being_counted:
                return _Step(newest)
            if gap <= OUTAGE:
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
    processes.let_go(at, timedelta(seconds=numbers["arena.gone_seconds"]))


def _count(holder: str, closed: Round, at: datetime, numbers: Mapping[str, int]) -> _Step | None:
    """Finish counting a round, then begin the next one; None when another process has done so, or
    leads now.
    """
    if closed.state == Round.State.COUNTING:
        closed = resolving.count(closed)
    season = season_of(closed.ends_at, numbers)
    resolving.give(closed, season if season and season.is_at(closed.ends_at) else None)
    _let_go(at, numbers)
    with transaction.atomic():
        if Lease.take(SLUG, holder, at) is None:
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


class LeaderLoop(Poller):
    """The loop of this process; its ticks run in their own thread."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(Executor("arena", 1))
        self._runtime = runtime
        self.name = new_holder()
        self._beat_at = 0.0
        self._wrote: set[int] = set()

    @property
    def _arena_hub(self) -> ArenaHub:
        arena_hub: ArenaHub = self._runtime.runners[ARENA_HUB]
        return arena_hub

    def wake(self) -> None:
        """Run a tick at once: a player has joined, or a round may be over."""
        self._wanted.set()

    def hinted(self, topic: str, key: int | str) -> None:
        if topic == TOPIC:
            self.wake()

    async def stop(self) -> None:
        """Stop leading, so that another process can, and close the executor."""
        await super().stop()
        with contextlib.suppress(Exception):
            await self._executor.run(_leave, self.name)
        await asyncio.get_running_loop().run_in_executor(None, self._executor.close)

    async def _refresh(self) -> None:
        pause = 0.0
        while True:
            await self._wait(pause)
            try:
                pause = (await self._step()).total_seconds()
            except Exception:
                log.exception("a tick of the arena failed")
                pause = PAUSE.total_seconds()

    async def _step(self) -> timedelta:
        """Run a tick and publish its changes; return the pause before the next one."""
        arena_hub = self._arena_hub
        # Write this process's users at once if there are new ones, else every two seconds.
        users = arena_hub.users
        is_due = time.monotonic() - self._beat_at >= BEAT
        if (is_due and (users or self._wrote)) or not users <= self._wrote:
            await self._executor.run(lambda: processes.keep_users(self.name, users, moment()))
            self._beat_at, self._wrote = time.monotonic(), set(users)
        found = await self._executor.run(
            partial(look, has_sockets=bool(arena_hub.users)), self.name
        )
        if found.ended_at is not None:
            measures.rounds.observe((timezone.now() - found.ended_at).total_seconds())
        if found.has_moved or found.has_left:
            self._runtime.bus.publish([(TOPIC, 0, found.round_no)])
        if found.has_moved or found.round_no != arena_hub.round_no:
            arena_hub.moved()
        return found.pause


def _leave(name: str) -> None:
    processes.forget_users(name)
    Lease.release(SLUG, name, moment())
