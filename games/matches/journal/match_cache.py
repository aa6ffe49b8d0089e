"""Cached matches: the running matches that this process holds, as they were last committed or read.

A record is never changed; it is swapped by one assignment after the outermost COMMIT, and only for
one with more entries.  It is gone on from only when the match's row says that it is the present,
and it catches up with what others appended; so nothing depends on its being right or being there.

Only running matches are held: until the start people come and go, and who they are (frozen, an
administrator) must be asked of the database.

Source: docs/performance.md "The journal".
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from games.engine.facts import Latest
from games.engine.table import RUNNING, Table, TableState
from games.matches.journal.lines import Line
from games.matches.journal.sitters import Sitter
from games.matches.models import Match, Replaced, Seat

#: So many matches are held, about 20 KB each.
MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class CachedMatch:
    """A match as it stands after an entry.  Nothing in it is ever changed.

    The checkpoint in ``match`` may be older than ``state`` and ``lines``, which are the present.
    """

    match: Match
    table: Table
    state: TableState
    seats: Mapping[int, Seat]
    #: The last public lines.
    lines: tuple[Line, ...] = ()
    #: What the sitters owned at an instant of the monotonic clock; None when nobody has asked.
    sitters: Mapping[int, Sitter] | None = None
    looked_at: float = 0.0
    #: Who played here until somebody took over, in that order.
    replaced: tuple[Replaced, ...] = ()

    @property
    def no(self) -> int:
        """The number of its last entry."""
        return self.match.action_count

    @property
    def names(self) -> Mapping[int, str]:
        """Who sits where, by name."""
        return _NAMES.of(self.seats)

    @property
    def users(self) -> Mapping[int, int]:
        """Who sits where, by id."""
        return _USERS.of(self.seats)


class MatchCache:
    """The matches that a process holds, those that were used last."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._held: OrderedDict[int, CachedMatch] = OrderedDict()
        self._let_go: list[CachedMatch] = []
        self._lock = threading.Lock()

    def get(self, match_ids: Iterable[int]) -> dict[int, CachedMatch]:
        """Return what is held of these matches, which may be behind."""
        with self._lock:
            return {pk: self._held[pk] for pk in match_ids if pk in self._held}

    def put(self, matches: Iterable[CachedMatch]) -> None:
        """Hold the running ones of these matches, unless more is known already; drop the others."""
        with self._lock:
            for cached in matches:
                self._put(cached)
            while len(self._held) > self._most:
                _, oldest = self._held.popitem(last=False)
                self._let_go.append(oldest)

    def drop(self, match_ids: Iterable[int]) -> None:
        """Forget these matches: something went wrong with them."""
        with self._lock:
            for match_id in match_ids:
                self._held.pop(match_id, None)

    def take_let_go(self) -> list[CachedMatch]:
        """Return the matches that had to make room since this was last asked."""
        with self._lock:
            let_go, self._let_go = self._let_go, []
        return let_go

    def everything(self) -> list[CachedMatch]:
        """Return all that is held."""
        with self._lock:
            return list(self._held.values())

    def forget(self) -> None:
        """Forget everything."""
        with self._lock:
            self._held.clear()
            self._let_go.clear()

    def _put(self, cached: CachedMatch) -> None:
        held = self._held.get(cached.match.pk)
        if held is not None and held.no > cached.no:
            return
        if cached.state.stage == RUNNING:
            self._held[cached.match.pk] = cached
            self._held.move_to_end(cached.match.pk)
        elif held is not None:
            del self._held[cached.match.pk]


def names_at(seats: Mapping[int, Seat]) -> dict[int, str]:
    """Return who sits where, by name."""
    return {no: seat.user.username for no, seat in seats.items()}


def users_at(seats: Mapping[int, Seat]) -> dict[int, int]:
    """Return who sits where, by id."""
    return {no: seat.user_id for no, seat in seats.items()}


#: Seats are the same object for as long as nobody comes or goes.
_NAMES: Final = Latest(names_at, most=2 * MOST)
_USERS: Final = Latest(users_at, most=2 * MOST)

#: This process's.
match_cache: Final = MatchCache()
