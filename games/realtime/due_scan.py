"""The due scan of the batch writer: clocks and bots that are due, a portion at a time.

A thousand matches may be due at one moment.  Between two portions the batch writer applies
players' actions, so that no player waits for the thousand.

Timers report the matches with viewers; these are handled at once.  Matches that only the sweep
finds have no viewers: they are handled in small portions, read first and then stored, and after
each of these steps the due scan rests, which leaves the batch writer free for a while.

Source: docs/explanation/deadlines.md "Who looks";
docs/explanation/performance.md "The batch writer".
"""

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from django.utils import timezone

from games.matches.processing import repair, writing
from games.matches.processing.submissions import BatchResult, Submission
from games.matches.queries.selectors import AT_ONCE, HEAD_START, due_matches
from games.realtime.write_queue import LEAST_BATCH, TURN, fitting

Part = Callable[[], BatchResult]


class DueScan:
    """The due matches from hints to this process, or from a sweep. ``tell`` and ``sweep`` may be
    called while the batch writer works; only it calls the rest.
    """

    def __init__(self) -> None:
        self._told: dict[int, None] = {}
        self._portion = LEAST_BATCH
        self._is_sweeping = False
        #: The remaining parts of a sweep, and the remaining matches that it found.
        self._parts: deque[Part] = deque()
        self._found: list[int] = []
        self._wanted: list[Submission] = []
        #: The repayment of an outage that is under way.
        self._repaying: Iterator[BatchResult] | None = None
        self._repays_from = 0.0
        self._rests_until = 0.0

    def tell(self, match_ids: Sequence[int]) -> None:
        """Add watched matches whose clocks or bots should be due now."""
        self._told.update(dict.fromkeys(match_ids))

    def sweep(self) -> None:
        """Request a sweep for all due matches."""
        self._is_sweeping = True

    def pause(self) -> float | None:
        """Return the seconds until there is work; None when nothing is due."""
        if self._told or self._is_sweeping or self._parts:
            return 0.0
        if self._found or self._wanted:
            return max(0.0, self._rests_until - time.monotonic())
        if self._repaying:
            return max(0.0, max(self._rests_until, self._repays_from) - time.monotonic())
        return None

    def take(self) -> list[Part]:
        """Return the next parts, to be run one by one; the rest stays for the next call."""
        if self._is_sweeping and not self._parts:
            self._is_sweeping = False
            self._parts += [self._repay, self._look, repair.tidy]
        parts: list[Part] = []
        told = list(itertools.islice(self._told, self._portion))
        for match_id in told:
            del self._told[match_id]
        if told:
            parts.append(partial(self._fire_told, told))
        if self._parts:
            parts.append(self._parts.popleft())
        elif time.monotonic() >= self._rests_until:
            if self._wanted:
                parts.append(partial(self._rested, self._act))
            elif self._found:
                parts.append(partial(self._rested, self._read))
            elif self._repaying and time.monotonic() >= self._repays_from:
                parts.append(partial(self._rested, self._go_on))
        return parts

    def _repay(self) -> BatchResult:
        """Give live clocks their time back after an outage; a worker may do so for slow ones."""
        if self._repaying:
            return BatchResult([])
        steps = writing.repayments()
        if result := next(steps, None):
            self._repaying = steps
            self._repays_from = time.monotonic() + HEAD_START.total_seconds()
        return result or BatchResult([])

    def _go_on(self) -> BatchResult:
        """Give a few slow clocks their time back."""
        assert self._repaying is not None
        result = next(self._repaying, None)
        if result is None:
            self._repaying = None
        return result or BatchResult([])

    def _look(self) -> BatchResult:
        """Find due matches that are not left to the worker, the longest waiting first."""
        now = timezone.now()
        self._found = due_matches(now, slow_until=now - HEAD_START)
        return BatchResult([])

    def _fire_told(self, match_ids: Sequence[int]) -> BatchResult:
        begun = time.monotonic()
        result = repair.fire_due(match_ids)
        if len(result.snapshots) == self._portion:
            taken = time.monotonic() - begun
            self._portion = min(AT_ONCE, fitting(TURN, self._portion, taken))
        return result

    def _rested(self, step: Part) -> BatchResult:
        """Run a step, and set the time until which to rest."""
        begun = time.monotonic()
        try:
            return step()
        finally:
            ended = time.monotonic()
            self._rests_until = ended + repair.REST * (ended - begun)

    def _read(self) -> BatchResult:
        """Read the due actions of a few of the found matches, which caches these matches."""
        few, self._found = self._found[: repair.FEW], self._found[repair.FEW :]
        self._wanted = repair.wakes(few)
        return BatchResult([])

    def _act(self) -> BatchResult:
        """Apply the due actions that were read; after the last ones, look for more due matches."""
        wanted, self._wanted = self._wanted, []
        result = writing.apply_unseen(wanted)
        if not self._found and result.snapshots:
            self._parts.append(self._look)
        return result
