"""ASGI's lifespan, by which servers other than our Daphne start and stop the live parts.

Source: docs/how-to/run-a-site.md "Another ASGI server".
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

log = logging.getLogger(__name__)

Hook = Callable[[], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


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
