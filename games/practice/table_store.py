"""The practice tables of one web process, one a session, only in memory and at a bounded cost."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.engine.facts import Instant, instant
from games.practice.tables import PracticeTable
from games.realtime.limits import Bucket
from games.realtime.protocol import Close
from games.realtime.runtime import Runtime
from games.realtime.sessions import cookie_of

log = logging.getLogger(__name__)

#: The store's name among the runners of a web process.
STORE: Final = f"{__name__}.TableStore"
#: Seconds for which a table waits for a socket to return, and for an action of its person.  If
#: there are too many, a table that has had no action for ``GRACE`` is ended for a new one.
GRACE: Final = 60.0
IDLE: Final = 600.0
#: Actions a second and in a burst: of one table, and of all tables in this process.
PACE: Final = (4, 12)
PACE_OF_ALL: Final = (150, 300)
#: The most sockets at one table; a further one closes the one where nothing was done for longest.
SOCKETS: Final = 12
#: Once half of the tables are taken, an address has this part of its tables.
CROWDED: Final = 3
# Pages set the session's cookie: not every server lets a socket's handshake do so.
_SIGNER: Final = Signer(salt="games.practice")


class TableSocket(Protocol):
    """One socket at a practice table."""

    opened: float
    acted: float

    def show(self) -> None:
        """Send the current view."""

    def close(self, code: int) -> None:
        """End the socket."""


#: The game's slug, and the kind of practice with the chosen bot; "daily" and the day.
Kind = tuple[str, str]


@dataclass(slots=True, eq=False)
class Room:
    """A session's table and its sockets."""

    session: str
    address: str
    kind: Kind
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
        return time.monotonic() - self.acted > IDLE

    @property
    def may_end(self) -> bool:
        """Whether the table may end for a new one: nobody is there, or nobody acts."""
        return not self.table_sockets or time.monotonic() - self.acted > GRACE


def now() -> Instant:
    """Return the server's clock."""
    return instant(timezone.now())


class TableStore:
    """All practice tables of this process."""

    def __init__(self, runtime: Runtime) -> None:
        self.rooms: dict[str, Room] = {}
        self.work = Bucket(*PACE_OF_ALL)

    def start(self) -> None:
        """Start nothing."""

    async def stop(self) -> None:
        for room in list(self.rooms.values()):
            self._drop(room)

    def hinted(self, topic: str, key: object) -> None:
        """Ignore hints: these tables are this process's alone."""

    def room_for(
        self, address: str, session: str, kind: Kind, set_up: Callable[[], PracticeTable]
    ) -> Room | None:
        """Return a session's table, or set up one; None if there are too many."""
        earlier = self.rooms.get(session)
        if earlier is not None and earlier.kind == kind and not earlier.is_idle:
            return earlier
        if not self._may_open(session, address):
            return None
        room = Room(session, address, kind, set_up())
        if earlier is not None:
            self.end(earlier)
        self.rooms[session] = room
        # Drop the table if the handshake is refused after all.
        self._set(room, GRACE, self._drop)
        return room

    def _may_open(self, session: str, address: str) -> bool:
        """Whether a session may open a table; if there are too many, end the longest idle one."""
        others = [room for room in self.rooms.values() if room.session != session]
        here = [room for room in others if room.address == address]
        most, here_most = settings.PRACTICE_TABLES, settings.PRACTICE_PER_ADDRESS
        if 2 * len(others) >= most:
            here_most = max(1, here_most // CROWDED)
        if len(here) >= here_most:
            return self._clear_one(here)
        return len(others) < most or self._clear_one(others)

    def enter(self, room: Room, socket: TableSocket) -> None:
        """Add a socket, and start the table or continue its time."""
        if not room.table_sockets:
            room.table.stand_still(now())
        elif len(room.table_sockets) >= SOCKETS:
            idlest = min(room.table_sockets, key=lambda other: (other.acted, other.opened))
            idlest.close(Close.TOO_MANY_SOCKETS)
            room.table_sockets.discard(idlest)
        room.table_sockets.add(socket)
        room.table.start(now())
        self.changed(room)

    def leave(self, room: Room, socket: TableSocket) -> None:
        """Remove a socket; a table without sockets is paused, and dropped after a minute."""
        room.table_sockets.discard(socket)
        if not room.table_sockets and self.rooms.get(room.session) is room:
            room.table.tick(now())
            self._set(room, GRACE, self._drop)

    def end(self, room: Room) -> None:
        """Drop a table and close its sockets."""
        self._drop(room)
        for socket in tuple(room.table_sockets):
            socket.close(Close.PRACTICE_OVER)

    def changed(self, room: Room) -> None:
        """Show a table to its sockets and set the timer for its next event."""
        for socket in tuple(room.table_sockets):
            socket.show()
        wake_at = room.table.wake_at
        if room.timer is not None:
            room.timer.cancel()
        if wake_at is not None and self.rooms.get(room.session) is room:
            self._set(room, max(0.0, (wake_at - now()) / 1000), self._wake)

    def _wake(self, room: Room) -> None:
        if not self.work.take():
            self._set(room, 0.5, self._wake)
            return
        try:
            room.table.tick(now())
            self.changed(room)
        except Exception:
            log.exception("a practice table failed")
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
        """End the longest idle table that may end; return False if there is none."""
        idle = [room for room in rooms if room.may_end]
        if idle:
            self.end(min(idle, key=lambda room: room.acted))
        return bool(idle)


def session_of(scope: dict[str, Any]) -> str | None:
    """Return the session in a handshake's cookie, None without a valid one."""
    return _read(cookie_of(scope, settings.PRACTICE_COOKIE_NAME) or "")


def new_session() -> str:
    """Return an unguessable name for a session."""
    return secrets.token_urlsafe(16)


def give_session(request: HttpRequest, response: HttpResponse) -> None:
    """Set a session cookie until the browser closes, unless it has a valid one."""
    if _read(request.COOKIES.get(settings.PRACTICE_COOKIE_NAME, "")) is not None:
        return
    response.set_cookie(
        settings.PRACTICE_COOKIE_NAME,
        _SIGNER.sign(new_session()),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(signed: str) -> str | None:
    try:
        return _SIGNER.unsign(signed)
    except BadSignature:
        return None
