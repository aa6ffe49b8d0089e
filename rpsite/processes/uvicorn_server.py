"""uvicorn instead of Daphne: the same limits and the same stop, about twice the speed. uvicorn and
uvloop are not among the site's requirements; ``requirements-uvicorn.txt`` names them.
"""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final

import uvicorn

from rpsite.processes.ending import end_in_time, until_drained
from rpsite.processes.limits import (
    HTTP_TIMEOUT,
    LONGEST_FRAME,
    PING_INTERVAL,
    PING_TIMEOUT,
    STOP_LIMIT,
)
from rpsite.processes.uvicorn_request import RequestProtocol
from rpsite.processes.uvicorn_socket import socket_protocol

log = logging.getLogger(__name__)

Hook = Callable[[], Coroutine[Any, Any, None]]
#: Seconds for running requests, after the live parts have stopped.
REQUESTS_LIMIT: Final = 1


class Server(uvicorn.Server):
    """uvicorn with the shutdown of ``manage.py web``.

    The live parts start by the application's lifespan, before the first connection is accepted.
    By default uvicorn closes all sockets with 1012 before the lifespan ends; here the live parts
    stop first, so that sockets get their last answers and 4412.
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
