"""A match as it stood at one moment, with all that is needed to build anybody's view of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.journal.sitters import Sitter
from games.kernel.table import Table, TableState
from games.models import Match
from games.reading.summaries import read_summary


@dataclass(frozen=True, slots=True)
class News:
    """Who can see a difference to an earlier state: only those who sit on these seats."""

    since: int
    seats: frozenset[int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match, its decoded state and its sitters; holds every secret and is shown to nobody.

    Without ``news`` everybody may see a difference to whatever was before.
    """

    match: Match
    table: Table
    state: TableState
    sitters: Mapping[int, Sitter]
    successor: str | None = None
    news: News | None = None
    challenge: tuple[str, str] | None = None

    @property
    def seq(self) -> int:
        """The number of its last event; a larger one is a later state."""
        return self.match.seq

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The last public lines of the log."""
        lines: list[dict[str, Any]] = json.loads(self.match.recent)
        return lines

    @property
    def noted(self) -> Mapping[str, Any]:
        """What is noted beside the state, by seat: bonus, ratings, rating_changes."""
        return read_summary(self.match.summary)

    @property
    def people(self) -> set[int]:
        """The users whom the match concerns: who sits there, and who is invited."""
        invited = {self.match.invited_id} if self.match.invited_id else set()
        return invited | {sitter.user_id for sitter in self.sitters.values()}

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the seat of a user, None for whoever has none."""
        for seat, sitter in self.sitters.items():
            if sitter.user_id == user_id:
                return seat
        return None


def challenge_of(match: Match) -> tuple[str, str] | None:
    """Return who challenged whom with a match, by name; None for any other match."""
    if match.invited is None or match.opened_by is None:
        return None
    return match.opened_by.username, match.invited.username
