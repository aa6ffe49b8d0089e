"""uvicorn's sockets: their limits, and the direct way of their texts. All that the site uses of the
internals of uvicorn and websockets for a socket is here.
"""

import asyncio
import logging
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rpsite.processes.direct import Direct, is_tested
from rpsite.processes.limits import LONGEST_FRAME, UnhandledFrames

log = logging.getLogger(__name__)

#: The versions with which the direct way was tested.
TESTED: Final = {"uvicorn": "0.54.0", "websockets": "17.4"}
#: The answer to a handshake that cannot be read.
_REFUSAL: Final = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Wire:
    """A connection for ``games.realtime.socket``."""

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
            self.read(data[at : at + LONGEST_FRAME])

    def read(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            # uvicorn would leave it without an answer: a body, or a long header.
            self.transport.write(b"".join(self.conn.data_to_send()) or _REFUSAL)
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
        """Put what a socket may use of its connection into its scope."""
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
