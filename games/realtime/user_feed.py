"""The user feed: sends pages their user's affairs (points, and tables that wait).
Source: docs/reference/protocol.md "User affairs".
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Final, Protocol

from games.matches.journal.snapshots import Snapshot
from games.notices.attention import Affairs, affairs_of
from games.realtime.executors import Executor
from games.realtime.poller import Poller

log = logging.getLogger(__name__)

#: Least seconds between two loads; all users with a socket are compared after the longer one, if
#: they are few.
LEAST_PAUSE, COMPARE = 0.25, 2.0
#: Users that are compared at once, and read by one call.
PORTION: Final = 50
#: The pause after a comparison, as a multiple of its duration: with thousands of users, or of
#: games of theirs, it takes a tenth of the time instead of a processor.
REST: Final = 9


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
        #: Match -> the users whose cached affairs name it.
        self._concerned: defaultdict[int, set[int]] = defaultdict(set)
        self._dirty: set[int] = set()
        #: The users who are still to be compared in this round, and when the next of them are.
        self._waiting: list[int] = []
        self._compare_at = 0.0

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
            self._keep(user_id, None)

    def look_again(self, user_ids: Iterable[int]) -> None:
        """Request a reload: these users' affairs may have changed."""
        self._dirty.update(user_id for user_id in user_ids if user_id in self.watchers)
        if self._dirty:
            self._wanted.set()

    def moved_on(self, snapshots: Iterable[Snapshot]) -> None:
        """Update users' affairs from matches in which no points moved, without a query. A user
        whose affairs cannot be derived from the cache is reloaded.
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
            self._concerned[match_id].discard(user_id)
            if not self._concerned[match_id]:
                del self._concerned[match_id]
        if affairs is not None:
            self._known[user_id] = affairs
            for match_id in affairs.match_ids:
                self._concerned[match_id].add(user_id)

    def _show(self, user_id: int, affairs: Affairs) -> None:
        held = self.watchers.get(user_id)
        if held:
            self._keep(user_id, affairs)
            for watcher in tuple(held):
                watcher.show_affairs(affairs)
