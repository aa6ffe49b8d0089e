"""The batch writer: one writer thread a process, which commits queued actions as one batch."""

import asyncio
import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from accounts.login_number import login_number
from accounts.shared import note_changes
from games.engine.errors import refusal
from games.matches.processing import outage, repair, writing
from games.matches.processing.submissions import (
    Answer,
    BatchResult,
    Busy,
    Committed,
    SessionEnded,
    Submission,
    Work,
)
from games.matches.queries.selectors import AT_ONCE, HEAD_START, due_matches
from games.realtime import measures
from games.realtime.access import note_actions, trace
from games.realtime.executors import call_with_connection, write_first
from games.realtime.page_queue import page_queue
from games.realtime.sessions import LogIns, Stamp
from games.realtime.write_queue import (
    LEAST_BATCH,
    LONGEST_TURN,
    TURN,
    Done,
    Job,
    WriteQueue,
    fitting,
)

log = logging.getLogger(__name__)

#: Seconds for which the batch writer waits for the SQLite write lock; there are three tries.
WRITE_TIMEOUT = 1.5
#: Retry pause, in seconds, for actions refused while the process ends: another process, or this one
#: restarted, takes them then.
STOPPING = 1.0
#: Seconds after which a sweep tidies up although no seat or match seems to need it: only then are
#: banned players looked for.
TIDY = 5.0
#: Seconds between two looks at the heartbeat.
BEAT = 1.0
#: Seconds between two batches of actions for matches, unless ``LEAST_BATCH`` wait: at 100 actions a
#: second the statements and hand-overs of a batch are then those of twice as many actions.
REST = 0.01
#: Retry pause, in milliseconds, that clients get when the database could not be written.
WRITE_RETRY_MS = 1000
#: The most ids that a line of the log about a batch has.
TRACED = 8

Part = Callable[[], BatchResult]


class DueScan:
    """The due matches, a portion at a time, so that no player waits for a thousand of them.
    ``tell`` and ``sweep`` may be called while the batch writer works; only it calls the rest.
    """

    def __init__(self) -> None:
        self._told: dict[int, None] = {}
        self._portion = LEAST_BATCH
        self._is_sweeping = self._is_untidy = False
        self._tidied_at = 0.0
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

    def sweep(self, is_untidy: bool = True) -> None:
        """Look at all matches; tidy up too if that has work, else only now and then."""
        self._is_sweeping = True
        self._is_untidy |= is_untidy

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
            self._parts += [self._repay, self._look]
            if self._is_untidy or time.monotonic() - self._tidied_at > TIDY:
                self._is_untidy, self._tidied_at = False, time.monotonic()
                self._parts.append(repair.tidy)
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


class Matches:
    """The default kind of work: actions for matches."""

    rest, enough = REST, LEAST_BATCH

    def __init__(self, publish: Callable[[BatchResult], None]) -> None:
        self._publish = publish

    def commit(self, items: Sequence[Submission]) -> Committed:
        result = writing.apply(items)
        note_changes(item.actor_id for item in items)
        return self.shown(result)

    def shown(self, result: BatchResult) -> Committed:
        """Return an applied batch as the answers, the call that shows it, and its hold time."""
        for late in result.late:
            measures.deadlines.observe(late)
        return Committed(result.answers, partial(self._show, result), result.held)

    def _show(self, result: BatchResult) -> None:
        if result.snapshots:
            self._publish(result)


class BatchWriter:
    """Takes actions from the event loop, applies them in batches, hands results back to it."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, publish: Callable[[BatchResult], None]
    ) -> None:
        self._loop = loop
        self._matches = Matches(publish)
        self._log_ins = LogIns()
        self._waiting = WriteQueue()
        self._due = DueScan()
        self._stopping = False
        self._loop_seen_at = time.monotonic()
        self._beat_tried_at = 0.0
        # Where nobody waits it is taken directly: a Condition makes two calls more.
        self._lock = threading.RLock()
        self._ready = threading.Condition(self._lock)
        self._thread = threading.Thread(target=self._work, name="batch-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(
        self, item: Any, done: Done, stamp: Stamp | None = None, work: Work | None = None
    ) -> None:
        """Queue an item of a kind of work, by default an action for a match; ``done`` is called in
        the loop after the commit, or at once with a retry pause if the item would wait too long.
        """
        pause: float | None = STOPPING
        with self._lock:
            if not self._stopping:
                pause = self._waiting.offer(Job(item, work or self._matches, done, stamp))
            if pause is None:
                if self._waiting.is_earlier:
                    self._ready.notify()
                return
        done(Answer(Busy("too much is going on, try again", round(pause * 1000))))

    def wake(self, match_ids: Sequence[int]) -> None:
        """Check whether a clock or a bot of these matches is due."""
        with self._lock:
            self._due.tell(match_ids)
            self._ready.notify()

    def __len__(self) -> int:
        return len(self._waiting)

    def keep_beating(self) -> None:
        """Note that the event loop lives: for a while this thread writes a late heartbeat."""
        self._loop_seen_at = time.monotonic()

    def sweep(self, is_untidy: bool = True) -> None:
        with self._lock:
            self._due.sweep(is_untidy)
            self._ready.notify()

    def stop(self, patience: float) -> None:
        """Finish what is queued and end the thread; blocks for ``patience`` seconds at most."""
        with self._lock:
            self._stopping = True
            self._ready.notify()
        self._thread.join(patience)

    def _work(self) -> None:
        connection.write_timeout = WRITE_TIMEOUT  # type: ignore[attr-defined]  # of SQLite
        write_first()
        while True:
            with self._lock:
                while (pause := self._pause()) != 0.0 and not self._is_beat_due():
                    self._ready.wait(BEAT if pause is None else min(BEAT, pause))
                if self._stopping and not self._waiting:
                    connection.close()
                    return
                turn = TURN if page_queue.running else LONGEST_TURN
                jobs = self._waiting.begin(turn, is_last=self._stopping)
                parts = self._due.take()
            if self._is_beat_due():
                self._beat()
            self._tend(parts)
            held = self._apply(jobs) if jobs else 0.0
            if jobs and page_queue.running:
                # A page shares the interpreter with this thread: it gets a turn of equal length.
                time.sleep(min(held, TURN))
            with self._lock:
                self._waiting.end(held)

    def _pause(self) -> float | None:
        """Return the seconds until there is work; None when no work is known."""
        if self._stopping:
            return 0.0
        pauses = (self._waiting.pause(), self._due.pause())
        return min((pause for pause in pauses if pause is not None), default=None)

    def _is_beat_due(self) -> bool:
        """Whether the heartbeat is late although the event loop is alive."""
        now = time.monotonic()
        is_alive = now - self._loop_seen_at < outage.LOST.total_seconds()
        return is_alive and now - self._beat_tried_at > BEAT and outage.is_beat_late()

    def _beat(self) -> None:
        """Write a late heartbeat before anything is judged by it."""
        self._beat_tried_at = time.monotonic()
        try:
            call_with_connection(outage.beat)
        except Exception:
            # Nothing may end this thread; a lost connection is no DatabaseError.
            log.exception("the heartbeat could not be written")

    def _tend(self, parts: Sequence[Part]) -> None:
        for part in parts:
            try:
                self._hand_back(self._matches.shown(call_with_connection(part)), [])
            except Exception:
                log.exception("the due clocks could not be processed")

    def _apply(self, jobs: list[Job]) -> float:
        """Apply a batch; return for how many seconds it held the database."""
        trace.set(" ".join(filter(None, (job.trace for job in jobs[:TRACED]))))
        try:
            gone = call_with_connection(self._ended, jobs)
            fit = [job for job in jobs if job.stamp is None or job.stamp not in gone]
            done = Committed([])
            if fit:
                done = call_with_connection(fit[0].work.commit, [job.item for job in fit])
        except DatabaseError:
            log.exception("a batch of %d could not be written", len(jobs))
            busy = Answer(Busy("the site cannot write at the moment", WRITE_RETRY_MS))
            self._hand_back(Committed([]), [(job, busy) for job in jobs])
            return 0.0
        except Exception:
            log.exception("a batch of %d failed", len(jobs))
            self._hand_back(Committed([]), [(job, _BROKEN) for job in jobs])
            return 0.0
        over = Answer(SessionEnded("this session is over"))
        told = [(job, over) for job in jobs if job.stamp in gone]
        self._hand_back(done, [*zip(fit, done.answers, strict=True), *told])
        return done.held

    def _ended(self, jobs: list[Job]) -> set[Stamp]:
        stamps = {job.stamp for job in jobs if job.stamp is not None}
        return self._log_ins.ended(stamps, login_number()) if stamps else set()

    def _hand_back(self, done: Committed, told: Sequence[tuple[Job, Answer]]) -> None:
        """In the event loop, show the new state first and acknowledge afterwards."""

        def deliver() -> None:
            done.show()
            for job, answer in told:
                job.done(answer)
            if told:
                now = time.monotonic()
                for job, _ in told:
                    measures.answers.observe(now - job.at)
                measures.batches.observe(len(told))
                note_actions(told, now)

        try:
            self._loop.call_soon_threadsafe(deliver)
        except RuntimeError:
            log.info("the loop ended before %d answers", len(told))


_BROKEN = Answer(refusal("internal", "something went wrong, nothing has changed"))
