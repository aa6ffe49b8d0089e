"""A match as it stood at one moment, with all that is needed to build anybody's view of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from economy.units import Unit
from games.models import Match
from games.rules.table import Table, TableState

#: The weapons that can be owned, by the name the rules give them.
OWNED: Mapping[str, Unit] = {
    "rock": Unit.ROCK,
    "paper": Unit.PAPER,
    "scissors": Unit.SCISSORS,
    "landmine": Unit.LANDMINE,
}


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat, with what that user owns: points, and weapons by name."""

    user_id: int
    name: str
    bot: bool
    balance: int = 0
    stock: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match, its decoded state and its sitters; holds every secret and is shown to nobody."""

    match: Match
    table: Table
    state: TableState
    sitters: Mapping[int, Sitter]
    successor: str | None = None
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
    def bonuses(self) -> dict[str, int]:
        """Win bonuses paid, by seat."""
        bonuses: dict[str, int] = json.loads(self.match.summary).get("bonus", {})
        return bonuses

    @property
    def people(self) -> set[int]:
        """The users whom the match concerns: who sits there, and who is invited."""
        invited = {self.match.invited_id} if self.match.invited_id else set()
        return invited | {sitter.user_id for sitter in self.sitters.values()}

    @property
    def ratings(self) -> dict[str, int]:
        """Ratings of those who sit here, by seat, where the game has any."""
        ratings: dict[str, int] = json.loads(self.match.summary).get("ratings", {})
        return ratings

    @property
    def rating_changes(self) -> dict[str, int]:
        """By how much the match has changed ratings, by seat."""
        changes: dict[str, int] = json.loads(self.match.summary).get("rating_changes", {})
        return changes

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
