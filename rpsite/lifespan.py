"""The start of the live parts, and ASGI's lifespan, by which servers but our Daphne ask for it.
Source: docs/how-to/run-a-site.md "Another ASGI server".
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from games.realtime import runtime
from rpsite.processes.signs import give_signs

log = logging.getLogger(__name__)

Hook = Callable[[], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


#: The task that gives signs of life.
_signs: list[asyncio.Task[None]] = []


async def start() -> None:
    """Start this process's live parts; from now on its loop gives signs of life."""
    _signs[:] = [asyncio.get_running_loop().create_task(give_signs())]
    await runtime.start()


class Lifespan:
    """Runs ``start`` before the first connection is accepted and ``stop`` at the end."""

    def __init__(self, start: Hook, stop: Hook) -> None:
        self._hooks = {"lifespan.startup": start, "lifespan.shutdown": stop}

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer the server's two messages; a failure is logged and reported to the server."""
        for kind, hook in self._hooks.items():
            message = await receive()
            assert message["type"] == kind, message
            try:
                await hook()
            except Exception as problem:
                log.exception("%s failed", kind)
                await send({"type": f"{kind}.failed", "message": repr(problem)})
                return
            await send({"type": f"{kind}.complete"})
