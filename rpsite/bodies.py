"""The limit on request bodies: the longest form has a few kilobytes, and there are no uploads.
Source: docs/explanation/security.md "Bodies".
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

#: Maximum length of a body, in bytes.
LARGEST: Final = 2**20
#: The answer to a longer one, which ends the connection.
SENTENCE: Final = b"The request is too large: a body has at most 1 MB.\n"
#: Seconds for the client to read it.
FAREWELL: Final = 1.0

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


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
