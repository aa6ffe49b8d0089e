"""The edge of what clients send: bodies have a limit, as there are no uploads, and text that no
database stores is refused. PostgreSQL refuses NUL, and neither database half of a surrogate pair.
"""

import asyncio
import codecs
import contextlib
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from psycopg.errors import NumericValueOutOfRange

#: Maximum length of a body, in bytes.
LARGEST: Final = 2**20
#: The answer to a longer one, which ends the connection.
SENTENCE: Final = b"The request is too large: a body has at most 1 MB.\n"
#: Seconds for the client to read it.
FAREWELL: Final = 1.0

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]
_UNSTORABLE: Final = re.compile(r"[\0\ud800-\udfff]")
#: In an address, no control character has a meaning.
_NO_ADDRESS: Final = re.compile(r"[\0-\x1f\x7f\ud800-\udfff]")
#: A cookie in quotes may hold escaped octal digits, those of a NUL too.
_ODD_COOKIE: Final = re.compile(r"\0|\\000")


class StorableInput:
    """Answers 404 to an odd address, and 400 to an odd query, cookie or form. Place it before the
    middlewares that read cookies or forms, and after those that add headers.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _NO_ADDRESS.search(request.path_info):
            raise Http404
        # Another encoding could make such characters of plain ones; a browser's forms are UTF-8.
        if request.encoding and codecs.lookup(request.encoding).name != "utf-8":
            raise BadRequest("not UTF-8")
        if any(_UNSTORABLE.search(text) for text in _texts(request)):
            raise BadRequest("a character that cannot be stored")
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, problem: Exception) -> None:
        """Answer 400 where a form of Django read a number that no column or Python's int takes."""
        is_huge = isinstance(problem, OverflowError) and "SQLite INTEGER" in str(problem)
        is_long = isinstance(problem, ValueError) and "integer string conversion" in str(problem)
        if is_huge or is_long or isinstance(problem.__cause__, NumericValueOutOfRange):
            raise BadRequest("a number that cannot be stored") from problem


class StorableHandshakes:
    """Refuses handshakes with an odd address or cookie, with HTTP 403."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        # Of several headers, a reader may take any.
        cookies = [text.decode("latin-1") for name, text in scope["headers"] if name == b"cookie"]
        is_odd = _NO_ADDRESS.search(scope["path"]) or any(map(_ODD_COOKIE.search, cookies))
        await (refuse if is_odd else self._application)(scope, receive, send)


async def refuse(_: dict[str, Any], receive: Any, send: Any) -> None:
    """Refuse a handshake with HTTP 403; Daphne has no other answer before a socket is open."""
    await receive()
    await send({"type": "websocket.close"})


def _texts(request: HttpRequest) -> Iterator[str]:
    if _ODD_COOKIE.search(request.META.get("HTTP_COOKIE", "")):
        yield "\0"
    # The body is read first: a view could not read that of a multipart form any more.
    for given in (request.GET, request.POST) if request.body else (request.GET,):
        for name, values in given.lists():
            yield name
            yield from values


class SmallBodies:
    """Answers 413 if the announced or the received length is above the limit."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if _announced(scope) > LARGEST:
            await _refuse(receive, send)
            return
        taken, is_refused = 0, False

        async def count() -> dict[str, Any]:
            nonlocal taken, is_refused
            message = await receive()
            taken += len(message.get("body", b""))
            if taken <= LARGEST:
                return message
            is_refused = True
            # The client has gone: read no further.
            return {"type": "http.disconnect"}

        async def say(message: dict[str, Any]) -> None:
            if not is_refused:
                await send(message)

        await self._application(scope, count, say)
        if is_refused:
            await _refuse(receive, send)


def _announced(scope: dict[str, Any]) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    # The server refuses a length that is no number; too many digits mean too long.
    return int(length[:20]) if length.isdigit() else 0


async def _refuse(receive: Receive, send: Send) -> None:
    """Answer and discard the rest: a client that is cut off while writing reads no answer."""
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(SENTENCE)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": SENTENCE, "more_body": True})
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(FAREWELL):
            while (await receive()).get("more_body"):
                pass
    await send({"type": "http.response.body", "body": b""})
