"""The queue of the batch writer: who may still queue up, how long it will take, who goes next.

Each kind of work has a line of its own, and they take turns: while thousands choose in the arena,
what is done at a table waits for one batch of theirs, and theirs do not fall apart into small ones.

A job is refused by how long it is expected to wait, not by how long the oldest has: a short stop
of the disk, or four hundred who act at once, are waited for.  Who is refused is told when there
will be room, each a little later than the one before.

Source: docs/performance.md "Peaks"; docs/decisions/ "Clocks".
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from games.matches.processing import writing
from games.matches.processing.jobs import Work
from games.matches.processing.submissions import Answer
from games.realtime.sessions import Stamp

#: What is expected to wait longer than this, in seconds, is refused.  Pages send again what was not
#: answered for 2.5 s.
PATIENCE: Final = 1.5
#: While the wait is longer than this, one user may not fill the queue ...
CALM: Final = 0.25
#: ... with more than so many jobs.
SHARE: Final = 4
#: Nobody is told to come back sooner or later than this.
SOONEST, LATEST = 0.1, 10.0
#: A transaction should hold the database, and on SQLite all other writers, no longer than this...
LONGEST_TURN: Final = 0.05
#: ... and no longer than this while this process makes a page, which may have to write, too.
TURN: Final = 0.01
#: So many actions share a transaction however slow they are.
LEAST_BATCH: Final = 8
#: How much of what was measured is kept with each batch, and by how much one counts at most.
KEPT, SURPRISE = 0.8, 4.0

Done = Callable[[Answer], None]


def fitting(turn: float, count: int, seconds: float) -> int:
    """Return how many actions fit into a turn of some seconds when so many took so long.

    >>> fitting(0.01, 100, 0.01), fitting(0.01, 16, 0.08), fitting(0.05, 1, 0.001)
    (100, 8, 50)
    """
    return min(writing.BATCH_LIMIT, max(LEAST_BATCH, int(count * turn / max(seconds, 1e-6))))


@dataclass(slots=True)
class Job:
    """Something that waits for its batch, the kind of work it is, and whom to tell."""

    item: Any
    work: Work
    done: Done
    stamp: Stamp | None = None


@dataclass(slots=True)
class _Pace:
    """How fast jobs were done lately: a sum of jobs and one of seconds, in which older ones fade.

    A batch that is smaller than ``LEAST_BATCH`` counts as if it had been one: what a transaction
    costs by itself is not the price of each job.
    """

    jobs: float = 8.0 * LEAST_BATCH
    seconds: float = 0.032

    def learn(self, count: int, seconds: float) -> None:
        """Take a batch into account; a single slow one counts only a few times as slow."""
        count = max(count, LEAST_BATCH)
        seconds = min(seconds, SURPRISE * self.expected(count))
        self.jobs = self.jobs * KEPT + count
        self.seconds = self.seconds * KEPT + seconds

    def expected(self, count: int) -> float:
        """Return how many seconds so many jobs will take."""
        return count * self.seconds / self.jobs


@dataclass(slots=True)
class _Line:
    """The jobs of one kind, in the order in which they came, and how fast such were done."""

    work: Work
    jobs: deque[Job] = field(default_factory=deque)
    pace: _Pace = field(default_factory=_Pace)
    #: How many jobs the last batch had, and for how many seconds it held the database.
    last: tuple[int, float] = (writing.BATCH_LIMIT, 0.0)
    #: When the last batch ended.
    ended: float = -math.inf
    #: Until when those who were refused have been told to stay away.
    promised: float = 0.0

    @property
    def seconds(self) -> float:
        """How long all of them will take."""
        return self.pace.expected(len(self.jobs))

    @property
    def starts_at(self) -> float:
        """When the next batch may begin."""
        return self.ended + self.work.rest


@dataclass(slots=True)
class WriteQueue:
    """A line for each kind of work; the kinds take turns.  Not locked: the batch writer does that.

    ``now`` is the monotonic clock.
    """

    now: Callable[[], float] = time.monotonic
    _lines: dict[int, _Line] = field(default_factory=dict)
    _of_user: Counter[int] = field(default_factory=Counter)
    #: The line that is served, when that began, and with how many jobs.
    _line: _Line | None = None
    _begun: float | None = None
    _count: int = 0

    def __len__(self) -> int:
        return sum(len(line.jobs) for line in self._lines.values())

    def offer(self, job: Job) -> float | None:
        """Queue a job; or return after how many seconds to come again, and queue nothing."""
        wait = self.expected_wait(job.work)
        line = self._line_of(job.work)
        if wait > PATIENCE or (wait > CALM and self._has_share(job)):
            return self._turned_away(line, wait)
        line.jobs.append(job)
        if job.stamp is not None:
            self._of_user[job.stamp.user_id] += 1
        return None

    def expected_wait(self, work: Work) -> float:
        """Return how many seconds a job of this kind will wait that comes now."""
        user_feed = self._line_of(work).seconds
        others = sum(line.seconds for line in self._lines.values()) - user_feed
        # The kinds take turns.
        return self._left() + user_feed + min(user_feed, others)

    def pause(self) -> float | None:
        """Return in how many seconds something may be begun; None when nothing waits."""
        starts = [line.starts_at for line in self._lines.values() if line.jobs]
        return max(0.0, min(starts) - self.now()) if starts else None

    def begin(self, turn: float, *, is_last: bool = False) -> list[Job]:
        """Take what goes next: of the kind that was served longest ago, as many as fit into a turn.

        Args:
            is_last: the process ends, and no kind rests any more.
        """
        now = self.now()
        latest = math.inf if is_last else now
        ready = [line for line in self._lines.values() if line.jobs and line.starts_at <= latest]
        self._begun, self._line, self._count = now, None, 0
        if not ready:
            return []
        self._line = line = min(ready, key=lambda line: line.ended)
        self._count = min(fitting(turn, *line.last), len(line.jobs))
        jobs = [line.jobs.popleft() for _ in range(self._count)]
        for job in jobs:
            self._count_out(job)
        return jobs

    def end(self, held: float) -> None:
        """Learn from the work that was begun; ``held``: for how long others could not write."""
        if self._line is not None and self._begun is not None:
            self._line.ended = self.now()
            self._line.pace.learn(self._count, self._line.ended - self._begun)
            self._line.last = (self._count, held)
        self._begun = self._line = None

    def _line_of(self, work: Work) -> _Line:
        line = self._lines.get(id(work))
        if line is None:
            line = self._lines[id(work)] = _Line(work)
        return line

    def _left(self) -> float:
        """Return how long the work under way will go on.

        What has taken longer than it should will, for all that is known, take half as long again:
        to send somebody away who would be served a moment later helps nobody.
        """
        if self._begun is None:
            return 0.0
        expected = 0.0 if self._line is None else self._line.pace.expected(self._count)
        left = self._begun + expected - self.now()
        return left if left > 0 else -left / 2

    def _has_share(self, job: Job) -> bool:
        return job.stamp is not None and self._of_user[job.stamp.user_id] >= SHARE

    def _turned_away(self, line: _Line, wait: float) -> float:
        now = self.now()
        at = max(now + wait, line.promised) + line.pace.expected(1)
        pause = min(max(at - now, SOONEST), LATEST)
        line.promised = now + pause
        return pause

    def _count_out(self, job: Job) -> None:
        if job.stamp is not None:
            self._of_user[job.stamp.user_id] -= 1
            if not self._of_user[job.stamp.user_id]:
                del self._of_user[job.stamp.user_id]
