"""One accepted connection of each server without a network: bytes in, texts and frames out."""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple, Self

from daphne.ws_protocol import WebSocketFactory
from twisted.internet.testing import StringTransport
from uvicorn.server import ServerState

from bench.wire import CLOSE, PONG, decode
from rpsite.processes import daphne_protocols, uvicorn_server
from rpsite.processes.limits import LONGEST_FRAME

HEAD = (
    b"GET /ws/x/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Sent(NamedTuple):
    opcode: int
    payload: bytes


def frames_of(data: bytes) -> list[Sent]:
    found, rest = decode(data)
    assert rest == b""
    return [Sent(*each) for each in found]


class Connection:
    """The common part of both servers' connections: ``texts`` reached the application."""

    def __init__(self) -> None:
        self.texts: list[str | bytes] = []
        self.scope: dict[str, Any] = {}
        self.writes: list[bytes] = []
        self._queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._receive: Callable[[bytes], None]

    async def open(self, early: bytes = b"") -> Self:
        """Shake hands and listen; ``early`` arrives before the handshake is answered."""
        self.feed(HEAD)
        self.feed(early)
        await asyncio.sleep(0)
        await self._accept()
        self.writes.clear()
        if "direct" in self.scope:
            self.scope["direct"].listen(self.texts.append)
        return self

    async def _accept(self) -> None: ...

    def feed(self, data: bytes) -> None:
        if data:
            self._receive(data)
        while not self._queue.empty():
            message = self._queue.get_nowait()
            if message["type"] == "websocket.receive":
                self.texts.append(message.get("text") or message.get("bytes") or "")

    @property
    def sent(self) -> list[Sent]:
        """The frames that were written since the handshake."""
        return frames_of(b"".join(self.writes))

    @property
    def pongs(self) -> list[bytes]:
        return [frame.payload for frame in self.sent if frame.opcode == PONG]

    @property
    def close_code(self) -> int | None:
        found = (frame.payload for frame in self.sent if frame.opcode == CLOSE)
        return next((int.from_bytes(payload[:2]) for payload in found), None)


class _Transport(asyncio.Transport):
    """A connection that takes everything; reading is never really paused."""

    def __init__(self, writes: list[bytes]) -> None:
        super().__init__()
        self._writes, self._is_closing = writes, False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def write(self, data: Any) -> None:
        if not self._is_closing:
            self._writes.append(bytes(data))

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        self._is_closing = True

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class OnUvicorn(Connection):
    def __init__(self, kind: type[uvicorn_server.Protocol]) -> None:
        super().__init__()

        async def application(scope: Any, receive: Any, send: Any) -> None:
            self.scope = scope
            await asyncio.Event().wait()

        configuration = uvicorn_server._configuration(application)
        configuration.load()
        self.protocol = kind(configuration, ServerState(), {})
        self.protocol.queue = self._queue  # type: ignore[assignment]
        self.transport = _Transport(self.writes)
        self.protocol.connection_made(self.transport)
        self._receive = self.protocol.data_received

    async def _accept(self) -> None:
        await self.protocol.send({"type": "websocket.accept", "headers": []})

    async def close(self, code: int) -> None:
        await self.protocol.send({"type": "websocket.close", "code": code})


class _Twisted(StringTransport):
    """A connection that takes ``room`` bytes, as Twisted's, and buffers the rest."""

    def __init__(self, writes: list[bytes]) -> None:
        super().__init__()
        self._writes, self.room = writes, 2**30
        self.dataBuffer, self.offset = b"", 0

    @property
    def _tempDataLen(self) -> int:  # noqa: N802 - Twisted's name
        return 0

    def writeSomeData(self, data: bytes) -> int:  # noqa: N802 - Twisted's name
        taken, self.room = data[: self.room], max(0, self.room - len(data))
        self._writes.append(taken)
        return len(taken)

    def write(self, data: bytes) -> None:
        if self.room:
            self._writes.append(data)
        else:
            self.dataBuffer += data

    def unregisterProducer(self) -> None: ...  # noqa: N802 - Twisted's name

    def setTcpNoDelay(self, value: bool) -> None: ...  # noqa: N802 - Twisted's name


class OnDaphne(Connection):
    """A connection of Daphne, to which it is also the server."""

    proxy_forwarded_address_header = None
    root_path = ""
    ping_interval, websocket_timeout, websocket_connect_timeout = 15, 86400, 5

    def __init__(self, kind: type[daphne_protocols.Protocol]) -> None:
        super().__init__()
        factory = WebSocketFactory(self)
        factory.protocol = kind
        factory.setProtocolOptions(
            allowNullOrigin=True,
            maxMessagePayloadSize=LONGEST_FRAME,
            maxFramePayloadSize=LONGEST_FRAME,
            failByDrop=False,
            # Timers would need a reactor.
            openHandshakeTimeout=0,
            closeHandshakeTimeout=0,
            autoPingTimeout=0,
        )
        self.protocol = factory.buildProtocol(None)
        self.protocol._raw_query_string = b""
        self.transport = _Twisted(self.writes)
        self.protocol.makeConnection(self.transport)
        self._receive = self.protocol.dataReceived

    async def _accept(self) -> None:
        self.protocol.serverAccept()

    async def close(self, code: int) -> None:
        self.protocol.serverClose(code)

    # What Daphne's protocol asks its server.

    def protocol_connected(self, protocol: Any) -> None: ...

    def protocol_disconnected(self, protocol: Any) -> None: ...

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        protocol.extend(scope)
        self.scope = scope
        return self._queue

    def log_action(self, *given: Any) -> None: ...
