"""The arena's leader loop: every web process has one, and the one that holds the lease leads.
Source: docs/explanation/arena.md "The leader".
"""

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import time
from datetime import timedelta
from functools import partial
from typing import Final

from django.utils import timezone

from games.arena import lease, presence, round_loop
from games.arena.hub import ARENA_HUB, TOPIC, ArenaHub
from games.arena.statements import moment
from games.realtime.executors import Executor, Poller
from games.realtime.measures import measures
from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

#: Seconds between two writes of this process's presence.
BEAT: Final = 2.0


class LeaderLoop(Poller):
    """The loop of this process; its ticks run in their own thread."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(Executor("arena", 1))
        self._runtime = runtime
        self.name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
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
                pause = round_loop.PAUSE.total_seconds()

    async def _step(self) -> timedelta:
        """Run a tick and publish its changes; return the pause before the next one."""
        arena_hub = self._arena_hub
        # Write this process's users at once if there are new ones, else every two seconds.
        users = arena_hub.users
        is_due = time.monotonic() - self._beat_at >= BEAT
        if (is_due and (users or self._wrote)) or not users <= self._wrote:
            await self._executor.run(_keep, self.name, users)
            self._beat_at, self._wrote = time.monotonic(), set(users)
        look = await self._executor.run(
            partial(round_loop.look, has_sockets=bool(arena_hub.users)), self.name
        )
        if look.ended_at is not None:
            measures.rounds.add([(timezone.now() - look.ended_at).total_seconds()])
        if look.has_moved or look.has_left:
            self._runtime.tell([(TOPIC, 0, look.round_no)])
        if look.has_moved or look.round_no != arena_hub.round_no:
            arena_hub.moved()
        return look.pause


def _keep(name: str, users: set[int]) -> None:
    presence.keep(name, users, moment())


def _leave(name: str) -> None:
    presence.forget(name)
    lease.release(name, moment())
