"""What the load generator counts, and the one way in which a stretch of load is measured."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from typing import Protocol

from bench.stats import percentile

#: Kinds of processes whose time is told apart; the load generator's own is "client".
KINDS = ("server", "database", "valkey", "client")


class Measured(Protocol):
    """Anything that runs servers and knows what time they have used."""

    def cpu(self) -> Mapping[str, float]:
        """Return processor seconds by kind."""


class Tally:
    """Counts what ends while it is open; ``refused`` by code, latencies in seconds."""

    def __init__(self) -> None:
        self.is_open = False
        self.done = 0
        self.everything = 0
        self.refused: Counter[str] = Counter()
        self.latencies: list[float] = []
        self.lost: Counter[int] = Counter()

    def count(self, sent_at: float) -> None:
        """Note that an action was acknowledged."""
        self.everything += 1
        if self.is_open:
            self.done += 1
            self.latencies.append(time.perf_counter() - sent_at)

    def refuse(self, code: str) -> None:
        """Note that an action was refused."""
        if self.is_open:
            self.refused[code] += 1

    def lose(self, code: int) -> None:
        """Note that a connection ended which should not have."""
        self.lost[code] += 1

    async def measure(self, stand: Measured, warm: float, seconds: float) -> dict[str, float]:
        """Let ``warm`` seconds pass, count for ``seconds``, and return the figures."""
        await asyncio.sleep(warm)
        before, begun = stand.cpu(), time.perf_counter()
        self.is_open = True
        await asyncio.sleep(seconds)
        self.is_open = False
        taken, after = time.perf_counter() - begun, stand.cpu()
        used = {kind: after[kind] - before[kind] for kind in after}
        return self.figures(taken, used)

    def figures(self, taken: float, used: Mapping[str, float]) -> dict[str, float]:
        """Return the figures of a stretch of ``taken`` seconds."""
        found = {
            "rate": self.done / taken,
            "p50_ms": percentile(self.latencies, 0.5) * 1000,
            "p99_ms": percentile(self.latencies, 0.99) * 1000,
            "refused": float(sum(self.refused.values())),
            "lost": float(sum(self.lost.values())),
        }
        for kind, seconds in used.items():
            found[f"{kind}_us"] = seconds / self.done * 1e6 if self.done else float("nan")
            found[f"{kind}_busy"] = seconds / taken
        return found
