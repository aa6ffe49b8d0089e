"""The lists of the lobby and users' affairs, sent again when they have changed."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Protocol

from games.matches.journal.snapshots import Snapshot
from games.matches.queries import selectors
from games.notices.attention import Affairs, affairs_of
from games.realtime import protocol
from games.realtime.changes import changed_rows
from games.realtime.executors import Executor, Poller, remove_watcher

log = logging.getLogger(__name__)

#: Least seconds between two loads.
LEAST_PAUSE = 0.25
#: Most seconds between two loads of the lists while a socket watches.
MOST_PAUSE: Final = 2.0
#: Sockets that are sent the lists in one turn of the loop, so that actions are answered in between.
LOBBY_PORTION: Final = 32
#: The pause after sending to all, as a multiple of its duration: with thousands of sockets the
#: lists come less often, instead of filling the loop.
LOBBY_REST: Final = 4
#: Seconds after which all users with a socket are compared, if they are few.
COMPARE = 2.0
#: Users that are compared at once, and read by one call.
PORTION: Final = 50
#: The pause after a comparison, as a multiple of its duration: with thousands of users, or of
#: games of theirs, it takes a tenth of the time instead of a processor.
REST: Final = 9


class LobbyWatcher(Protocol):
    """One socket in the lobby."""

    def show_lobby(self, lists: str, rows: str | None = None) -> None:
        """Take the lists, as the members of a frame: ``"games":{"…":[…]}``; ``rows``: what makes
        them from those shown last, None where that is longer.
        """


class Lobby(Poller):
    """The watchers of this process and the lists sent last."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor)
        self.watchers: set[LobbyWatcher] = set()
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._encoded: str | None = None

    def enter(self, watcher: LobbyWatcher) -> None:
        """Add a socket; send it the lists at once when they are cached."""
        self.watchers.add(watcher)
        self.show(watcher)
        self.look_again()

    def show(self, watcher: LobbyWatcher) -> None:
        """Send a socket the cached lists, if there are any."""
        if self._encoded is not None:
            watcher.show_lobby(self._encoded)

    def leave(self, watcher: LobbyWatcher) -> None:
        self.watchers.discard(watcher)

    def look_again(self) -> None:
        self._wanted.set()

    async def _refresh(self) -> None:
        while True:
            await self._wait(MOST_PAUSE)
            begun = time.monotonic()
            if self.watchers:
                await self._look()
            await asyncio.sleep(max(LEAST_PAUSE, LOBBY_REST * (time.monotonic() - begun)))

    async def _look(self) -> None:
        try:
            lists = await self._executor.run(selectors.lobby)
        except Exception:
            log.exception("the lobby could not be loaded")
            return
        encoded = _encode(lists)
        if encoded == self._encoded:
            return
        rows = _encode(changed_rows(self._lists, lists))
        changes = rows if len(rows) < len(encoded) else None
        self._lists, self._encoded = lists, encoded
        everybody = list(self.watchers)
        for first in range(0, len(everybody), LOBBY_PORTION):
            for watcher in everybody[first : first + LOBBY_PORTION]:
                if watcher in self.watchers:
                    watcher.show_lobby(encoded, changes)
            await asyncio.sleep(0)


def _encode(games: Mapping[str, Any]) -> str:
    return protocol.encode_view({"games": games})[1:-1].decode()


class UserWatcher(Protocol):
    """One socket of a user."""

    def ask(self, told: Callable[[], None]) -> None:
        """Call ``told`` once somebody answers at its other end."""

    def show_affairs(self, affairs: Affairs) -> None:
        """Take the current affairs; they may equal the last ones."""


class UserFeed(Poller):
    """The watchers of this process by user, and a cache of each user's affairs: points, and tables
    that wait.
    """

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor)
        self.watchers: dict[int, set[UserWatcher]] = {}
        self._known: dict[int, Affairs] = {}
        #: Match -> the users whose cached affairs name it.
        self._concerned: dict[int, set[int]] = {}
        self._dirty: set[int] = set()
        #: The users who are still to be compared in this round, and when the next of them are.
        self._waiting: list[int] = []
        self._compare_at = 0.0

    def enter(self, user_id: int, watcher: UserWatcher) -> None:
        """Add a user's socket; the affairs are sent once they are loaded."""
        self.watchers.setdefault(user_id, set()).add(watcher)
        self.look_again([user_id])

    def leave(self, user_id: int, watcher: UserWatcher) -> None:
        if remove_watcher(self.watchers, user_id, watcher):
            self._keep(user_id, None)

    def look_again(self, user_ids: Iterable[int]) -> None:
        """Reload these users: their affairs may have changed."""
        self._dirty.update(user_id for user_id in user_ids if user_id in self.watchers)
        if self._dirty:
            self._wanted.set()

    def moved_on(self, snapshots: Iterable[Snapshot]) -> None:
        """Update users' affairs from matches in which no points moved, without a query; reload a
        user whose affairs cannot be derived from the cache.
        """
        for snapshot in snapshots:
            for user_id in snapshot.people & self.watchers.keys():
                known = self._known.get(user_id)
                affairs = None if known is None else known.after(snapshot, user_id)
                if affairs is None:
                    self.look_again([user_id])
                elif affairs is not known:
                    self._show(user_id, affairs)

    def match_changed(self, match_id: int) -> None:
        """Reload the users whose cached affairs name a match."""
        self.look_again(self._concerned.get(match_id, ()))

    async def _refresh(self) -> None:
        while True:
            await self._wait(min(COMPARE, max(0.0, self._compare_at - time.monotonic())))
            wanted, self._dirty = sorted(self._dirty), set()
            for first in range(0, len(wanted), PORTION):
                await self._look(wanted[first : first + PORTION])
            if time.monotonic() >= self._compare_at:
                await self._compare()
            await asyncio.sleep(LEAST_PAUSE)

    async def _compare(self) -> None:
        """Read the next users again, against lost hints."""
        begun = time.monotonic()
        if not self._waiting:
            self._waiting = list(self.watchers)
        now, self._waiting = self._waiting[:PORTION], self._waiting[PORTION:]
        await self._look([user_id for user_id in now if user_id in self.watchers])
        taken = time.monotonic() - begun
        self._compare_at = begun + (1 + REST) * taken
        if not self._waiting:
            self._compare_at = max(self._compare_at, begun + COMPARE)

    async def _look(self, wanted: list[int]) -> None:
        if not wanted:
            return
        try:
            found = await self._executor.run(affairs_of, wanted)
        except Exception:
            log.exception("the feeds of %d users could not be loaded", len(wanted))
            return
        for user_id, affairs in found.items():
            self._show(user_id, affairs)

    def _keep(self, user_id: int, affairs: Affairs | None) -> None:
        """Cache a user's affairs; None drops them."""
        before = self._known.pop(user_id, None)
        for match_id in before.match_ids if before else ():
            remove_watcher(self._concerned, match_id, user_id)
        if affairs is not None:
            self._known[user_id] = affairs
            for match_id in affairs.match_ids:
                self._concerned.setdefault(match_id, set()).add(user_id)

    def _show(self, user_id: int, affairs: Affairs) -> None:
        held = self.watchers.get(user_id)
        if held:
            self._keep(user_id, affairs)
            for watcher in tuple(held):
                watcher.show_affairs(affairs)
