"""A statement with one entry per game, which holds the movements of that game."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from economy.labels import MovementKind, codes_of
from economy.statement import Line
from economy.units import Unit, complex_points

_OF_GAMES: Final = frozenset(codes_of(MovementKind.GAME))


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a statement: a game with its movements, or a single movement. ``lines`` are its
    movements, the newest first.
    """

    lines: tuple[Line, ...]

    @property
    def newest(self) -> Line:
        """The newest movement: it has the entry's instant and the balance afterwards."""
        return self.lines[0]

    @property
    def is_game(self) -> bool:
        """Whether these are the movements of a game."""
        return self.newest.code in _OF_GAMES

    @property
    def net(self) -> tuple[int, int]:
        """Points gained minus points lost, on each axis."""
        return self._sum(Unit.POINT), self._sum(Unit.Y_POINT)

    @property
    def sign(self) -> int:
        """The sign of ``net``: 1, -1 or 0."""
        x, y = self.net
        return (x > 0) - (x < 0) or (y > 0) - (y < 0)

    @property
    def net_words(self) -> str:
        """``net`` with its sign, as one complex number."""
        return f"{'+' if self.sign > 0 else ''}{complex_points(*self.net)}"

    @property
    def balance_words(self) -> str:
        """The balances afterwards, of the axes that the entry changed."""
        last = {line.unit: line.balance for line in reversed(self.lines)}
        return complex_points(last.get(Unit.POINT, 0), last.get(Unit.Y_POINT, 0))

    @property
    def words(self) -> str:
        """The title of the entry."""
        if not self.is_game or len(self.lines) == 1:
            return self.newest.words
        return "Game"

    def _sum(self, unit: Unit) -> int:
        return sum(line.amount for line in self.lines if line.unit is unit)


def entries_of(lines: Iterable[Line]) -> list[Entry]:
    """Group the movements of each game at the place of the newest one."""
    found: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        is_game = line.code in _OF_GAMES
        key = (line.cause, 0) if is_game else ("", line.transfer_id)
        found.setdefault(key, []).append(line)
    return [Entry(tuple(together)) for together in found.values()]
