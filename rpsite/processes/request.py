"""A request to Daphne with limits on its body and on the time in which it comes. Daphne calls the
application only after it has received the whole body, and then holds it twice: a body that is too
long must be refused while it is received.
"""

import asyncio
from typing import Any, Final

from daphne.http_protocol import WebRequest
from twisted.web.http import HTTPChannel

from rpsite.bodies import FAREWELL, LARGEST, SENTENCE
from rpsite.processes.limits import REQUEST_TIME

_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_REFUSAL: Final = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: " + str(len(SENTENCE)).encode() + b"\r\n\r\n" + SENTENCE
)


class Request(WebRequest):
    """Refuses a body by its announced and by its received length."""

    _taken = 0
    _is_refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        is_long = length is not None and length > LARGEST
        # Twisted would create a file for a long body.
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
        # Discard the rest: a client that is cut off while writing reads no answer.
        asyncio.get_running_loop().call_later(FAREWELL, transport.abortConnection)


class Channel(HTTPChannel):
    """A connection on which each request must end in time; Twisted's limit is for silence only. The
    request may become a handshake; Autobahn limits the rest.
    """

    transport: Any
    _clock: Any = None

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        if self._clock is None and not self._handlingRequest:
            self._clock = self.callLater(REQUEST_TIME, self._end)
        super().dataReceived(data)

    def allContentReceived(self) -> None:  # noqa: N802 - Twisted's name
        self._stop_clock()
        super().allContentReceived()

    def connectionLost(self, *reason: Any) -> None:  # noqa: N802 - Twisted's name
        self._stop_clock()
        super().connectionLost(*reason)

    def _stop_clock(self) -> None:
        if self._clock is not None and self._clock.active():
            self._clock.cancel()
        self._clock = None

    def _end(self) -> None:
        self._clock = None
        self.transport.write(_LATE)
        self.timeoutConnection()
