"""The page requests of this process: a few run at once, the others wait in turns by address."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

from accounts.devices import line_of

#: Requests that run at once, in this process and of one address.
MOST_AT_ONCE: Final = 6
MOST_OF_ADDRESS: Final = 4
#: Requests that wait, in this process and of one address; more are refused at once.
MOST_WAITING: Final = 1_000
MOST_WAITING_OF_ADDRESS: Final = 250
#: Seconds for which a request waits.
PATIENCE: Final = 20.0
#: They tell the operator's tools how the process is, most of all when it is busy.
UNLIMITED: Final = frozenset({"/healthz"})

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[..., Awaitable[None]]


class Refused(Exception):
    """A request got no turn: too many wait, or it has waited for too long."""


class Left(Exception):
    """The client of a waiting request has gone."""


class PageQueue:
    """Gives turns to the requests of one process, since threads share one interpreter with sockets,
    batches and clocks. Used in the event loop; other threads read the counts.
    """

    def __init__(self) -> None:
        self.running = self.refused = 0
        self.waiting = 0
        self._running_of: Counter[str] = Counter()
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def limited(self, application: Application, refuse: Application) -> Application:
        """Return the application with its requests in turns; ``refuse`` answers those without."""

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["path"] in UNLIMITED:
                await application(scope, receive, send)
                return
            turn = _Turn(self, scope, receive, send)
            try:
                await application(scope, turn.receive, turn.send)
            except Refused:
                self.refused += 1
                await refuse(scope, receive, send)
            except Left:
                pass
            finally:
                turn.end()

        return serve

    async def take(self, address: str, left: asyncio.Future[Any]) -> None:
        """Wait for a turn; raises ``Refused``, or ``Left`` when the future ends first."""
        if self.running < MOST_AT_ONCE and self._running_of[address] < MOST_OF_ADDRESS:
            self._begin(address)
            return
        line = self._lines.get(address, deque())
        if len(line) >= MOST_WAITING_OF_ADDRESS or self.waiting >= MOST_WAITING:
            raise Refused
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(turn)
        self._lines[address] = line
        self.waiting += 1
        goes = True
        try:
            await asyncio.wait((turn, left), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            goes = left.done()
        finally:
            if not turn.done():
                self._leave(address, turn)
            elif goes:
                self.give_back(address)
        if goes:
            raise Left
        if not turn.done():
            raise Refused

    def give_back(self, address: str) -> None:
        """End a turn, and give turns to those who wait."""
        self.running -= 1
        self._running_of[address] -= 1
        if not self._running_of[address]:
            del self._running_of[address]
        free = [each for each in self._lines if self._running_of[each] < MOST_OF_ADDRESS]
        for waiting in free[: MOST_AT_ONCE - self.running]:
            turn = self._lines[waiting][0]
            self._lines.move_to_end(waiting)
            self._leave(waiting, turn)
            self._begin(waiting)
            turn.set_result(None)

    def _leave(self, address: str, turn: asyncio.Future[None]) -> None:
        self._lines[address].remove(turn)
        self.waiting -= 1
        if not self._lines[address]:
            del self._lines[address]

    def _begin(self, address: str) -> None:
        self.running += 1
        self._running_of[address] += 1


class _Turn:
    """One request: its turn begins when its body is there, and ends when its answer begins, so that
    no slow client keeps it.
    """

    def __init__(self, queue: PageQueue, scope: Scope, receive: Receive, send: Send) -> None:
        self._queue, self._receive, self._send = queue, receive, send
        client = scope.get("client") or ("", 0)
        self._address = line_of(str(client[0]))
        self._left: asyncio.Future[dict[str, Any]] | None = None
        self._is_running = False

    async def receive(self) -> dict[str, Any]:
        """Return the next message; the last one of the body once it is this request's turn."""
        if self._left is not None:
            return await self._left
        message = await self._receive()
        if message["type"] == "http.request" and not message.get("more_body"):
            self._left = asyncio.ensure_future(self._receive())
            await self._queue.take(self._address, self._left)
            self._is_running = True
        return message

    async def send(self, message: dict[str, Any]) -> None:
        self._give_back()
        await self._send(message)

    def end(self) -> None:
        self._give_back()
        if self._left is not None:
            self._left.cancel()

    def _give_back(self) -> None:
        if self._is_running:
            self._is_running = False
            self._queue.give_back(self._address)


#: The queue of this process.
page_queue: Final = PageQueue()
