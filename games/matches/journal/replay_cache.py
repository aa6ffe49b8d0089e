"""A cache of what is made of finished matches by a replay: a match is replayed once a process.
Source: docs/explanation/replays.md.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from games.matches.models import Match

#: The most matches in a cache.
MOST: Final = 16
#: One match at a time is replayed as a whole, so that requests cannot take all processors.
_turn: Final = threading.RLock()

Made = TypeVar("Made")


class ReplayCache(Generic[Made]):
    """Results of ``make`` for the last matches asked for, made again after another entry."""

    def __init__(self, make: Callable[[Match], Made], most: int = MOST) -> None:
        self._make, self._most = make, most
        self._held: OrderedDict[tuple[str, int], Made] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, match: Match) -> Made:
        """Return what is made of a finished match. Raises ValueError: the match is still live;
        KeyError: the game, or that version of it, is not installed here.
        """
        if match.is_live:
            raise ValueError("a running match has secrets")
        key = (match.public_id, match.action_count)
        found = self._look(key)
        if found is not None:
            return found
        with _turn:
            found = self._look(key) or self._make(match)
            with self._lock:
                self._held[key] = found
                while len(self._held) > self._most:
                    self._held.popitem(last=False)
        return found

    def forget(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._held.clear()

    def _look(self, key: tuple[str, int]) -> Made | None:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)
