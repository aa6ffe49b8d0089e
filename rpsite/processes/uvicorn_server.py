"""uvicorn instead of Daphne (``requirements-uvicorn.txt``): the same limits and stop, about twice
the speed.
"""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rpsite.processes.direct import Direct, is_tested
from rpsite.processes.limits import (
    HTTP_TIMEOUT,
    LONGEST_FRAME,
    LONGEST_HEAD,
    PING_INTERVAL,
    PING_TIMEOUT,
    REQUEST_TIME,
    STOP_LIMIT,
    UnhandledFrames,
    end_in_time,
    until_drained,
)

log = logging.getLogger(__name__)

Hook = Callable[[], Coroutine[Any, Any, None]]
#: Seconds for running requests, after the live parts have stopped.
REQUESTS_LIMIT: Final = 1
_REFUSAL: Final = "HTTP/1.1 %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
LATE: Final = (_REFUSAL % "408 Request Timeout").encode()
LONG: Final = (_REFUSAL % "431 Request Header Fields Too Large").encode()
#: The versions with which the direct way was tested.
TESTED: Final = {"uvicorn": "0.54.0", "websockets": "17.4"}
#: The answer to a handshake that cannot be read.
UNREADABLE: Final = (_REFUSAL % "400 Bad Request").encode()


class Server(uvicorn.Server):
    """uvicorn with the shutdown of ``manage.py web``: the live parts stop before it closes the
    sockets, so that these get their last answers and 4412 instead of 1012.
    """

    def __init__(
        self, application: Any, listener: socket.socket, *, drain: Hook, stop: Hook
    ) -> None:
        super().__init__(_configuration(application))
        logging.getLogger("uvicorn.error").addFilter(_is_worth_a_line)
        self._listener = listener
        self._drain, self._stop = drain, stop
        self._draining: asyncio.Task[None] | None = None
        self.exit_code = 0

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            super().run(sockets or [self._listener])
        except SystemExit as end:
            self.exit_code = int(end.code or 0)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Drain at the first signal, end at the second, with exit code 0, not by the signal."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end_soon)
        yield

    def _end_soon(self, *_signal: object) -> None:
        self.should_exit = True
        if self._draining is not None:
            self._draining.get_loop().call_soon_threadsafe(self._draining.cancel)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, drain, stop the live parts, then shut down uvicorn."""
        for server in self.servers:
            server.close()
        self._draining = asyncio.get_running_loop().create_task(self._drain())
        await until_drained(self._draining)
        end_in_time()
        try:
            await asyncio.wait_for(self._stop(), STOP_LIMIT)
        except Exception:
            log.exception("the live part failed to stop")
        await super().shutdown(sockets)


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """Filter out the stack trace that uvicorn logs for every client's text that is not UTF-8."""
    return not record.getMessage().startswith("Invalid UTF-8 sequence")


def _configuration(application: Any) -> uvicorn.Config:
    from django.conf import settings

    is_behind_proxy = settings.TRUST_PROXY
    return uvicorn.Config(
        application,
        loop="uvloop",
        http=RequestProtocol,
        ws=socket_protocol(),
        ws_max_size=LONGEST_FRAME,
        ws_ping_interval=PING_INTERVAL,
        ws_ping_timeout=PING_TIMEOUT,
        # Views are small, and the compressed size would reveal secrets.
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        # Otherwise every handshake would be logged.
        log_level=logging.WARNING,
        access_log=False,
        proxy_headers=is_behind_proxy,
        forwarded_allow_ips="*" if is_behind_proxy else None,
        server_header=False,
        timeout_keep_alive=HTTP_TIMEOUT,
        timeout_graceful_shutdown=REQUESTS_LIMIT,
    )


class RequestProtocol(HttpToolsProtocol):
    """A connection on which each request must end in time, and its head within a length: uvicorn
    limits neither, so a head without end would fill the memory.
    """

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


class Wire:
    """A connection for ``games.realtime.send_buffer``."""

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._transport: asyncio.Transport = protocol.transport

    def unsent(self) -> int:
        return self._transport.get_write_buffer_size()

    def deafen(self) -> None:
        self._transport.pause_reading()
        # Or uvicorn would resume it.
        self._protocol.read_paused = False

    def drop(self) -> None:
        # Closing it would wait for the reader.
        self._transport.abort()


class Protocol(WebSocketsSansIOProtocol):
    """A socket with access to its connection, which drops a client that floods it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._unhandled = UnhandledFrames()

    def data_received(self, data: bytes) -> None:
        """Read in small pieces: uvloop's 256 KiB hold 40,000 frames, a second of work."""
        for at in range(0, len(data), LONGEST_FRAME):
            if self.transport.is_closing():
                break
            self.read(data[at : at + LONGEST_FRAME])

    def read(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            # uvicorn would leave it without an answer: a body, or a long header.
            self.transport.write(b"".join(self.conn.data_to_send()) or UNREADABLE)
            self.transport.close()

    def handle_cont(self, event: Any) -> None:
        if self._is_taken():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._is_taken():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._is_taken():
            super().handle_pong(event)

    def _is_taken(self) -> bool:
        """Count a frame; drop the connection if it is one too many."""
        is_flood = self._unhandled.is_flood()
        if is_flood and not self.transport.is_closing():
            log.info("ws.lost: a flood of pings, pongs or pieces")
            self.transport.abort()
        return not is_flood

    def extend(self, scope: dict[str, Any]) -> None:
        scope["wire"] = Wire(self)

    async def run_asgi(self) -> None:
        scope: Any = self.scope
        self.extend(scope)
        await super().run_asgi()


class DirectProtocol(Protocol):
    """A socket whose texts pass websockets and ASGI by."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._direct = Direct(super().read, self._write)

    def extend(self, scope: dict[str, Any]) -> None:
        super().extend(scope)
        scope["direct"] = self._direct

    def read(self, data: bytes) -> None:
        self._direct.receive(data)

    def _write(self, data: bytes) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(data)


def socket_protocol() -> type[Protocol]:
    """Return the protocol of sockets for the installed versions."""
    return DirectProtocol if is_tested(TESTED) else Protocol
