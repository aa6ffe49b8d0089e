"""Daphne with hooks. Imports Twisted's reactor: only the command ``web`` may import this module."""

import asyncio
import logging
import signal
import socket
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

# Comes first: it chooses asyncio's reactor.
from daphne.server import Server as Daphne  # isort: skip
from twisted.internet import defer, reactor

from rpsite.processes.daphne_protocols import Channel, Request, socket_protocol  # isort: skip
from rpsite.processes.limits import (  # isort: skip
    HTTP_TIMEOUT,
    LONGEST_FRAME,
    PING_INTERVAL,
    PING_TIMEOUT,
    STOP_LIMIT,
    end_in_time,
    until_drained,
)

log = logging.getLogger(__name__)

LIMITS: Final = {
    "websocket_max_message_size": LONGEST_FRAME,
    "websocket_max_frame_size": LONGEST_FRAME,
    "ping_interval": PING_INTERVAL,
    "ping_timeout": PING_TIMEOUT,
    "http_timeout": HTTP_TIMEOUT,
    "websocket_connect_timeout": 5,
}
#: Seconds from the signal until running requests have been answered.
REQUESTS_LIMIT: Final = 4.4
#: Seconds to wait for the browsers' close frames: if one arrives after the process has ended, the
#: system resets the connection, and the browser does not read our close code.
FAREWELL_LIMIT: Final = 1.5

Hook = Callable[[], Coroutine[Any, Any, None]]


class Server(Daphne):
    """Daphne with hooks: ``start`` runs before the first connection is accepted, ``drain`` after
    the first SIGTERM or SIGINT until its end or a second one, then ``stop``. Requests under way are
    finished.
    """

    def __init__(
        self, application: Any, listener: socket.socket, *, start: Hook, drain: Hook, stop: Hook
    ) -> None:
        super().__init__(
            application,
            endpoints=["listener"],  # Daphne wants one; ours is the socket itself
            signal_handlers=False,
            server_name="",
            **LIMITS,
            **_proxy_headers(),
        )
        self._listener = listener
        self._start, self._drain, self._stop = start, drain, stop
        self._port: Any = None
        self._draining: asyncio.Task[None] | None = None
        self.exit_code = 0

    def run(self) -> None:
        # Daphne would listen first: it gets no endpoint, and starts the rest later.
        self.endpoints: list[str] = []
        self.ready_callable = self._prepare
        super().run()

    def _prepare(self) -> None:
        """Runs between Daphne's set-up and the reactor's first turn."""
        self.http_factory.protocol = Channel
        self.http_factory.buildProtocol = _with_requests_of_ours(self.http_factory.buildProtocol)
        self.ws_factory.protocol = socket_protocol()
        self.ws_factory.setProtocolOptions(
            # Say why a socket is closed (1007, 1009) instead of dropping it.
            failByDrop=False,
            # A pong shows that the client reads; a message shows only that it writes.
            autoPingRestartOnAnyTraffic=False,
            # Views are small, and the compressed size would reveal secrets.
            perMessageCompressionAccept=lambda _: None,
        )
        loop = reactor._asyncioEventloop
        if not loop.get_debug():
            # The loop asks both many times for each action: here without a Python call.
            loop.get_debug, loop.time = bool, time.monotonic
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end_soon)
        self._beginning = loop.create_task(self._begin())

    async def _begin(self) -> None:
        try:
            await self._start()
        except Exception:
            log.exception("the live part could not start")
            self.exit_code = 1
            self.stop()
            return
        if self._draining is None:
            self._listener.setblocking(False)
            self._port = reactor.adoptStreamPort(
                self._listener.fileno(), self._listener.family, self.http_factory
            )

    def _end_soon(self) -> None:
        if self._draining is not None:
            self._draining.cancel()
            return
        loop = asyncio.get_running_loop()
        self._draining = loop.create_task(self._drain())
        self._ending = loop.create_task(self._end(self._draining))

    async def _end(self, draining: asyncio.Task[None]) -> None:
        try:
            if self._port is not None:
                stopped = defer.maybeDeferred(self._port.stopListening)
                await stopped.asFuture(asyncio.get_running_loop())
        except Exception:
            log.exception("the port could not be closed")
        await until_drained(draining)
        end_in_time()
        begun = time.monotonic()
        try:
            await asyncio.wait_for(self._stop(), STOP_LIMIT)
        except Exception:
            log.exception("the live part failed to stop")
        await self._finish("websocket", FAREWELL_LIMIT)
        await self._finish("http", begun + REQUESTS_LIMIT - time.monotonic())
        self.stop()

    async def _finish(self, kind: str, patience: float) -> None:
        """Wait for running requests, or for closed sockets to end."""
        running = [
            details["application_instance"]
            for protocol, details in self.connections.items()
            if getattr(protocol, "application_type", "http") == kind
            and "application_instance" in details
        ]
        if running and patience > 0:
            await asyncio.wait(running, timeout=patience)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] == "websocket":
            protocol.extend(scope)
        return super().create_application(protocol, scope)

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Pass on an answer; Autobahn needs close codes as plain int, not as an enumeration."""
        if message["type"] == "websocket.close" and message.get("code") is not None:
            message = message | {"code": int(message["code"])}
        await super().handle_reply(protocol, message)

    def kill_all_applications(self) -> Any:
        """Cancel the rest; Daphne's method fails on a connection whose application has ended."""
        left = [
            details["application_instance"]
            for details in self.connections.values()
            if "application_instance" in details and not details["application_instance"].done()
        ]
        for application in left:
            application.cancel()
        # Wait for the cancelled applications; ignore their results.
        return defer.Deferred.fromFuture(
            asyncio.ensure_future(_settled(left), loop=reactor._asyncioEventloop)
        )


async def _settled(futures: list[Any]) -> None:
    await asyncio.gather(*futures, return_exceptions=True)


def _with_requests_of_ours(build: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def built(address: Any) -> Any:
        channel = build(address)
        channel.requestFactory = Request
        return channel

    return built


def _proxy_headers() -> dict[str, Any]:
    """Return Daphne's options for proxy headers, where the settings trust a proxy."""
    from django.conf import settings

    if not settings.TRUST_PROXY:
        return {}
    return {
        "proxy_forwarded_address_header": "X-Forwarded-For",
        "proxy_forwarded_port_header": "X-Forwarded-Port",
        "proxy_forwarded_proto_header": "X-Forwarded-Proto",
    }
