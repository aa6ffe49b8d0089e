"""Threads that hold a database connection: reads never wait behind Django's one shared thread.

Source: docs/concurrency.md "Threads"; docs/performance.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

Result = TypeVar("Result")


class Lane:
    """A few threads for database work; each keeps its connection until that fails."""

    def __init__(self, name: str, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def run(self, work: Callable[..., Result], *given: object) -> Result:
        """Run ``work(*given)`` in the lane and return its result, or raise what it raised."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, call_with_connection, work, *given)

    def close(self) -> None:
        """Finish what is under way and let the connections go."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def call_with_connection(work: Callable[..., Result], *given: object) -> Result:
    """Call ``work`` and drop this thread's connection when the database failed it."""
    try:
        return work(*given)
    except (OperationalError, InterfaceError):
        connection.close()
        raise
