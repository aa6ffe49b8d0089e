"""Counts of this web process for ``/metrics``; none names a user, a match or a secret."""

import os
import socket
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
JOBS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Histogram:
    """Counts of values by upper bound, and their sum; one thread adds, any thread may read."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, values: Iterable[float]) -> None:
        # One bisection in C for each value; a batch is observed as a whole.
        for value in values:
            self.counts[bisect_left(self.bounds, value)] += 1
            self.sum += value


@dataclass(slots=True)
class Measures:
    """The counts of this process since its start."""

    #: Seconds from the arrival of an action to its answer; filled in the event loop.
    answers: Histogram = field(default_factory=lambda: Histogram(SECONDS))
    #: Jobs in a batch; filled in the event loop.
    batches: Histogram = field(default_factory=lambda: Histogram(JOBS))
    #: Seconds from a deadline to the transaction that fired it; filled by the batch writer.
    deadlines: Histogram = field(default_factory=lambda: Histogram(SECONDS))
    #: Seconds from the end of an arena round to its result; filled in the event loop.
    rounds: Histogram = field(default_factory=lambda: Histogram(SECONDS))
    #: Views replaced by a newer one before a slow client took them.
    views_dropped: int = 0
    #: Sockets that this process ended, by close code.
    closes: Counter[int] = field(default_factory=Counter)


measures: Final = Measures()


def process_name() -> str:
    """Return machine and process id."""
    return f"{socket.gethostname()}:{os.getpid()}"
