"""Threads with a database connection of their own, and the parts that reload through them."""

import asyncio
import contextlib
import logging
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, ClassVar, TypeVar

from django.db import InterfaceError, OperationalError, connection

if TYPE_CHECKING:
    from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

Result = TypeVar("Result")
Key = TypeVar("Key")
Watcher = TypeVar("Watcher")


class Executor:
    """A few threads for database work; each keeps its connection until that fails."""

    def __init__(self, name: str, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, name, initializer=write_first)

    async def run(self, work: Callable[..., Result], *given: object) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, call_with_connection, work, *given)

    def close(self) -> None:
        """Wait for running work, at most a second, and close the connection of every thread."""
        together = threading.Barrier(self._threads)

        def close_connection() -> None:
            # A thread that is busy for longer ends with the process.
            with contextlib.suppress(threading.BrokenBarrierError):
                together.wait(1.0)
            connection.close()

        for _ in range(self._threads):
            self._pool.submit(close_connection)
        self._pool.shutdown(wait=True)


def write_first() -> None:
    """Put this thread before those of pages, which nobody at a table waits for."""
    connection.writes_first = True  # type: ignore[attr-defined]  # of SQLite


def call_with_connection(work: Callable[..., Result], *given: object) -> Result:
    """Call ``work`` and close this thread's connection when a database error ends the call."""
    try:
        return work(*given)
    except (OperationalError, InterfaceError):
        connection.close()
        raise


def checkpoint() -> None:
    """Move SQLite's write-ahead log into the database file when that is due."""
    move = getattr(connection, "checkpoint_if_due", None)
    if move is not None:
        move()


class Poller:
    """A part of the web process that reloads on request, in a task that subclasses define."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._refresh())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def hinted(self, topic: str, key: int | str) -> None:
        """Take a hint from another process; the default ignores it."""

    async def _wait(self, seconds: float) -> None:
        """Wait until something is wanted, at most so long."""
        # Not wait_for: it may swallow this task's cancellation, and the task would not end.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wanted.wait()
        self._wanted.clear()

    async def _refresh(self) -> None:
        """Reload whenever ``_wanted`` is set, until cancelled."""
        raise NotImplementedError


class Sweeper(Poller):
    """Runs a sweep in a web process, again and again: the worker may not run, or sweeps less
    often. Subclasses name the sweep, the seconds between two, and their random spread.
    """

    pause: ClassVar[float]
    spread: ClassVar[float]
    sweep: ClassVar[Callable[[], object]]

    def __init__(self, runtime: "Runtime") -> None:
        super().__init__(runtime.reads)

    async def look(self) -> None:
        await self._executor.run(type(self).sweep)

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(self.pause + random.uniform(-self.spread, self.spread))
            try:
                await self.look()
            except Exception:
                log.exception("%s: a sweep failed", type(self).__module__)


def remove_watcher(watchers: dict[Key, set[Watcher]], key: Key, watcher: Watcher) -> bool:
    """Remove one; return whether nobody watches that any more."""
    held = watchers.get(key, set())
    held.discard(watcher)
    if not held:
        watchers.pop(key, None)
    return not held
