"""The lobby's sockets: the lists of tables and duels, sent again when they have changed."""

import asyncio
import logging
import time
from typing import Any, Final, Protocol

from games.matches.queries import selectors
from games.realtime import protocol
from games.realtime.executors import Executor
from games.realtime.poller import Poller

log = logging.getLogger(__name__)

#: The least and the most seconds between two loads of the lists while a socket watches.
LEAST_PAUSE, MOST_PAUSE = 0.25, 2.0
#: Sockets that are sent the lists in one turn of the loop, so that actions are answered in between.
PORTION: Final = 32
#: The pause after sending to all, as a multiple of its duration: with thousands of sockets the
#: lists come less often, instead of filling the loop.
REST: Final = 4


class Watcher(Protocol):
    """One socket in the lobby."""

    def show_lobby(self, encoded: str) -> None:
        """Take the lists, as the members of a frame: ``"games":{"…":[…]}``."""

    def close(self, code: int) -> None:
        """End the socket."""


class Lobby(Poller):
    """The watchers of this process and the lists sent last."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor)
        self.watchers: set[Watcher] = set()
        self._encoded: str | None = None

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
            begun = time.monotonic()
            if self.watchers:
                await self._look()
            await asyncio.sleep(max(LEAST_PAUSE, REST * (time.monotonic() - begun)))

    async def _look(self) -> None:
        try:
            lists: dict[str, list[dict[str, Any]]] = await self._executor.run(selectors.lobby)
        except Exception:
            log.exception("the lobby could not be loaded")
            return
        encoded = protocol.encode_view({"games": lists})[1:-1].decode()
        if encoded == self._encoded:
            return
        self._encoded = encoded
        everybody = list(self.watchers)
        for first in range(0, len(everybody), PORTION):
            for watcher in everybody[first : first + PORTION]:
                if watcher in self.watchers:
                    watcher.show_lobby(encoded)
            await asyncio.sleep(0)
