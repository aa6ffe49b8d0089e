"""The hub: the sockets subscribed to each match, and one view for each audience."""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.engine.facts import SeatNo, Viewer
from games.matches.journal import entries
from games.matches.journal.snapshots import Seating, Snapshot
from games.matches.processing import seating
from games.matches.queries import match_view, selectors
from games.posts.chat import Line, may_read
from games.realtime.executors import Executor, Poller
from games.realtime.protocol import Close, encode_view, time_now

log = logging.getLogger(__name__)

#: Matches that are loaded and shown at a time: the loop runs other work in between.
PORTION = 20
#: Seconds after which presence is shown: viewers come and go in bursts.
SETTLE = 0.3


class Parts:
    """The encoded parts of one match's last view, with the values that they were made from."""

    __slots__ = ("around", "beside", "head", "lines", "log", "own", "you")

    def __init__(self) -> None:
        self.around: tuple[Any, ...] = ()
        self.head = b""
        self.beside: tuple[Any, ...] = ()
        #: Seat -> its own part of the table, and of the game, each after what it was made from.
        self.you: dict[int | None, tuple[object, bytes]] = {}
        self.own: dict[int, tuple[object, bytes]] = {}
        self.lines: tuple[entries.Line, ...] | None = None
        self.log = b""


class Rendering:
    """One state of a match, encoded for any audience; ``parts`` of its earlier state that have not
    changed are not encoded again. ``match_view.match_view`` builds the same view as one map.
    """

    def __init__(
        self, snapshot: Snapshot, presence: Mapping[str, Any], parts: Parts | None = None
    ) -> None:
        self._snapshot = snapshot
        self._parts = parts = parts or Parts()
        around = match_view.around(snapshot, presence)
        if around != parts.around:
            parts.head = encode_view(match_view.head_part(snapshot, presence))
            parts.beside = match_view.beside(snapshot)
        parts.around = around
        if parts.lines is not snapshot.lines:
            # The lines are stored as canonical text, which is JSON already.
            parts.lines, parts.log = snapshot.lines, entries.write_lines(snapshot.lines).encode()
        pace = encode_view(match_view.pace_part(snapshot))
        self._common = b"".join(
            (parts.head[:-1], b",", pace[1:-1], b',"log":', parts.log, b',"you":')
        )
        game, play = match_view.game_part(snapshot), snapshot.state.play
        # An object, to be continued by the audience's own part; None before the start.
        self._game = None if game is None else encode_view(game)[:-1] + b","
        self._sources: Mapping[Any, object] = (
            {} if play is None else snapshot.table.rules.own_sources(play)
        )

    def view(self, seat: int | None) -> bytes:
        """Return the view of a seat, or of spectators for None."""
        parts, snapshot = self._parts, self._snapshot
        place = None if seat is None else (snapshot.state.seats[seat], snapshot.sitters.get(seat))
        you, source = parts.you.get(seat), (parts.beside, place)
        if you is None or you[0] != source:
            you = parts.you[seat] = source, encode_view(match_view.you_part(snapshot, seat))
        if self._game is None:
            return b"".join((self._common, you[1], b',"game":null}'))
        if seat is None:
            return b"".join((self._common, you[1], b',"game":', self._game, b'"you":null}}'))
        own, its_source = parts.own.get(seat), self._sources.get(seat)
        if own is None or its_source is None or own[0] != its_source:
            part = encode_view(match_view.own_game_part(snapshot, seat))
            own = parts.own[seat] = its_source, part
        return b"".join((self._common, you[1], b',"game":', self._game, b'"you":', own[1], b"}}"))


class Subscriber(Protocol):
    """One socket subscribed to a match; ``visible_at``: when its page last said that it is visible,
    on the monotonic clock.
    """

    user_id: int | None
    visible_at: float

    def show(self, view: bytes, now: str) -> None:
        """Take the view of this socket's audience; it may equal the last one."""

    def post(self, line: Line) -> None: ...

    def close(self, code: int) -> None: ...


@dataclass(slots=True)
class Room:
    """The sockets of one match in this process, and the state they were shown."""

    subscribers: set[Subscriber] = field(default_factory=set)
    snapshot: Snapshot | None = None
    elsewhere: dict[str, Any] = field(default_factory=lambda: {"seats": [], "watching": 0})
    last_post: int | None = None
    parts: Parts = field(default_factory=Parts)
    #: What ``viewers`` returned last; None once somebody came or went.
    last_viewers: "Viewers | None" = None

    def seat_of(self, subscriber: Subscriber) -> int | None:
        return self.snapshot.seat_of(subscriber.user_id) if self.snapshot else None

    def may_read(self, subscriber: Subscriber, line: Line) -> bool:
        """Whether a socket gets a line of chat: by the game's rules, and by mutes and blocks."""
        if self.snapshot is None or subscriber.user_id in line.unheard_by:
            return False
        seat = self.seat_of(subscriber)
        viewer = Viewer(None if seat is None else SeatNo(seat))
        return may_read(self.snapshot.table.rooms(self.snapshot.state, viewer), line)

    def there(self) -> list[int]:
        """Return the seats with a page here that was visible at a heartbeat of the last seconds."""
        since = time.monotonic() - seating.PRESSED / 1000
        shown = {self.seat_of(one) for one in self.subscribers if one.visible_at > since}
        return sorted(seat for seat in shown if seat is not None)

    def viewers(self) -> "Viewers":
        """Return the sockets by audience, and the presence in all processes that is shown."""
        seating = self.snapshot.seating if self.snapshot else Seating()
        last = self.last_viewers
        if last is not None and last.seating is seating:
            return last
        seats = {user_id: seat for seat, user_id in seating.users.items()}
        audiences: dict[int | None, list[Subscriber]] = {}
        for subscriber in self.subscribers:
            seat = None if subscriber.user_id is None else seats.get(subscriber.user_id)
            audiences.setdefault(seat, []).append(subscriber)
        here = sorted(seat for seat in audiences if seat is not None)
        watching = len(audiences.get(None, ()))
        everywhere = {
            "seats": sorted({*here, *self.elsewhere["seats"]}),
            "watching": watching + self.elsewhere["watching"],
        }
        self.last_viewers = Viewers(
            seating, audiences, {"seats": here, "watching": watching}, everywhere
        )
        return self.last_viewers


@dataclass(slots=True)
class Viewers:
    """The sockets of a room by seat, None for spectators; and the seats and spectators with a
    socket, in this process (``here``) and in all (``everywhere``).
    """

    seating: Seating
    audiences: Mapping[int | None, Sequence[Subscriber]]
    here: Mapping[str, Any]
    everywhere: Mapping[str, Any]


class Hub(Poller):
    """All rooms of this process. It tracks no missed changes: on ``look_again`` it loads the match
    and sends each audience its view, if that differs from the last one.
    """

    def __init__(self, executor: Executor, watch: Callable[[Snapshot], None]) -> None:
        super().__init__(executor)
        self.rooms: dict[int, Room] = {}
        self.is_closing = False
        self._watch = watch
        self._dirty: set[int] = set()
        self._unsettled: set[int] = set()

    def enter(self, match_id: int, subscriber: Subscriber) -> None:
        """Subscribe a socket to a match; its first view is sent once it is loaded."""
        room = self.rooms.setdefault(match_id, Room())
        room.subscribers.add(subscriber)
        room.last_viewers = None
        # Always load from the database: the cached snapshot may be a hint behind.
        self.look_again([match_id])

    def leave(self, match_id: int, subscriber: Subscriber) -> None:
        """Remove a socket, and the room with its last socket."""
        room = self.rooms.get(match_id)
        if room is None:
            return
        room.subscribers.discard(subscriber)
        room.last_viewers = None
        if not room.subscribers:
            del self.rooms[match_id]
        elif match_id not in self._unsettled:
            self._unsettled.add(match_id)
            asyncio.get_running_loop().call_later(SETTLE, self._settled, match_id)

    def look_again(self, match_ids: Iterable[int]) -> None:
        """Reload those of these matches that have a subscriber in this process."""
        held = [pk for pk in match_ids if pk in self.rooms]
        if held:
            self._dirty.update(held)
            self._wanted.set()

    def publish(self, snapshots: Mapping[int, Snapshot]) -> None:
        """Show the new state of matches, unless it is older than the one shown. After a secret
        action only the seats that can notice it get a view.
        """
        now = time_now()
        for match_id, snapshot in snapshots.items():
            room = self.rooms.get(match_id)
            if room is not None or not snapshot.match.is_slow:
                self._watch(snapshot)
            if room is None:
                continue
            held, only = room.snapshot, None
            if held is None or snapshot.match.action_count >= held.match.action_count:
                if held and snapshot.news and snapshot.news.since == held.match.action_count:
                    only = snapshot.news.seats
                room.snapshot = snapshot
            self._show(room, now, only)

    def compare(self, numbers: Mapping[int, tuple[int, int]]) -> list[int]:
        """Reload the matches whose state differs from the database; return rooms with new chat."""
        behind, chatting = [], []
        for match_id, (no, last_post) in numbers.items():
            room = self.rooms.get(match_id)
            if room is None:
                continue
            if room.snapshot is None or room.snapshot.no != no:
                behind.append(match_id)
            if room.last_post is not None and last_post > room.last_post:
                chatting.append(match_id)
        self.look_again(behind)
        return chatting

    def set_elsewhere(self, presences: Mapping[int, dict[str, Any]]) -> None:
        """Store the presence reported by other processes, and show changes."""
        for match_id, room in self.rooms.items():
            elsewhere = presences.get(match_id, {"seats": [], "watching": 0})
            if elsewhere != room.elsewhere:
                room.elsewhere = elsewhere
                room.last_viewers = None
                self._show(room, time_now())

    def post(self, match_id: int, lines: Iterable[Line]) -> None:
        """Pass chat on to the sockets that may read it; each sends a line once."""
        room = self.rooms.get(match_id)
        if room is None:
            return
        for line in lines:
            room.last_post = max(line.serial, room.last_post or 0)
            for subscriber in tuple(room.subscribers):
                if room.may_read(subscriber, line):
                    subscriber.post(line)

    async def _refresh(self) -> None:
        while True:
            await self._wanted.wait()
            wanted = sorted(self._dirty)[:PORTION]
            self._dirty.difference_update(wanted)
            if not self._dirty:
                self._wanted.clear()
            try:
                found = await self._executor.run(selectors.snapshots, wanted)
                self.publish(found)
                for room in [self.rooms.get(pk) for pk in wanted if pk not in found]:
                    # This process cannot load these matches: another one may.
                    for subscriber in tuple(room.subscribers) if room else ():
                        subscriber.close(Close.RESTART)
            except Exception:
                log.exception("%d matches could not be loaded", len(wanted))
                self._dirty.update(wanted)
                await asyncio.sleep(1.0)
                self._wanted.set()

    def _show(self, room: Room, now: str, only: Collection[int] | None = None) -> None:
        if room.snapshot is None:
            return
        viewers = room.viewers()
        rendering = Rendering(room.snapshot, viewers.everywhere, room.parts)
        has_spectators = selectors.allows_spectators(room.snapshot.match)
        for seat, subscribers in viewers.audiences.items():
            if seat is None and not has_spectators:
                for subscriber in subscribers:
                    subscriber.close(Close.BANNED)
                continue
            if only is not None and seat not in only:
                continue
            view = rendering.view(seat)
            for subscriber in subscribers:
                subscriber.show(view, now)

    def _settled(self, match_id: int) -> None:
        self._unsettled.discard(match_id)
        if match_id in self.rooms:
            self._show(self.rooms[match_id], time_now())
