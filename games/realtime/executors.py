"""Threads that keep a database connection: reads never wait behind Django's one shared thread.
Source: docs/explanation/concurrency.md "Threads"; docs/explanation/performance.md.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

Result = TypeVar("Result")


class Executor:
    """A few threads for database work; each keeps its connection until that fails."""

    def __init__(self, name: str, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, name, initializer=write_first)

    async def run(self, work: Callable[..., Result], *given: object) -> Result:
        """Run ``work(*given)`` in the executor and return its result, or raise its exception."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, call_with_connection, work, *given)

    def close(self) -> None:
        """Wait for running work to finish and close every thread's connection. The threads wait at
        most a second for each other.
        """
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
