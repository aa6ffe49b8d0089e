"""What looks again when it is told to, in a task of its own, for as long as the process lives."""

from __future__ import annotations

import asyncio

from games.realtime.executors import Executor


class Poller:
    """A part of the web process with one task; subclasses say what it does."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start looking."""
        self._task = asyncio.create_task(self._refresh())

    async def stop(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def hinted(self, topic: str, key: int | str) -> None:
        """Another process has told of something; most have nothing to do with it."""

    async def _refresh(self) -> None:
        """Look whenever ``_wanted`` is set, until cancelled."""
        raise NotImplementedError
