"""The base of every live socket: log-in, limits, an outbox, and a loop that survives errors."""

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, Protocol

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from games.realtime import access, measures, protocol, runtime, sessions
from games.realtime.access import new_id, trace
from games.realtime.limits import Bucket
from games.realtime.protocol import Close, Frame, MalformedFrame
from games.realtime.runtime import Runtime
from games.realtime.sessions import Stamp

log = logging.getLogger(__name__)

#: Seconds of silence after which a socket is closed.  Browsers let a hidden page send one heartbeat
#: a minute; a line without a browser at its other end fails the server's pings before.
IDLE_LIMIT = 90.0

#: What a user would lose by the end of a socket: ``Socket.keeps``.
NOTHING, SEAT, RUNNING = range(3)

#: Questions for the whole at once; then one a second.
QUESTIONS: Final = 3
#: Seconds from a close frame to the end of the connection, even if the client does not read it.
FAREWELL: Final = 2.0
#: Seconds of lag after which a client is disconnected.
LAG_LIMIT: Final = 15.0


class Wire(Protocol):
    """The connection below a socket; our servers buffer what the network does not take, and put a
    ``Wire`` into the scope. For other servers only the outbox counts.
    """

    def unsent(self) -> int:
        """Return the number of bytes that wait for the network."""

    def deafen(self) -> None:
        """Stop reading from the connection."""

    def drop(self) -> None:
        """End the connection and discard the waiting bytes."""


class Direct(Protocol):
    """The way of texts past the server's library, where a server has one."""

    def listen(self, take: Callable[[str], None] | None) -> None:
        """Give each text that arrives from now on to ``take``, except those in ASGI's messages."""

    def send(self, texts: Iterable[str]) -> None:
        """Write texts in one piece."""

    def ping(self, told: Callable[[float], None]) -> None:
        """Send a ping; ``told`` gets the seconds until its pong."""


class SendBuffer:
    """The bytes that one socket was sent, and the unsent part of them; more than ``limit`` may not
    wait before a further message.
    """

    def __init__(self, scope: dict[str, Any], limit: int) -> None:
        self._wire: Wire | None = scope.get("wire")
        self._limit = limit
        self._told = 0
        self._outbox = 0
        self._mark = (time.monotonic(), 0)

    def take(self, text: str) -> bool:
        """Count a message that is queued; return False, and do not, if more than ``limit`` bytes
        wait: one message of any size always fits.
        """
        unsent = self._wire.unsent() if self._wire else 0
        if self._outbox + unsent > self._limit:
            return False
        self._told += len(text)
        self._outbox += len(text)
        return True

    def handed_over(self, texts: Iterable[str]) -> None:
        self._outbox -= sum(map(len, texts))

    def waiting(self) -> int:
        """Return the number of bytes that wait, here and in the server."""
        return self._outbox + (self._wire.unsent() if self._wire else 0)

    def is_stuck(self) -> bool:
        """Whether bytes have been waiting for 15 s; to be called every few seconds."""
        now, waiting = time.monotonic(), self.waiting()
        since, told = self._mark
        if waiting == 0 or self._told - waiting >= told:
            self._mark = (now, self._told)
            return False
        return now - since > LAG_LIMIT

    def deafen(self) -> None:
        if self._wire is not None:
            self._wire.deafen()

    def drop_soon(self) -> None:
        """Drop the connection after ``FAREWELL`` s, even with unsent bytes."""
        if self._wire is not None:
            asyncio.get_running_loop().call_later(FAREWELL, self._wire.drop)


class Socket(AsyncWebsocketConsumer):
    """One socket to one subject, which subclasses define. Its dispatch needs no thread hop and no
    task for a message; what it is told in one turn of the loop is written in one piece.
    """

    #: Whether guests may connect.
    allows_guests = True
    #: Sockets of one allowance count together towards a user's limit of open sockets.
    allowance = "tables"

    def __init__(self) -> None:
        super().__init__()
        self.stamp: Stamp | None = None
        #: The subject that ``look_up`` found.
        self.subject: Any = None
        self.runtime: Runtime
        self.opened = time.monotonic()
        self._heard = self.opened
        #: When its user did something here; 0.0: only heartbeats have come.
        self.acted = 0.0
        #: When its page last said that it is visible; it says so only where that matters.
        self.visible_at = -math.inf
        #: The id of this socket in logs, and the number of frames that it has heard.
        self._id, self._number = new_id(), 0
        self._direct: Direct | None = None
        self._outbox: deque[str] = deque()
        self._send_buffer = SendBuffer({}, settings.SOCKET_UNSENT)
        self._sending: asyncio.Task[None] | None = None
        self._closing: int | None = None
        self._frames = Bucket(settings.SOCKET_RATE, settings.SOCKET_BURST)
        self._bad_frames = Bucket(settings.BAD_FRAMES / 10, settings.BAD_FRAMES - 1)
        self._questions = Bucket(1, QUESTIONS)

    @property
    def user_id(self) -> int | None:
        return self.stamp.user_id if self.stamp else None

    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[dict[str, Any]]],
        send: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        """Serve the socket until it ends; always unregister and unsubscribe it."""
        trace.set(self._id)
        self.scope, self.base_send = scope, send
        self._direct = scope.get("direct")
        if not await self._open(await receive()):
            return
        try:
            self.entered()
            if self._direct is not None:
                self._direct.listen(self._hear)
            while (message := await receive())["type"] == "websocket.receive":
                self._hear(message.get("text") or message.get("bytes") or "")
        finally:
            if self._direct is not None:
                # Otherwise the socket would be in a cycle, which is collected much later.
                self._direct.listen(None)
            self.runtime.sockets.discard(self)
            self.left()
            if self._sending is not None:
                self._sending.cancel()

    def look_up(self) -> tuple[Stamp | None, Any]:
        """Read the log-in, and in subclasses the ``subject``, in one call of a thread."""
        return sessions.read_stamp(self.scope), None

    async def admit(self) -> int | None:
        """Take the subject; return None, or a code with which to close."""
        return None

    def entered(self) -> None:
        """Subscribe; the socket is open."""

    def left(self) -> None:
        """Unsubscribe; the socket has ended."""

    def take(self, frame: Frame) -> None:
        """Handle one well-formed frame."""
        raise NotImplementedError

    def tell(self, text: str) -> None:
        """Queue a frame; end a socket that does not read earlier frames."""
        if self._closing == Close.SLOW_OR_IDLE:
            return
        if not self._send_buffer.take(text):
            log.warning("ws.unread: closing a socket whose client does not read")
            self._outbox.clear()
            self._send_buffer.deafen()
            self.close(Close.SLOW_OR_IDLE)
            return
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox.append(text)

    @property
    def is_closing(self) -> bool:
        return self._closing is not None

    def keeps(self) -> int:
        """Return what its user would lose by its end: NOTHING, a SEAT, or a RUNNING game."""
        return NOTHING

    def close(self, code: int) -> None:
        """End the socket after its queued frames; drop one that does not read a little later."""
        if self._closing is None:
            if code != Close.RESTART:
                silent, unsent = time.monotonic() - self._heard, self._send_buffer.waiting()
                log.info("ws.close: %d, silent for %.0f s, %d bytes unsent", code, silent, unsent)
            self._closing = code
            measures.closes.labels(int(code)).inc()
            asyncio.get_running_loop().call_soon(self._flush)
            if code == Close.FLOOD:
                self._send_buffer.deafen()
            self._send_buffer.drop_soon()

    def may_ask(self) -> bool:
        """Count a question for the whole of what is shown; refuse it and return False when they
        come too fast.
        """
        if self._questions.take():
            return True
        self.tell(protocol.refusal("rate_limited", None, math.ceil(self._questions.pause * 1000)))
        return False

    def _count_bad_frame(self) -> None:
        if not self._bad_frames.take():
            self.close(Close.FLOOD)

    def check_liveness(self) -> None:
        """End the socket when it has been silent for 90 s, or has not read for 15 s."""
        self.check_reading()
        if time.monotonic() - self._heard > IDLE_LIMIT:
            self.close(Close.SLOW_OR_IDLE)

    def check_reading(self) -> None:
        if self._send_buffer.is_stuck():
            self.close(Close.SLOW_OR_IDLE)

    async def _open(self, message: dict[str, Any]) -> bool:
        """Read the log-in and accept; close with a code the client can see, or refuse with 403."""
        if message["type"] != "websocket.connect":
            return False
        running = runtime.current()
        if running is None or running.hub.is_closing:
            await self.base_send({"type": "websocket.accept"})
            await self.base_send({"type": "websocket.close", "code": Close.RESTART})
            return False
        self.runtime = running
        if not await self.identify():
            await self.base_send({"type": "websocket.close"})
            return False
        code = await self.admit()
        if code is not None:
            await self.base_send({"type": "websocket.close", "code": code})
            return False
        if running.sockets.count_from(self.address) >= settings.SOCKETS_PER_ADDRESS:
            await self.base_send({"type": "websocket.close"})
            return False
        await self.base_send({"type": "websocket.accept"})
        if not self._make_room():
            await self.base_send({"type": "websocket.close", "code": Close.TOO_MANY_SOCKETS})
            return False
        running.sockets.add(self)
        access.note("socket", self._id, user=self.user_id, path=self.scope["path"])
        return True

    async def identify(self) -> bool:
        """Read the log-in; return False for a wrong token, and for guests where not allowed."""
        try:
            self.stamp, self.subject = await self.runtime.reads.run(self.look_up)
        except sessions.BadToken:
            log.warning("ws.bearer: a handshake with a wrong or revoked token was refused")
            return False
        self._send_buffer = SendBuffer(self.scope, settings.SOCKET_UNSENT)
        if self.stamp is None:
            # Guests get the same views, but lower limits on frames sent and bytes unread.
            self._frames = Bucket(settings.SOCKET_RATE / 2, settings.SOCKET_BURST / 2)
            self._send_buffer = SendBuffer(self.scope, settings.SOCKET_UNSENT // 4)
        return self.stamp is not None or self.allows_guests

    def _make_room(self) -> bool:
        """Close a user's idlest socket above the limit; False: a game runs in each of them."""
        others = [] if self.user_id is None else self.runtime.sockets.of_user(self.user_id)
        own = [one for one in others if one.allowance == self.allowance and not one.is_closing]
        if len(own) < settings.SOCKETS_PER_USER:
            return True
        idlest = min(own, key=lambda one: (one.keeps(), one.acted, one.opened))
        if idlest.keeps() == RUNNING:
            return False
        idlest.close(Close.TOO_MANY_SOCKETS)
        return True

    @property
    def address(self) -> str:
        client = self.scope.get("client") or ("", 0)
        return str(client[0])

    def _hear(self, text: str | bytes) -> None:
        if self._closing is not None:
            return
        self._heard = time.monotonic()
        self._number += 1
        trace.set(f"{self._id}.{self._number}")
        if self._frames.take():
            self._read(text)
        else:
            self.close(Close.FLOOD)

    def _read(self, text: str | bytes) -> None:
        """Parse a frame and handle it; an error in it does not end the loop."""
        try:
            self.take(protocol.parse(text))
        except MalformedFrame as problem:
            self.tell(protocol.error(problem))
            self._count_bad_frame()
        except Exception:
            log.exception("a frame could not be handled")
            self.tell(protocol.refusal("internal"))
            self._count_bad_frame()

    def _flush(self) -> None:
        """Write the outbox; where there is no direct way, and for a close frame, by a task."""
        if self._sending is not None:
            return
        if self._outbox and self._direct is not None:
            self._direct.send(self._outbox)
            self._send_buffer.handed_over(self._outbox)
            self._outbox.clear()
        if self._outbox or self._closing is not None:
            self._sending = asyncio.create_task(self._send_by_asgi())

    async def _send_by_asgi(self) -> None:
        try:
            while self._outbox:
                text = self._outbox.popleft()
                await self.base_send({"type": "websocket.send", "text": text})
                self._send_buffer.handed_over([text])
            if self._closing is not None:
                await self.base_send({"type": "websocket.close", "code": self._closing})
            else:
                self._sending = None
        except Exception:
            log.info("a socket was closed during a write")
