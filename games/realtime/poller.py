"""A base class for parts that reload on request, in a task for the life of the process."""

import asyncio
import contextlib

from games.realtime.executors import Executor


class Poller:
    """A part of the web process with one task, which subclasses define."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task."""
        self._task = asyncio.create_task(self._refresh())

    async def stop(self) -> None:
        """Cancel the task and wait for its end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def hinted(self, topic: str, key: int | str) -> None:
        """Handle a hint from another process; the default ignores it."""

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
