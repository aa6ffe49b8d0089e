"""A request to uvicorn with limits on its head and on the time in which it comes. uvicorn has
neither: a head without end would fill the memory, and a silent client never leave.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rpsite.processes.limits import LONGEST_HEAD, REQUEST_TIME

_REFUSAL: Final = "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
LATE: Final = (_REFUSAL % "408 Request Timeout").encode()
LONG: Final = (_REFUSAL % "431 Request Header Fields Too Large").encode()


class RequestProtocol(HttpToolsProtocol):
    """One connection: each request on it must end in time, and its head within a length."""

    _clock: asyncio.TimerHandle | None = None
    _head = 0
    _is_in_head = True

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._clock is None and self._is_in_head:
            self._start_clock()
        if self._is_in_head:
            self._head += len(data)
        super().data_received(data)
        if self._is_in_head and self._head > LONGEST_HEAD:
            self._refuse(LONG)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        # With colon, space and the end of the line.
        length = sum((len(name) + len(value) + 4 for name, value in self.headers), len(self.url))
        if length > LONGEST_HEAD:
            self._refuse(LONG)
            # The parser stops at an error of a callback.
            raise ValueError("the head is too long")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_clock()
        self._is_in_head, self._head = True, 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_clock()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def _start_clock(self) -> None:
        self._clock = self.loop.call_later(REQUEST_TIME, self._end)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _end(self) -> None:
        if self.flow.read_paused:
            # The site itself is late: it has not taken what came.
            self._start_clock()
        else:
            self._refuse(LATE)

    def _refuse(self, answer: bytes) -> None:
        self._stop_clock()
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()
