"""A statement as people think of it: one entry a game, its movements inside."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from economy.labels import MovementKind, codes_of
from economy.statement import Line
from economy.units import Unit, complex_points

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
    def net(self) -> tuple[int, int]:
        """The points of either axis that came in by it, less those that went out."""
        return self._sum(Unit.POINT), self._sum(Unit.Y_POINT)

    @property
    def sign(self) -> int:
        """Whether it was more or less afterwards: 1, -1 or 0."""
        x, y = self.net
        return (x > 0) - (x < 0) or (y > 0) - (y < 0)

    @property
    def net_words(self) -> str:
        """What came in by it, with its sign, as one number."""
        return f"{'+' if self.sign > 0 else ''}{complex_points(*self.net)}"

    @property
    def balance_words(self) -> str:
        """What was there afterwards, of the axes that it changed."""
        last = {line.unit: line.balance for line in reversed(self.lines)}
        return complex_points(last.get(Unit.POINT, 0), last.get(Unit.Y_POINT, 0))

    @property
    def words(self) -> str:
        """What it was."""
        if not self.is_game or len(self.lines) == 1:
            return self.newest.words
        return "Game"

    def _sum(self, unit: Unit) -> int:
        return sum(line.amount for line in self.lines if line.unit is unit)


def entries_of(lines: Iterable[Line]) -> list[Entry]:
    """Put the movements of each game together, where the newest of them stands."""
    found: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        is_game = line.code in _OF_GAMES
        key = (line.cause, 0) if is_game else ("", line.transfer_id)
        found.setdefault(key, []).append(line)
    return [Entry(tuple(together)) for together in found.values()]
