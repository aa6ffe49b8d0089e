"""An id for each request, under which everything is logged that it does.
Source: docs/how-to/run-a-site.md "Logs".
"""

from typing import Any

from games.realtime.access import new_id, trace
from rpsite.bodies import Application, Receive, Send


def traced(application: Application) -> Application:
    """Return the application with an id for each of its requests."""

    async def give(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        trace.set(new_id())
        await application(scope, receive, send)

    return give
