"""The queue of the batch writer: admission, expected wait, and the order of batches."""

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from games.matches.processing import writing
from games.matches.processing.submissions import Answer, Work
from games.realtime.access import trace
from games.realtime.sessions import Stamp

#: A job with a longer expected wait, in seconds, is refused.  Pages send an action again after
#: 2.5 s without an answer.
PATIENCE: Final = 1.5
#: Expected wait, in seconds, above which one user may have ...
CALM: Final = 0.25
#: ... at most this number of jobs in the queue.
SHARE: Final = 4
#: Least and most seconds of a retry pause.
SOONEST, LATEST = 0.1, 10.0
#: Seconds for which a transaction should hold the database, and on SQLite block all other writers.
LONGEST_TURN: Final = 0.05
#: The same while this process serves a page, which may have to write, too.
TURN: Final = 0.01
#: The least size of a batch, however slow its actions are (if enough wait).
LEAST_BATCH: Final = 8
#: The weight of earlier batches, and the most times slower than expected that one may count.
KEPT, SURPRISE = 0.8, 4.0

Done = Callable[[Answer], None]


def fitting(turn: float, count: int, seconds: float) -> int:
    """Return how many actions fit into ``turn`` seconds when ``count`` took ``seconds``.
    >>> fitting(0.01, 100, 0.01), fitting(0.01, 16, 0.08), fitting(0.05, 1, 0.001)
    (100, 8, 50)
    """
    return min(writing.BATCH_LIMIT, max(LEAST_BATCH, int(count * turn / max(seconds, 1e-6))))


@dataclass(slots=True)
class Job:
    """An item that waits for its batch; ``at`` is its arrival by the monotonic clock, ``trace`` the
    id of its frame or request.
    """

    item: Any
    work: Work
    done: Done
    stamp: Stamp | None = None
    at: float = field(default_factory=time.monotonic)
    trace: str = field(default_factory=trace.get)


@dataclass(slots=True)
class _Pace:
    """The recent speed: a sum of jobs and a sum of seconds, in which older batches fade. A smaller
    batch counts as ``LEAST_BATCH``, for a transaction has a fixed cost.
    """

    jobs: float = 8.0 * LEAST_BATCH
    seconds: float = 0.032

    def learn(self, count: int, seconds: float) -> None:
        """Add a batch; a slow one counts at most ``SURPRISE`` times its expected seconds."""
        count = max(count, LEAST_BATCH)
        seconds = min(seconds, SURPRISE * self.expected(count))
        self.jobs = self.jobs * KEPT + count
        self.seconds = self.seconds * KEPT + seconds

    def expected(self, count: int) -> float:
        return count * self.seconds / self.jobs


@dataclass(slots=True)
class _Line:
    """The jobs of one kind of work in order of arrival, and their recent speed."""

    work: Work
    jobs: deque[Job] = field(default_factory=deque)
    pace: _Pace = field(default_factory=_Pace)
    #: Jobs in the last batch, and seconds for which it held the database.
    last: tuple[int, float] = (writing.BATCH_LIMIT, 0.0)
    #: The end of the last batch.
    ended: float = -math.inf
    #: The latest retry time given to a refused job.
    promised: float = 0.0

    @property
    def seconds(self) -> float:
        """The expected seconds for all jobs."""
        return self.pace.expected(len(self.jobs))

    @property
    def starts_at(self) -> float:
        """The time at which the next batch may begin."""
        return self.ended + (self.work.rest if len(self.jobs) < self.work.enough else 0.0)


@dataclass(slots=True)
class WriteQueue:
    """A line for each kind of work. The lines take turns, so that an action at a table waits for
    one arena batch at most. The batch writer locks it.
    """

    now: Callable[[], float] = time.monotonic
    _lines: dict[int, _Line] = field(default_factory=dict)
    _of_user: dict[int, int] = field(default_factory=dict)
    #: Whether the last job may begin a batch earlier than those that waited.
    is_earlier: bool = False
    #: The line being served, the time that began, and the number of jobs.
    _line: _Line | None = None
    _begun: float | None = None
    _count: int = 0

    def __len__(self) -> int:
        return sum(len(line.jobs) for line in self._lines.values())

    def offer(self, job: Job) -> float | None:
        """Queue a job and return None; or refuse it, by its expected wait, and return the retry
        pause in seconds, a little longer each time.
        """
        wait = self.expected_wait(job.work)
        line = self._line_of(job.work)
        waiting = 0 if job.stamp is None else self._of_user.get(job.stamp.user_id, 0)
        if wait > PATIENCE or (wait > CALM and waiting >= SHARE):
            now = self.now()
            at = max(now + wait, line.promised) + line.pace.expected(1)
            pause = min(max(at - now, SOONEST), LATEST)
            line.promised = now + pause
            return pause
        line.jobs.append(job)
        self.is_earlier = len(line.jobs) in (1, job.work.enough)
        if job.stamp is not None:
            self._of_user[job.stamp.user_id] = waiting + 1
        return None

    def expected_wait(self, work: Work) -> float:
        """Return the expected wait, in seconds, of a new job of this kind."""
        line = self._line_of(work)
        own = line.seconds if line.jobs else 0.0
        others = sum([one.seconds for one in self._lines.values() if one.jobs]) - own
        # The lines take turns.
        return self._left() + own + min(own, others)

    def pause(self) -> float | None:
        """Return the seconds until a batch may begin; None when no job waits."""
        starts = [line.starts_at for line in self._lines.values() if line.jobs]
        return max(0.0, min(starts) - self.now()) if starts else None

    def begin(self, turn: float, *, is_last: bool = False) -> list[Job]:
        """Take the next batch: from the line served longest ago, as many jobs as fit into a turn.
        ``is_last``: the process ends, and no line rests any more.
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
        for user_id in [job.stamp.user_id for job in jobs if job.stamp is not None]:
            self._of_user[user_id] -= 1
            if not self._of_user[user_id]:
                del self._of_user[user_id]
        return jobs

    def end(self, held: float) -> None:
        """Record the end of a batch; ``held``: seconds for which it held the database."""
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
        """Return the expected seconds until the batch under way ends."""
        if self._begun is None:
            return 0.0
        expected = 0.0 if self._line is None else self._line.pace.expected(self._count)
        left = self._begun + expected - self.now()
        # An overdue batch is expected to take half as long again, so that a job which would be
        # served a moment later is not refused.
        return left if left > 0 else -left / 2
