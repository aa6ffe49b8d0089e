"""uvicorn instead of Daphne: the same limits and the same stop, about twice the speed.

uvicorn and uvloop are not among the site's requirements; ``requirements-uvicorn.txt`` names them.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rpsite.processes.limits import (
    END_LIMIT,
    HTTP_TIMEOUT,
    LONGEST_FRAME,
    PING_INTERVAL,
    PING_TIMEOUT,
    STOP_LIMIT,
    UnhandledFrames,
)

log = logging.getLogger(__name__)

Hook = Callable[[], Awaitable[None]]
#: Seconds for running requests, after the live parts have stopped.
REQUESTS_LIMIT: Final = 1


class Wire:
    """A connection for ``games.realtime.send_buffer``."""

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._transport: asyncio.Transport = protocol.transport

    def unsent(self) -> int:
        """Return the number of bytes not sent yet."""
        return self._transport.get_write_buffer_size()

    def deafen(self) -> None:
        """Stop reading, and keep uvicorn from resuming it."""
        self._transport.pause_reading()
        self._protocol.read_paused = False

    def drop(self) -> None:
        """Abort the connection and drop its buffer; closing it would wait for the reader."""
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
            super().data_received(data[at : at + LONGEST_FRAME])

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

    async def run_asgi(self) -> None:
        scope: Any = self.scope
        scope["wire"] = Wire(self)
        await super().run_asgi()


class Server(uvicorn.Server):
    """uvicorn with the shutdown of ``manage.py web``.

    The live parts start by the application's lifespan, before the first connection is accepted.
    By default uvicorn closes all sockets with 1012 before the lifespan ends; here the live parts
    stop first, so that sockets get their last answers and 4412.
    """

    def __init__(self, application: Any, listener: socket.socket, *, stop: Hook) -> None:
        super().__init__(_configuration(application))
        logging.getLogger("uvicorn.error").addFilter(_is_worth_a_line)
        self._listener = listener
        self._stop = stop
        self.exit_code = 0

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            super().run(sockets or [self._listener])
        except SystemExit as end:
            self.exit_code = int(end.code or 0)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal with exit code 0; uvicorn would end by the signal."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end_soon)
        yield

    def _end_soon(self, *_signal: object) -> None:
        if self.should_exit:
            return
        self.should_exit = True
        # A thread, because a blocked loop could not end the process.
        watchdog = threading.Timer(END_LIMIT, os._exit, [1])
        watchdog.daemon = True
        watchdog.start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, stop the live parts, then shut down uvicorn."""
        for server in self.servers:
            server.close()
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

    is_behind_proxy = getattr(settings, "TRUST_PROXY", False)
    return uvicorn.Config(
        application,
        loop="uvloop",
        http="httptools",
        ws=Protocol,
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
