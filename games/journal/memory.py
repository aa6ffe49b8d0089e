"""What this process last knew of running matches, so that it need not read its own words.

A match is taken out under its lock, and used only when it stands where it was left: with the same
number of actions and of facts.  It is put back after the commit.  Whatever goes wrong in between,
it is then simply not there and is read from the database.  What was read of other processes'
doings to show it is kept here too.

Only running matches are kept: until the start people come and go, and who they are (frozen, an
administrator) must be asked of the database.

Source: docs/performance.md "The memory".
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from games.journal.lines import Line
from games.journal.rows import Mark
from games.journal.sitters import Sitter
from games.kernel.table import RUNNING, TableState
from games.models import Match, Seat

#: So many matches are kept, about 20 KB each.
MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Remembered:
    """A match as it was committed.  Nothing in it is ever changed: whoever goes on makes copies."""

    match: Match
    state: TableState
    seats: Mapping[int, Seat]
    #: The last public lines; None when nobody has read them yet.
    lines: tuple[Line, ...] | None = None
    #: What the sitters owned at an instant of the monotonic clock; None when nobody has asked.
    sitters: Mapping[int, Sitter] | None = None
    looked_at: float = 0.0

    @property
    def mark(self) -> Mark:
        """How far the match had come."""
        match = self.match
        return Mark(match.pk, match.public_id, match.action_count, match.seq)


class Memory:
    """The matches of this process, those that were used last."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[int, Remembered] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, marks: Iterable[Mark]) -> dict[int, Remembered]:
        """Take out what is kept of these locked matches; it may be older than the marks."""
        with self._lock:
            taken = {mark.match_id: self._kept.pop(mark.match_id, None) for mark in marks}
        return {match_id: kept for match_id, kept in taken.items() if kept is not None}

    def look_at(self, match_ids: Iterable[int]) -> dict[int, Remembered]:
        """Return what is kept of these matches, which may be old."""
        with self._lock:
            return {pk: self._kept[pk] for pk in match_ids if pk in self._kept}

    def put(self, matches: Iterable[Remembered]) -> None:
        """Keep the running ones of these matches, as they were just committed or read."""
        with self._lock:
            for kept in matches:
                if kept.state.stage == RUNNING:
                    self._kept[kept.match.pk] = kept
                    self._kept.move_to_end(kept.match.pk)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()


#: This process's.
memory: Final = Memory()
