"""The practice tables of one web process: one a session, never stored, and not too many.

What practice costs is bounded: so many tables a process and an address, so much work a second for
all of them, none for whoever is not there, and an end for whoever does nothing.

Source: docs/practice.md "What it may cost".
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field
from typing import Final, Protocol

from django.conf import settings
from django.utils import timezone

from games.engine.facts import Instant, instant
from games.practice.tables import PracticeTable
from games.realtime.bucket import Bucket
from games.realtime.protocol import Close
from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

#: Its name among the runners of a web process.
STORE: Final = f"{__name__}.TableStore"
#: Seconds.  A table waits so long for a socket to come back, and for its person to do something.
GRACE: Final = 60.0
IDLE: Final = 600.0
#: Actions a second and at once: of one table, and of all in this process.
PACE: Final = (4, 12)
PACE_OF_ALL: Final = (150, 300)
#: So many sockets look at one table; the oldest goes.
SOCKETS: Final = 3


class TableSocket(Protocol):
    """One socket at a practice table."""

    opened: float

    def show(self) -> None:
        """Show the table as it now is."""

    def close(self, code: int) -> None:
        """End the socket."""


@dataclass(slots=True, eq=False)
class Room:
    """A session's table and the sockets that look at it.  ``kind``: game, and which lesson."""

    session: str
    address: str
    kind: tuple[str, str]
    table: PracticeTable
    table_sockets: set[TableSocket] = field(default_factory=set)
    acted: float = field(default_factory=time.monotonic)
    pace: Bucket = field(default_factory=lambda: Bucket(*PACE))
    timer: asyncio.TimerHandle | None = None

    def touch(self) -> None:
        """Note that the person did something."""
        self.acted = time.monotonic()

    @property
    def is_idle(self) -> bool:
        """Whether nobody has done anything for ten minutes."""
        return time.monotonic() - self.acted > IDLE


def now() -> Instant:
    """Return the server's clock."""
    return instant(timezone.now())


class TableStore:
    """All practice tables of this process."""

    def __init__(self, runtime: Runtime) -> None:
        self.rooms: dict[str, Room] = {}
        self.work = Bucket(*PACE_OF_ALL)

    def start(self) -> None:
        """Nothing runs until somebody comes."""

    async def stop(self) -> None:
        """End all tables: nothing of them is kept."""
        for room in list(self.rooms.values()):
            self._drop(room)

    def hinted(self, topic: str, key: object) -> None:
        """Hear nothing: no other process knows of these tables."""

    def find(self, session: str, kind: tuple[str, str]) -> Room | None:
        """Return a session's table of this kind, if it is here and alive."""
        room = self.rooms.get(session)
        return room if room is not None and room.kind == kind and not room.is_idle else None

    def may_open(self, session: str, address: str) -> bool:
        """Whether there is room for a session's new table, the longest empty one making way."""
        others = [room for room in self.rooms.values() if room.session != session]
        here = [room for room in others if room.address == address]
        if len(here) >= settings.PRACTICE_PER_ADDRESS:
            return self._clear_one(here)
        return len(others) < settings.PRACTICE_TABLES or self._clear_one(others)

    def open(self, room: Room) -> None:
        """Keep a session's new table; the one that it had before ends."""
        earlier = self.rooms.get(room.session)
        if earlier is not None:
            self.end(earlier)
        self.rooms[room.session] = room
        # Whoever is refused after all must not leave a table behind.
        self._set(room, GRACE, self._drop)

    def enter(self, room: Room, socket: TableSocket) -> None:
        """Let a socket look at a table, whose time goes on."""
        if not room.table_sockets:
            room.table.stand_still(now())
        elif len(room.table_sockets) >= SOCKETS:
            oldest = min(room.table_sockets, key=lambda other: other.opened)
            oldest.close(Close.TOO_MANY_SOCKETS)
            room.table_sockets.discard(oldest)
        room.table_sockets.add(socket)
        room.table.start(now())
        self.changed(room)

    def leave(self, room: Room, socket: TableSocket) -> None:
        """Forget a socket; a table without any stands still, and goes after a minute."""
        room.table_sockets.discard(socket)
        if not room.table_sockets and self.rooms.get(room.session) is room:
            room.table.tick(now())
            self._set(room, GRACE, self._drop)

    def end(self, room: Room) -> None:
        """End a table and tell its sockets."""
        self._drop(room)
        for socket in tuple(room.table_sockets):
            socket.close(Close.PRACTICE_OVER)

    def changed(self, room: Room) -> None:
        """Show a table to its sockets and wait for what comes next."""
        for socket in tuple(room.table_sockets):
            socket.show()
        wake_at = room.table.wake_at
        if room.timer is not None:
            room.timer.cancel()
        if wake_at is not None and self.rooms.get(room.session) is room:
            self._set(room, max(0.0, (wake_at - now()) / 1000), self._wake)

    def next_game(self, room: Room) -> None:
        """Begin the next game at a table."""
        room.table = room.table.next(now())
        room.table.start(now())

    def _wake(self, room: Room) -> None:
        if not self.work.take():
            self._set(room, 0.5, self._wake)
            return
        try:
            room.table.tick(now())
            self.changed(room)
        except Exception:
            log.exception("a practice table could not go on")
            self.end(room)

    def _set(self, room: Room, seconds: float, work: object) -> None:
        if room.timer is not None:
            room.timer.cancel()
        room.timer = asyncio.get_running_loop().call_later(seconds, work, room)  # type: ignore[arg-type]

    def _drop(self, room: Room) -> None:
        if room.timer is not None:
            room.timer.cancel()
        if self.rooms.get(room.session) is room:
            del self.rooms[room.session]

    def _clear_one(self, rooms: list[Room]) -> bool:
        """Give up a table that nobody looks at; False where there is none."""
        empty = [room for room in rooms if not room.table_sockets]
        if empty:
            self._drop(min(empty, key=lambda room: room.acted))
        return bool(empty)
