"""A statement as people think of it: one entry a game, its movements inside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from economy.statement import Line
from economy.words import MovementKind, codes_of

_OF_GAMES: Final = frozenset(codes_of(MovementKind.GAME))


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened to somebody's points: a game, or a single movement.

    ``lines`` are its movements, the newest first.
    """

    lines: tuple[Line, ...]

    @property
    def newest(self) -> Line:
        """The movement that tells when it was, and what was there afterwards."""
        return self.lines[0]

    @property
    def is_game(self) -> bool:
        """Whether these are the movements of a game."""
        return self.newest.code in _OF_GAMES

    @property
    def net(self) -> int:
        """The points that came in by it, less those that went out."""
        return sum(line.amount for line in self.lines)

    @property
    def words(self) -> str:
        """What it was."""
        if not self.is_game or len(self.lines) == 1:
            return self.newest.words
        return "Game"


def entries_of(lines: Iterable[Line]) -> list[Entry]:
    """Put the movements of each game together, where the newest of them stands."""
    found: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        is_game = line.code in _OF_GAMES
        key = (line.cause, 0) if is_game else ("", line.transfer_id)
        found.setdefault(key, []).append(line)
    return [Entry(tuple(together)) for together in found.values()]


def alone(line: Line) -> Entry:
    """Return a single movement as an entry."""
    return Entry((line,))
