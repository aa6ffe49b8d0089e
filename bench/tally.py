"""Count actions of the load generator, and measure a period of load."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

from bench.stats import percentile

#: Kinds of processes with separate times; "client" is the load generator.
KINDS = ("server", "database", "valkey", "nginx", "client")
#: Seconds between two looks, and until a measurement in which nothing was done ends.
LOOK, LIMIT = 0.05, 30.0


async def until(is_done: Callable[[], bool]) -> None:
    """Wait for what a slow machine has not done in a short measurement, up to a limit."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LIMIT):
            while not is_done():  # noqa: ASYNC110
                await asyncio.sleep(LOOK)


class Measured(Protocol):
    """A test stand that knows the processor time of its servers."""

    def cpu(self) -> Mapping[str, float]:
        """Return processor seconds by kind."""


class Tally:
    """Counts finished actions while it is open; ``refused`` by code, latencies in seconds."""

    def __init__(self) -> None:
        self.is_open = False
        self.done = 0
        self.everything = 0
        self.refused: Counter[str] = Counter()
        self.latencies: list[float] = []
        self.lost: Counter[int] = Counter()

    def count(self, sent_at: float) -> None:
        """Count an acknowledged action."""
        self.everything += 1
        if self.is_open:
            self.done += 1
            self.latencies.append(time.perf_counter() - sent_at)

    def refuse(self, code: str) -> None:
        """Count a refused action."""
        if self.is_open:
            self.refused[code] += 1

    def lose(self, code: int) -> None:
        """Count a connection that ended unexpectedly."""
        self.lost[code] += 1

    async def measure(self, stand: Measured, warm: float, seconds: float) -> dict[str, float]:
        """Wait ``warm`` seconds, count for ``seconds``, and until something is done."""
        await asyncio.sleep(warm)
        before, begun = stand.cpu(), time.perf_counter()
        self.is_open = True
        await asyncio.sleep(seconds)
        await until(lambda: self.done > 0)
        self.is_open = False
        taken, after = time.perf_counter() - begun, stand.cpu()
        used = {kind: after[kind] - before[kind] for kind in after}
        return self.figures(taken, used)

    def figures(self, taken: float, used: Mapping[str, float]) -> dict[str, float]:
        """Return the figures of a period of ``taken`` seconds."""
        found = {
            "rate": self.done / taken,
            "p50_ms": percentile(self.latencies, 0.5) * 1000,
            "p99_ms": percentile(self.latencies, 0.99) * 1000,
            "refused": float(sum(self.refused.values())),
            "lost": float(sum(self.lost.values())),
        }
        used = {**used, "all": sum(used.values()) - used.get("client", 0.0)}
        for kind, seconds in used.items():
            found[f"{kind}_us"] = seconds / self.done * 1e6 if self.done else float("nan")
            found[f"{kind}_busy"] = seconds / taken
        return found
