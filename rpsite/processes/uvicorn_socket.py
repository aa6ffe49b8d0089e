"""uvicorn's sockets: their limits, and the direct way of their texts.

All that the site uses of the internals of uvicorn and websockets for a socket is here.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rpsite.processes.direct import Direct, is_tested

#: The versions with which the direct way was tested.
TESTED: Final = {"uvicorn": "0.54.0", "websockets": "17.4"}


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
    """A socket with access to its connection."""

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
        self._direct = Direct(super().data_received, self._write)

    def extend(self, scope: dict[str, Any]) -> None:
        super().extend(scope)
        scope["direct"] = self._direct

    def data_received(self, data: bytes) -> None:
        self._direct.receive(data)

    def _write(self, data: bytes) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(data)


def socket_protocol() -> type[Protocol]:
    """Return the protocol of sockets for the installed versions."""
    return DirectProtocol if is_tested(TESTED) else Protocol
