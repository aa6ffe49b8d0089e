"""A request to Daphne whose body has an end.

Daphne asks the application only when it has the whole body, and then holds it twice: what is too
long must be refused while it comes.
"""

import asyncio
from typing import Any, Final

from daphne.http_protocol import WebRequest

from rpsite.bodies import FAREWELL, LARGEST, SENTENCE

_REFUSAL: Final = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: " + str(len(SENTENCE)).encode() + b"\r\n\r\n" + SENTENCE
)


class Request(WebRequest):
    """Refuses by the announced length, and by what has come."""

    _taken = 0
    _is_refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        is_long = length is not None and length > LARGEST
        # Twisted makes a file for a long body, of which nothing will come.
        super().gotLength(0 if is_long else length)
        if is_long:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        self._taken += len(data)
        if self._is_refused:
            return
        if self._taken > LARGEST:
            self._refuse()
        else:
            super().handleContentChunk(data)

    def process(self) -> Any:
        return None if self._is_refused else super().process()

    def _refuse(self) -> None:
        self._is_refused = True
        transport = self.channel.transport
        transport.write(_REFUSAL)
        # What still comes is thrown away: who is cut off while writing reads nothing.
        asyncio.get_running_loop().call_later(FAREWELL, transport.abortConnection)
