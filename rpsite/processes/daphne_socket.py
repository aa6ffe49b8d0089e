"""Daphne's sockets: their limits, and the direct way of their texts. All that the site uses of the
internals of Daphne, Autobahn and Twisted for a socket is here.
"""

import logging
from typing import Any, Final

from daphne.ws_protocol import WebSocketProtocol

from rpsite.processes.direct import Direct, is_tested
from rpsite.processes.limits import LONGEST_FRAME, UnhandledFrames

log = logging.getLogger(__name__)

#: The versions with which the direct way was tested.
TESTED: Final = {"daphne": "4.2.3", "autobahn": "26.10.2", "Twisted": "26.10.0"}
#: Bytes per read; Twisted's 64 KiB hold about 3,000 small frames, read before one is checked.
READ_AT_ONCE: Final = LONGEST_FRAME
#: Text and binary; the frames of 0 continue a message.
MESSAGE_OPCODES: Final = (1, 2)


class Wire:
    """A connection for ``games.realtime.socket``. Twisted accepts all data at once and buffers
    what the network does not accept.
    """

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol

    def unsent(self) -> int:
        """Return the number of bytes in Twisted's buffer."""
        transport = self._protocol.transport
        kept: int = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
        return kept

    def deafen(self) -> None:
        """Stop reading from the connection."""
        self._protocol.transport.pauseProducing()

    def drop(self) -> None:
        """Drop the connection and its buffer."""
        self._protocol.transport.abortConnection()


class Protocol(WebSocketProtocol):
    """A socket that limits incoming messages only; Autobahn's limit is for outgoing ones too."""

    maxMessagePayloadSize: int  # noqa: N815 - Autobahn's name
    last_ping: float
    current_frame: Any

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        """Read in small pieces: a flooding client is closed before more is read."""
        super().connectionMade()
        self.transport.bufferSize = READ_AT_ONCE
        self._unhandled = UnhandledFrames()

    def onFrameBegin(self) -> None:  # noqa: N802 - Autobahn's name
        """Drop a client that floods with frames other than the first ones of messages."""
        super().onFrameBegin()
        if self.current_frame.opcode not in MESSAGE_OPCODES and self._unhandled.is_flood():
            self.wasNotCleanReason = "a flood of pings, pongs or pieces"
            self.dropConnection(abort=True)

    def extend(self, scope: dict[str, Any]) -> None:
        """Put what a socket may use of its connection into its scope."""
        scope["wire"] = Wire(self)

    def sendMessage(self, *given: Any, **named: Any) -> None:  # noqa: N802 - Autobahn's name
        """Send a message of any length, such as a full lobby."""
        limit, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            super().sendMessage(*given, **named)
        finally:
            self.maxMessagePayloadSize = limit

    def onClose(self, was_clean: bool, code: Any, reason: Any) -> None:  # noqa: N802
        """Log the reason if Autobahn dropped the connection, such as an unanswered ping."""
        if self.droppedByMe and not was_clean:
            log.info("ws.lost: %s", reason)
        super().onClose(was_clean, code, reason)

    def onMessage(self, *given: Any) -> None:  # noqa: N802 - Autobahn's name
        """Pass on a message; the keep-alive ping is sent even while messages arrive."""
        asked_at = self.last_ping
        super().onMessage(*given)
        self.last_ping = asked_at


class DirectProtocol(Protocol):
    """A socket whose texts pass Autobahn, ASGI and Twisted's buffer by, if that is empty."""

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        super().connectionMade()
        self._direct = Direct(super().dataReceived, self._write)

    def extend(self, scope: dict[str, Any]) -> None:
        super().extend(scope)
        scope["direct"] = self._direct

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        self._direct.receive(data)

    def _write(self, data: bytes) -> None:
        if self.state != self.STATE_OPEN:
            return
        transport = self.transport
        if not transport.dataBuffer and not transport._tempDataLen:
            # Waiting for the reactor's next turn would cost two changes of its selector.
            sent = transport.writeSomeData(data)
            data = data[sent:] if isinstance(sent, int) else data
        if data:
            transport.write(data)


def socket_protocol() -> type[Protocol]:
    """Return the protocol of sockets for the installed versions."""
    return DirectProtocol if is_tested(TESTED) else Protocol
