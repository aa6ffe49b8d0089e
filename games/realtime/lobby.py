"""The lobby's sockets: the lists of tables and duels, sent again when they have changed."""

import asyncio
import logging
from typing import Any, Protocol

from games.matches.queries import selectors
from games.realtime import protocol
from games.realtime.executors import Executor
from games.realtime.poller import Poller

log = logging.getLogger(__name__)

#: The least and the most seconds between two loads of the lists while a socket watches.
LEAST_PAUSE, MOST_PAUSE = 0.25, 2.0


class Watcher(Protocol):
    """One socket in the lobby."""

    def show_lobby(self, encoded: bytes) -> None:
        """Take the lists, as the members of a frame: ``"games":{"…":[…]}``."""

    def close(self, code: int) -> None:
        """End the socket."""


class Lobby(Poller):
    """The watchers of this process and the lists sent last."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor)
        self.watchers: set[Watcher] = set()
        self._encoded: bytes | None = None

    def enter(self, watcher: Watcher) -> None:
        """Add a socket; send it the lists at once when they are cached."""
        self.watchers.add(watcher)
        if self._encoded is not None:
            watcher.show_lobby(self._encoded)
        self.look_again()

    def leave(self, watcher: Watcher) -> None:
        """Remove a socket."""
        self.watchers.discard(watcher)

    def look_again(self) -> None:
        """Request a reload: a table may have changed."""
        self._wanted.set()

    async def _refresh(self) -> None:
        while True:
            await self._wait(MOST_PAUSE)
            if self.watchers:
                await self._look()
            await asyncio.sleep(LEAST_PAUSE)

    async def _look(self) -> None:
        try:
            lists: dict[str, list[dict[str, Any]]] = await self._executor.run(selectors.lobby)
        except Exception:
            log.exception("the lobby could not be loaded")
            return
        encoded = protocol.encode_view({"games": lists})[1:-1]
        if encoded != self._encoded:
            self._encoded = encoded
            for watcher in tuple(self.watchers):
                watcher.show_lobby(encoded)
