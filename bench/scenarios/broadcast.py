"""Measure the time until the last of thousands of spectators has a new view."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from bench.form import Form
from bench.scenarios.closed import Load, seat
from bench.sitter import SEEN_EVERY
from bench.stand import Stand
from bench.stats import percentile
from bench.tally import Tally
from bench.wire import Line, connect, connect_all

#: Pause between two changes, so that each reaches the last spectator before the next one.
PAUSE = 0.15
QUIET = 3.0
LIMIT = 15.0


class Guest:
    """A spectator without an account; subclasses process its messages."""

    line: Line

    async def open(self, address: str, path: str) -> None:
        """Connect."""
        await connect(address, path, self.take, None, self._hold)

    def take(self, payload: bytes) -> None:
        """Process a message."""
        raise NotImplementedError

    def _hold(self, line: Line) -> None:
        self.line = line


class Spectator(Guest):
    """A spectator that counts views, and confirms them: else the server holds them back."""

    def __init__(self, crowd: SocketRegistry) -> None:
        self._crowd = crowd
        self._views = 0

    def take(self, payload: bytes) -> None:
        """Count a view; ignore other messages."""
        if b'"view"' in payload[:20]:
            self._views += 1
            if self._views % SEEN_EVERY == 0:
                self.line.send(b'{"type":"seen","revision":%d}' % self._views)
            self._crowd.count()


class SocketRegistry:
    """All spectators: how many wait for the current change, and when the last one got it."""

    def __init__(self, size: int) -> None:
        self.people = [Spectator(self) for _ in range(size)]
        self.last_at = time.perf_counter()
        self._left = size
        self._everybody = asyncio.Event()

    def count(self) -> None:
        """Count one more spectator with the view."""
        self._left -= 1
        self.last_at = time.perf_counter()
        if self._left == 0:
            self._everybody.set()

    async def are_quiet(self) -> None:
        """Wait until no more views arrive: the number of spectators is part of the view."""
        await self._everybody.wait()
        while (left := self.last_at + QUIET - time.perf_counter()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(left)

    async def next(self, act: Callable[[], bool]) -> float | None:
        """Act by a seat; return the seconds until the last spectator sees it, None on failure."""
        self._left = len(self.people)
        self._everybody.clear()
        begun = time.perf_counter()
        if not act():
            return None
        try:
            await asyncio.wait_for(self._everybody.wait(), LIMIT)
        except TimeoutError:
            return None
        return self.last_at - begun


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Change the spectators' view; return the time until the last spectator has it."""
    prepared = await seat(stand, load, Tally(), rows=1)
    players, path = prepared.rows[0][0].sitters, prepared.paths[0]
    crowd = SocketRegistry(form.watchers)
    await connect_all(
        [
            lambda n=n, one=one: one.open(stand.address(n), path)
            for n, one in enumerate(crowd.people)
        ]
    )
    await crowd.are_quiet()
    taken: list[float | None] = []
    before, until = stand.cpu(), time.perf_counter() + form.seconds * 2
    while time.perf_counter() < until:
        taken.append(await crowd.next(lambda: any(player.go_on() for player in players)))
        await asyncio.sleep(PAUSE)
    used = {kind: spent - before[kind] for kind, spent in stand.cpu().items()}
    for one in crowd.people:
        one.line.abort()
    prepared.close()
    times = [seconds for seconds in taken if seconds is not None]
    deliveries = max(1, len(times) * form.watchers)
    return {
        "p50_ms": percentile(times, 0.5) * 1000,
        "p99_ms": percentile(times, 0.99) * 1000,
        "changes": float(len(times)),
        "lost": float(len(taken) - len(times)),
        "server_us": used["server"] / deliveries * 1e6,
        "client_us": used["client"] / deliveries * 1e6,
    }
