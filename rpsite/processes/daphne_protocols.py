"""Daphne's requests and sockets, with limits, and the direct way of a socket's texts."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from autobahn.twisted import websocket
from autobahn.websocket import protocol as autobahn
from daphne.http_protocol import WebRequest
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import asyncioreactor
from twisted.web.http import HTTPChannel

from rpsite.input import FAREWELL, LARGEST, SENTENCE
from rpsite.processes.direct import Direct, is_tested
from rpsite.processes.limits import LONGEST_FRAME, REQUEST_TIME, UnhandledFrames

log = logging.getLogger(__name__)

#: The versions with which the direct way was tested.
TESTED: Final = {"daphne": "4.2.3", "autobahn": "26.10.2", "Twisted": "26.10.0"}
#: Bytes per read; Twisted's 64 KiB hold about 3,000 small frames, read before one is checked.
READ_AT_ONCE: Final = LONGEST_FRAME
#: Text and binary; the frames of 0 continue a message.
MESSAGE_OPCODES: Final = (1, 2)
_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_REFUSAL: Final = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: " + str(len(SENTENCE)).encode() + b"\r\n\r\n" + SENTENCE
)


def _call(_logger: Any, call: Callable[..., None], *given: Any) -> None:
    call(*given)


# The reactor logs what a call raises; Twisted's own puts the connection's name before it, which
# takes 9 Python calls for each read of a socket.
asyncioreactor.callWithLogger = _call
# For a debug line that nobody reads it prints 29 settings of each connection, for 0.1 to 0.7 ms.
autobahn.pformat = repr  # type: ignore[assignment]  # it is called without its options
# For further ones it colours names and values, in 250 Python calls for each connection.
for _module in (autobahn, websocket):
    vars(_module).update(hltype=type, hlval=str)


class Wire:
    """A connection for ``games.realtime.socket``; Twisted buffers what the network does not
    accept.
    """

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol

    def unsent(self) -> int:
        transport = self._protocol.transport
        kept: int = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
        return kept

    def deafen(self) -> None:
        self._protocol.transport.pauseProducing()

    def drop(self) -> None:
        self._protocol.transport.abortConnection()


class Protocol(WebSocketProtocol):
    """A socket that limits incoming messages only; Autobahn's limit is for outgoing ones too."""

    maxMessagePayloadSize: int  # noqa: N815 - Autobahn's name
    last_ping: float
    current_frame: Any

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        super().connectionMade()
        # A flooding client is closed before more is read.
        self.transport.bufferSize = READ_AT_ONCE
        self._unhandled = UnhandledFrames()

    def onFrameBegin(self) -> None:  # noqa: N802 - Autobahn's name
        super().onFrameBegin()
        if self.current_frame.opcode not in MESSAGE_OPCODES and self._unhandled.is_flood():
            self.wasNotCleanReason = "a flood of pings, pongs or pieces"
            self.dropConnection(abort=True)

    def extend(self, scope: dict[str, Any]) -> None:
        scope["wire"] = Wire(self)

    def sendMessage(self, *given: Any, **named: Any) -> None:  # noqa: N802 - Autobahn's name
        """Send a message of any length, such as a full lobby."""
        limit, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            super().sendMessage(*given, **named)
        finally:
            self.maxMessagePayloadSize = limit

    def onClose(self, was_clean: bool, code: Any, reason: Any) -> None:  # noqa: N802
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


class Request(WebRequest):
    """Refuses a body by its announced and by its received length, while it comes: Daphne calls the
    application only after the whole body, and then holds it twice.
    """

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
