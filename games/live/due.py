"""What time alone asks of the pump: clocks and bots that are due, a portion at a time.

A thousand games may be due at one moment.  Between two portions of them the pump does what people
have asked for, so that nobody at a table waits for the thousand.

Source: docs/deadlines.md "Who looks"; docs/performance.md "The pump".
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from functools import partial

from games.live.waiting import LEAST_BATCH, TURN, fitting
from games.play import repair
from games.play.submissions import BatchResult
from games.reading.selectors import AT_ONCE

Part = Callable[[], BatchResult]


class Due:
    """What is due as far as this process was told, or looks for itself.

    ``tell`` and ``sweep`` may be called while the pump works; all else is the pump's.
    """

    def __init__(self) -> None:
        self._told: dict[int, None] = {}
        self._is_sweeping = False
        self._is_behind = False
        self._portion = LEAST_BATCH

    def __bool__(self) -> bool:
        return bool(self._told or self._is_sweeping or self._is_behind)

    def tell(self, match_ids: Sequence[int]) -> None:
        """Take matches whose clocks or bots should be due now."""
        self._told.update(dict.fromkeys(match_ids))

    def sweep(self) -> None:
        """Look for all that time asks for."""
        self._is_sweeping = True

    def take(self) -> list[Part]:
        """Return what is to be done next, each by itself; what is left is there the next time."""
        parts: list[Part] = []
        told = list(itertools.islice(self._told, self._portion))
        for match_id in told:
            del self._told[match_id]
        if told:
            parts.append(partial(self._fire, partial(repair.fire_due, told)))
        if self._is_sweeping:
            parts += [repair.repay, self._look, repair.tidy]
        elif self._is_behind:
            parts.append(self._look)
        self._is_sweeping = self._is_behind = False
        return parts

    def _look(self) -> BatchResult:
        """Let some of what is due act; where anything did, there may be more."""
        result = self._fire(partial(repair.fire_all_due, limit=self._portion))
        self._is_behind = bool(result.snapshots)
        return result

    def _fire(self, work: Part) -> BatchResult:
        begun = time.monotonic()
        result = work()
        if len(result.snapshots) == self._portion:
            taken = time.monotonic() - begun
            self._portion = min(AT_ONCE, fitting(TURN, self._portion, taken))
        return result
