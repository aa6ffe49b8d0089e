"""The site as an ASGI application: Django's pages, the games' sockets, start and end."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from typing import Any

import django

from rpsite.variables import require_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.prod")
require_settings()
# Django must be set up before anything that imports models.
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter  # noqa: E402

from games.realtime import runtime  # noqa: E402
from games.realtime.page_queue import page_queue  # noqa: E402
from rpsite.access_log import Pages, logged, traced  # noqa: E402
from rpsite.errors import crowded  # noqa: E402
from rpsite.input import Receive, Send, SmallBodies  # noqa: E402
from rpsite.metrics import Metrics  # noqa: E402
from rpsite.processes.limits import let_collector_rest  # noqa: E402
from rpsite.processes.signs import give_signs  # noqa: E402
from rpsite.routing import websocket_application  # noqa: E402

log = logging.getLogger(__name__)

#: The task that gives signs of life.
_signs: list[asyncio.Task[None]] = []


async def start() -> None:
    """Start this process's live parts; from now on its loop gives signs of life."""
    _signs[:] = [asyncio.get_running_loop().create_task(give_signs())]
    await runtime.start()


class Lifespan:
    """ASGI's lifespan, by which other servers than our Daphne ask for the start and the end."""

    def __init__(self, **hooks: Callable[[], Awaitable[None]]) -> None:
        self._hooks = hooks

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        for name, hook in self._hooks.items():
            kind, message = f"lifespan.{name}", await receive()
            assert message["type"] == kind, message
            try:
                await hook()
            except Exception as problem:
                log.exception("%s failed", kind)
                await send({"type": f"{kind}.failed", "message": repr(problem)})
                return
            await send({"type": f"{kind}.complete"})


pages = Pages()
application = ProtocolTypeRouter(
    {
        "http": Metrics(traced(logged(SmallBodies(page_queue.limited(pages, crowded))))),
        "websocket": websocket_application,
        "lifespan": Lifespan(startup=start, shutdown=runtime.stop),
    }
)

let_collector_rest()
