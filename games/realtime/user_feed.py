"""The user feed: sends pages their user's affairs (points, and tables that wait).

Source: docs/reference/protocol.md "User affairs".
"""

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import Protocol

from games.matches.journal.snapshots import Snapshot
from games.matches.queries.attention import Affairs, affairs_of
from games.realtime.executors import Executor
from games.realtime.poller import Poller

log = logging.getLogger(__name__)

#: Least seconds between two loads; all users with a socket are compared after the longer one.
LEAST_PAUSE, COMPARE = 0.25, 2.0


class Watcher(Protocol):
    """One socket of a user."""

    user_id: int | None

    def show_affairs(self, affairs: Affairs) -> None:
        """Take the current affairs; they may equal the last ones."""


class UserFeed(Poller):
    """The watchers of this process by user, and a cache of each user's affairs."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor)
        self.watchers: dict[int, set[Watcher]] = {}
        self._known: dict[int, Affairs] = {}
        self._dirty: set[int] = set()
        self._compared = 0.0

    def enter(self, user_id: int, watcher: Watcher) -> None:
        """Add a user's socket; the affairs are sent once they are loaded."""
        self.watchers.setdefault(user_id, set()).add(watcher)
        self.look_again([user_id])

    def leave(self, user_id: int, watcher: Watcher) -> None:
        """Remove a socket, and the user with the last one."""
        held = self.watchers.get(user_id, set())
        held.discard(watcher)
        if not held:
            self.watchers.pop(user_id, None)
            self._known.pop(user_id, None)

    def look_again(self, user_ids: Iterable[int]) -> None:
        """Request a reload: these users' affairs may have changed."""
        self._dirty.update(user_id for user_id in user_ids if user_id in self.watchers)
        if self._dirty:
            self._wanted.set()

    def moved_on(self, snapshots: Iterable[Snapshot]) -> None:
        """Update users' affairs from matches in which no points moved, without a query.

        A user whose affairs cannot be derived from the cache is reloaded.
        """
        for snapshot in snapshots:
            for user_id in snapshot.people & self.watchers.keys():
                known = self._known.get(user_id)
                affairs = None if known is None else known.after(snapshot, user_id)
                if affairs is None:
                    self.look_again([user_id])
                elif affairs != known:
                    self._show(user_id, affairs)

    def match_changed(self, match_id: int) -> None:
        """Reload the users whose cached affairs name a match."""
        self.look_again([pk for pk, known in self._known.items() if match_id in known.match_ids])

    async def _refresh(self) -> None:
        while True:
            await self._wait(COMPARE)
            wanted, self._dirty = self._dirty, set()
            if time.monotonic() - self._compared >= COMPARE:
                self._compared = time.monotonic()
                wanted = set(self.watchers)
            if wanted:
                await self._look(wanted)
            await asyncio.sleep(LEAST_PAUSE)

    async def _look(self, wanted: set[int]) -> None:
        try:
            found = await self._executor.run(affairs_of, sorted(wanted))
        except Exception:
            log.exception("the feeds of %d users could not be loaded", len(wanted))
            return
        for user_id, affairs in found.items():
            self._show(user_id, affairs)

    def _show(self, user_id: int, affairs: Affairs) -> None:
        held = self.watchers.get(user_id)
        if held:
            self._known[user_id] = affairs
            for watcher in tuple(held):
                watcher.show_affairs(affairs)
