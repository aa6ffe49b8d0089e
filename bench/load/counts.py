"""Counts of the clients of one process: answers, refusals, sockets and bytes."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final, Self

#: The kind of the time from a lost socket to the open one after it.
RECONNECTED: Final = "(reconnected)"
#: What the kinds of actions at tables end with while a Train runs.
BESIDE: Final = "(beside the Train)"
MICROSECONDS: Final = 1_000_000


class Counts:
    """Times of answers by kind, in microseconds, while the measurement runs; all else at any time.

    ``acked`` has the ids of acknowledged actions by match, ``known`` when somebody in a Train knew
    the next opponent, by both.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.times: defaultdict[str, list[int]] = defaultdict(list)
        self.refused: Counter[str] = Counter()
        self.handshakes: Counter[str] = Counter()
        self.reconnects: Counter[str] = Counter()
        self.numbers: Counter[str] = Counter()
        self.acked: defaultdict[str, list[str]] = defaultdict(list)
        self.known: dict[str, float] = {}

    def answer(self, kind: str, begun: float) -> None:
        """Count an answer to what began at this instant of ``time.perf_counter``."""
        if self.is_open:
            self.times[kind].append(round((time.perf_counter() - begun) * MICROSECONDS))

    def refuse(self, kind: str, code: str) -> None:
        """Count a refusal."""
        if self.is_open:
            self.refused[f"{kind}: {code}"] += 1

    def plain(self) -> dict[str, Any]:
        """Return everything as JSON can hold it."""
        return {
            name: getattr(self, name)
            for name in (
                "times",
                "refused",
                "handshakes",
                "reconnects",
                "numbers",
                "acked",
                "known",
            )
        }

    @classmethod
    def sum(cls, parts: Iterable[dict[str, Any]]) -> Self:
        """Return the sum of what several processes have counted."""
        whole = cls()
        for part in parts:
            whole.known |= part["known"]
            for name in ("refused", "handshakes", "reconnects", "numbers"):
                getattr(whole, name).update(part[name])
            for name in ("times", "acked"):
                for key, values in part[name].items():
                    getattr(whole, name)[key] += values
        return whole
