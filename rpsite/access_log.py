"""The access log's lines for requests, and the id under which all that one does is logged."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest

from games.realtime import access
from games.realtime.access import new_id, trace
from rpsite.input import Application, Receive, Send

#: Parts of addresses that are shown; all others may be tokens, names or rooms of a town.
SHOWN: Final = frozenset(("public_id", "slug", "game", "day", "object_id"))
#: Routes of which it is a secret who asks: only some citizens write by night.
SILENT: Final = "room"
#: Addresses that a machine asks every few seconds.
LEFT_OUT: Final = ("/healthz",)
#: The beginning of addresses of which it is a secret that anybody asks.
UNNAMED: Final = "/reads/"
_REQUEST: Final = "request"
#: Threads of pages that wait for a request; ``page_queue`` runs fewer at once.
MOST_IDLE: Final = 8
#: A part of a route, in Django's two ways of writing; and what regular ones begin and end with.
_PART: Final = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:\[[^\]]*\]|[^()\[])*\)")
_ENDS: Final = re.compile(r"\^|\$|\\Z")


def logged(application: Application) -> Application:
    """Return the application with a line for each request that came as far as Django."""

    async def answer(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if not access.is_kept():
            await application(scope, receive, send)
            return
        begun, status = time.monotonic(), 0

        async def noted(message: dict[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await application(scope, receive, noted)
        finally:
            # A request and its scope would be a cycle, which is collected much later.
            request = scope.pop(_REQUEST, None)
            if request and (seen := seen_of(request)):
                ms = access.milliseconds(time.monotonic() - begun)
                access.note("request", **seen, status=status, ms=ms)

    return answer


class Pages(ASGIHandler):
    """Django's pages, of whose requests ``logged`` sees who asked and for what. A request has a
    thread of its own; threads are used again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._idle: list[ThreadPoolExecutor] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1, "page")
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            # Behind its last call: that may still run when the client has gone.
            thread.submit(self._give_back, thread)

    def _give_back(self, thread: ThreadPoolExecutor) -> None:
        if len(self._idle) < MOST_IDLE:
            self._idle.append(thread)
        else:
            thread.shutdown(wait=False)

    # No view is asynchronous: all middleware and the view run in one call of the thread. Django's
    # own chain would go back to the loop, and from there to the thread, before the view.
    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> Any:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)

    def create_request(self, scope: Any, body_file: Any) -> Any:
        made = super().create_request(scope, body_file)
        if access.is_kept():
            scope[_REQUEST] = made[0]
        return made


def seen_of(request: HttpRequest) -> dict[str, Any] | None:
    """Return user, method and path as the access log shows them; None: it shows no line."""
    path, match = request.path_info, request.resolver_match
    if path in LEFT_OUT or path.startswith((UNNAMED, settings.STATIC_URL)):
        return None
    if match is None:
        # An address of nothing may be a token that was cut off.
        return {"user": None, "method": request.method, "path": "?"}
    user = request.META.get(access.ACTING) or getattr(vars(request).get("_cached_user"), "pk", None)
    shown = {name: str(match.kwargs[name]) for name in SHOWN & match.kwargs.keys()}
    route = _PART.sub(lambda found: shown.get(found[1] or found[2], "*"), match.route)
    user = None if SILENT in match.kwargs else user
    return {"user": user, "method": request.method, "path": "/" + _ENDS.sub("", route)}


def traced(application: Application) -> Application:
    """Return the application with an id for each of its requests."""

    async def give(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        trace.set(new_id())
        await application(scope, receive, send)

    return give
