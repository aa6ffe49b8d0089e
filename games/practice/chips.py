"""What somebody has at a practice table: numbers that the ledger knows nothing of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from economy.codes import FLOWS
from economy.errors import InsufficientStock
from economy.units import OWNED, AccountKind, Unit
from games.contract import Move
from games.engine.facts import Told

#: So many chips somebody has to begin with, and again when they are gone.
CHIPS: Final = 100


#: The games' own words speak of points, which chips are not; victory points stay.
_POINTS: Final = re.compile(r"(?<!ictory )\bpoint(s?)\b")


def in_chips(text: str) -> str:
    """Return a sentence of a game as it is said at a practice table.

    >>> in_chips("Ann bets 3 points and has 2 victory points.")
    'Ann bets 3 chips and has 2 victory points.'
    """
    return _POINTS.sub(r"chip\1", text)


def full_stock(given: Mapping[str, int]) -> dict[str, int]:
    """Return how many there are of each weapon that somebody can own."""
    return {**dict.fromkeys(OWNED, 0), **given}


@dataclass(slots=True)
class Chips:
    """What the person has here: chips, and weapons by name.  None of it is anybody's."""

    chips: int = CHIPS
    stock: dict[str, int] = field(default_factory=lambda: full_stock({}))

    def after(self, moves: Mapping[str, Move], facts: Iterable[Told], seat: int) -> Chips:
        """Return what is left after what became true for a seat, as the ledger would move it.

        Raises:
            InsufficientStock: there are not so many of a weapon; this bag is unchanged.
        """
        left = Chips(self.chips, dict(self.stock))
        for told in facts:
            move = moves.get(told.kind)
            if move is None or told.data.get("seat") != seat:
                continue
            give, take = FLOWS[move.code]
            count = move.count(told.data)
            if give == AccountKind.STOCK:
                left._change(move.unit(told.data), -count)
            elif take == AccountKind.STOCK:
                left._change(move.unit(told.data), count)
        return left

    def _change(self, unit: Unit, amount: int) -> None:
        name = next(name for name, owned in OWNED.items() if owned == unit)
        held = self.stock.get(name, 0) + amount
        if held < 0:
            raise InsufficientStock(
                "your practice stock has no more of these", unit=unit.value, missing=-held
            )
        self.stock[name] = held
