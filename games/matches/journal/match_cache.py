"""Cached matches: the running matches that this process caches, as last committed or read.

A record is never changed; after the outermost COMMIT one assignment swaps it for one with more
entries.  It is used only when the match's row says that it is current, after a replay of entries
that others appended; so nothing depends on the cache being right or complete.

Only running matches are cached: before the start users come and go, and their status (frozen,
administrator) must be read from the database.

Source: docs/explanation/performance.md "The journal".
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from games.engine.table import RUNNING
from games.matches.journal.snapshots import Snapshot

#: The largest number of cached matches, about 20 KB each.
MOST: Final = 1_000


class MatchCache:
    """The most recently used matches of a process."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._held: OrderedDict[int, Snapshot] = OrderedDict()
        #: The matches evicted since ``take_let_go``.
        self.let_go: list[Snapshot] = []
        self._lock = threading.Lock()

    def get(self, match_ids: Iterable[int]) -> dict[int, Snapshot]:
        """Return the cached ones of these matches; they may be behind."""
        with self._lock:
            return {pk: self._held[pk] for pk in match_ids if pk in self._held}

    def put(self, matches: Iterable[Snapshot]) -> None:
        """Cache these matches if running, unless a later state is cached; drop the others."""
        with self._lock:
            for cached in matches:
                match_id = cached.match.id
                held = self._held.get(match_id)
                if held is not None and held.match.action_count > cached.match.action_count:
                    continue
                if cached.state.stage == RUNNING:
                    self._held[match_id] = cached
                    self._held.move_to_end(match_id)
                elif held is not None:
                    del self._held[match_id]
            while len(self._held) > self._most:
                _, oldest = self._held.popitem(last=False)
                self.let_go.append(oldest)

    def drop(self, match_ids: Iterable[int]) -> None:
        """Drop these matches from the cache, for example after an error."""
        with self._lock:
            for match_id in match_ids:
                self._held.pop(match_id, None)

    def take_let_go(self) -> list[Snapshot]:
        """Return the matches evicted since the last call."""
        with self._lock:
            let_go, self.let_go = self.let_go, []
        return let_go

    def everything(self) -> list[Snapshot]:
        """Return all cached matches."""
        with self._lock:
            return list(self._held.values())

    def forget(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._held.clear()
            self.let_go.clear()


#: The cache of this process.
match_cache: Final = MatchCache()
