"""A socket that comes back, and repeats what was not answered, as a page does."""

import asyncio
import itertools
import math
import random
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from bench.load.counts import BESIDE, RECONNECTED, Counts
from bench.visitors import SEEN_VIEWS
from bench.wire import Line, Refused, handshake

#: Seconds: the first pause before a new connection, and the longest; as in pages.
FIRST_PAUSE, LONGEST_PAUSE = 0.35, 5.0
#: Seconds until a handshake fails, until a frame is repeated, and between heartbeats.
HANDSHAKE, REPEAT_AFTER, HEARTBEAT = 10.0, 2.5, 15.0
#: Seconds for which an action that the site is too busy for is sent again; as in pages.
GIVE_UP: Final = 12.0
#: The code of a socket that ended without a close frame.
_NO_CLOSE: Final = 1006
_numbers = itertools.count(1)


class Head(msgspec.Struct):
    """The part that all frames from the server share."""

    type: str
    id: str | None = None
    revision: int = 0
    code: str = ""
    retry_ms: int = 0


class Place(msgspec.Struct):
    """A web process or a proxy: where to connect, and the name to ask for."""

    host: str
    port: int
    name: str


class Person(msgspec.Struct):
    """Somebody with an address; a guest has neither cookie nor token.

    ``source`` is an address of this machine, so that the site's limits for one address count a
    person; None where the site is on another machine.
    """

    source: str | None = None
    id: int = 0
    cookie: str = ""
    token: str = ""


@dataclass(slots=True)
class Sent:
    """An action without an answer: when it was first sent, and when to repeat it."""

    kind: str
    payload: bytes
    begun: float
    repeat_at: float


@dataclass(slots=True)
class World:
    """The shared part of a process's clients: the site, the counts, the pace.

    ``think`` and ``talk``: mean seconds before an action, and the share of actions that are lines
    of chat; ``train_at``: when a Train begins, in seconds since 1970.  People act while
    ``is_acting``, and connect again until ``is_over``.
    """

    places: list[Place]
    run: str
    think: float
    talk: float
    counts: Counts = field(default_factory=Counts)
    clients: set[Any] = field(default_factory=set)
    is_acting: bool = True
    is_over: bool = False
    train_at: float = math.inf

    def label(self, kind: str) -> str:
        """Return the kind of an action now, apart from before while a Train runs."""
        return f"{kind} {BESIDE}" if time.time() > self.train_at else kind

    def place(self, key: str) -> Place:
        """Return the place for a key: of a match always the same one."""
        return self.places[zlib.crc32(key.encode()) % len(self.places)]

    def pause(self) -> float:
        """Return how long somebody thinks now."""
        return self.think * (0.5 + random.random())


class Client:
    """One socket of a person or a guest."""

    #: Reads a frame; the result has the fields of ``Head``.
    read: Any = msgspec.json.Decoder(Head).decode

    def __init__(self, world: World, person: Person, path: str) -> None:
        self.world, self.person, self.path = world, person, path
        self.unanswered: dict[str, Sent] = {}
        self.revision = 0
        self._line: Line | None = None
        self._is_open = self._is_closed = False
        self._lost_at: float | None = None
        self._opening: asyncio.Task[None] | None = None
        self._beat_at = time.perf_counter() + random.uniform(0, HEARTBEAT)

    async def open(self) -> None:
        """Connect, again and again until it succeeds or the client is closed."""
        pause = FIRST_PAUSE
        self.world.clients.add(self)
        while not (self._is_closed or self.world.is_over):
            try:
                await self._connect()
            except (OSError, Refused, TimeoutError) as problem:
                self.world.counts.handshakes[str(problem) or type(problem).__name__] += 1
            else:
                self._opened()
                return
            await asyncio.sleep(pause * (0.5 + random.random()))
            pause = min(pause * 1.5, LONGEST_PAUSE)

    def close(self) -> None:
        """End the socket for good."""
        self._is_closed, self._is_open = True, False
        self.world.clients.discard(self)
        if self._opening is not None:
            self._opening.cancel()
        if self._line is not None:
            self._line.close()

    def look(self, frame: Any) -> None:
        """Handle a frame; subclasses act on it."""

    def act(self, kind: str, phase: int, action: Mapping[str, Any] | msgspec.Raw) -> None:
        """Send an action until it is answered."""
        self.send(kind, {"type": "act", "phase": phase, "action": action})

    def send(self, kind: str, frame: Mapping[str, Any]) -> None:
        """Send a frame with a new id until it is answered."""
        name, now = f"{self.world.run}-{next(_numbers):08d}", time.perf_counter()
        payload = msgspec.json.encode({"id": name, **frame})
        self.unanswered[name] = Sent(kind, payload, now, now + REPEAT_AFTER)
        self._write(payload)

    def tend(self, now: float) -> None:
        """Send a heartbeat, and repeat what has no answer, if it is time."""
        if not self._is_open:
            return
        for sent in self.unanswered.values():
            if now >= sent.repeat_at:
                sent.repeat_at = now + REPEAT_AFTER
                self.world.counts.numbers["repeats"] += 1
                self._write(sent.payload)
        if now >= self._beat_at:
            self._confirm()

    async def _connect(self) -> None:
        place = self.world.place(self.path if "/match/" in self.path else repr(id(self)))
        headers = {"Cookie": self.person.cookie} if self.person.cookie else {}
        line = Line(self._take, handshake(place.name, self.path, headers))
        ended: list[int] = []
        self._line, self.revision, line.lost = line, 0, ended.append
        source = (self.person.source, 0) if self.person.source else None
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(HANDSHAKE):
            await loop.create_connection(lambda: line, place.host, place.port, local_addr=source)
            await line.is_open
        if ended:
            raise Refused(f"closed with {ended[0]} at once")
        line.lost = self._lost

    def _opened(self) -> None:
        counts, self._is_open = self.world.counts, True
        counts.numbers["opened"] += 1
        if self._lost_at is not None:
            counts.answer(RECONNECTED, self._lost_at)
            self._lost_at = None
        for sent in self.unanswered.values():
            self._write(sent.payload)

    def _lost(self, code: int) -> None:
        self._is_open = False
        if self._is_closed or self.world.is_over:
            return
        self.world.counts.reconnects["no close frame" if code == _NO_CLOSE else str(code)] += 1
        self._lost_at = time.perf_counter()
        # The page waits between 0.2 and 0.7 s, so that a restart meets no wall of handshakes.
        delay = random.uniform(0.2, 0.7)
        self._opening = asyncio.create_task(self._open_after(delay))

    async def _open_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.open()

    def _write(self, payload: bytes) -> None:
        if self._is_open and self._line is not None:
            self.world.counts.numbers["bytes out"] += len(payload)
            self._line.send(payload)

    def _confirm(self) -> None:
        self._beat_at = time.perf_counter() + HEARTBEAT
        self._write(b'{"type":"seen","revision":%d}' % self.revision)

    def _take(self, payload: bytes) -> None:
        numbers = self.world.counts.numbers
        numbers["frames in"] += 1
        numbers["bytes in"] += len(payload)
        frame = self.read(payload)
        if frame.revision:
            self.revision = frame.revision
            if frame.revision % SEEN_VIEWS == 0:
                self._confirm()
        if frame.type in ("ack", "error"):
            self._answered(frame)
        self.look(frame)

    def _answered(self, frame: Any) -> None:
        counts, sent = self.world.counts, self.unanswered.get(frame.id or "")
        if sent is None:
            if frame.type == "error" and frame.id is None:
                counts.refuse("frame", frame.code)
            return
        if frame.type == "ack":
            counts.answer(sent.kind, sent.begun)
            if self.path.startswith("/ws/match/") and b'"type":"act"' in sent.payload:
                counts.acked[self.path.split("/")[3]].append(frame.id)
        else:
            counts.refuse(sent.kind, frame.code)
            if frame.code == "busy" and time.perf_counter() - sent.begun < GIVE_UP:
                pause = frame.retry_ms / 1000
                sent.repeat_at = time.perf_counter() + pause + REPEAT_AFTER
                asyncio.get_running_loop().call_later(pause, self._write, sent.payload)
                return
        del self.unanswered[frame.id]
