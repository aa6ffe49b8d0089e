"""Chips and weapons at a practice table: numbers outside the ledger."""

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

#: Chips of a new player, and of one who has run out.
CHIPS: Final = 100


#: Matches "point(s)" in the games' own words, which become chips; victory points stay.
_POINTS: Final = re.compile(r"(?<!ictory )\bpoint(s?)\b")


def in_chips(text: str) -> str:
    """Return a sentence of a game with its points replaced by chips.

    >>> in_chips("Ann bets 3 points and has 2 victory points.")
    'Ann bets 3 chips and has 2 victory points.'
    """
    return _POINTS.sub(r"chip\1", text)


def full_stock(given: Mapping[str, int]) -> dict[str, int]:
    """Return a count for each weapon that can be owned, 0 if none is given."""
    return {**dict.fromkeys(OWNED, 0), **given}


@dataclass(slots=True)
class Chips:
    """The person's chips, and weapons by name; not owned by any account."""

    chips: int = CHIPS
    stock: dict[str, int] = field(default_factory=lambda: full_stock({}))

    def after(self, moves: Mapping[str, Move], facts: Iterable[Told], seat: int) -> Chips:
        """Return the stock after a seat's facts, moved as the ledger would; chips do not change.

        Raises:
            InsufficientStock: there are not enough of a weapon; these chips are unchanged.
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
