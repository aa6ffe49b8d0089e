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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from economy.units import OWNED, Unit
from games.engine.table import RUNNING, Table, TableState
from games.matches.journal.lines import Line
from games.matches.models import Match, Replaced, Seat

#: The largest number of cached matches, about 20 KB each.
MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Sitter:
    """The user on a seat, with the points and weapons (by name) owned, and the day last seen.

    ``rating`` and ``rating_change`` are in rating points, ``bonus`` in points, ``award`` in points
    of either axis, as paid.
    """

    user_id: int
    name: str
    bot: bool
    balance: int = 0
    stock: Mapping[str, int] = field(default_factory=dict)
    seen_on: date | None = None
    rating: int | None = None
    rating_change: int | None = None
    bonus: int = 0
    award: tuple[int, int] = (0, 0)


def sitter_of(seat: Seat, owned: Mapping[Unit, int]) -> Sitter:
    """Return the user on a seat, with the belongings."""
    user = seat.user
    return Sitter(
        user.pk,
        user.username,
        user.is_bot,
        owned.get(Unit.POINT, 0),
        {name: owned.get(unit, 0) for name, unit in OWNED.items()},
        seat.seen_at.date(),
        seat.rating,
        seat.rating_change,
        seat.bonus,
        (seat.award, seat.y_award),
    )


@dataclass(frozen=True, slots=True)
class CachedMatch:
    """The state of a match after an entry.  It is immutable.

    The checkpoint in ``match`` may be older than ``state`` and ``lines``, which are current.
    """

    match: Match
    table: Table
    state: TableState
    seats: Mapping[int, Seat]
    #: The last public lines.
    lines: tuple[Line, ...] = ()
    #: The sitters' belongings, read at ``looked_at`` of the monotonic clock; None: never read.
    sitters: Mapping[int, Sitter] | None = None
    looked_at: float = 0.0
    #: The users who were replaced here, in that order.
    replaced: tuple[Replaced, ...] = ()
    #: Seat -> user id, and user name.
    users: Mapping[int, int] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    @property
    def no(self) -> int:
        """The number of its last entry."""
        return self.match.action_count


class MatchCache:
    """The most recently used matches of a process."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._held: OrderedDict[int, CachedMatch] = OrderedDict()
        #: The matches evicted since ``take_let_go``.
        self.let_go: list[CachedMatch] = []
        self._lock = threading.Lock()

    def get(self, match_ids: Iterable[int]) -> dict[int, CachedMatch]:
        """Return the cached ones of these matches; they may be behind."""
        with self._lock:
            return {pk: self._held[pk] for pk in match_ids if pk in self._held}

    def put(self, matches: Iterable[CachedMatch]) -> None:
        """Cache these matches if running, unless a later state is cached; drop the others."""
        with self._lock:
            for cached in matches:
                match_id = cached.match.pk
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

    def take_let_go(self) -> list[CachedMatch]:
        """Return the matches evicted since the last call."""
        with self._lock:
            let_go, self.let_go = self.let_go, []
        return let_go

    def everything(self) -> list[CachedMatch]:
        """Return all cached matches."""
        with self._lock:
            return list(self._held.values())

    def forget(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._held.clear()
            self.let_go.clear()


def names_at(seats: Mapping[int, Seat]) -> dict[int, str]:
    """Return seat -> user name."""
    return {no: seat.user.username for no, seat in seats.items()}


def users_at(seats: Mapping[int, Seat]) -> dict[int, int]:
    """Return seat -> user id."""
    return {no: seat.user_id for no, seat in seats.items()}


#: The cache of this process.
match_cache: Final = MatchCache()
