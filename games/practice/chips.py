"""Chips and practice weapons: balances of one table, outside the ledger."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from economy.errors import InsufficientStock
from economy.ledger import AccountRef, Move, Plan
from economy.units import AccountKind
from games.contract import TableGame
from games.engine.facts import IdentityCache
from games.text.telling import Data, Names, Teller

#: Chips of a new player, and of one who has run out.
CHIPS: Final = 200


#: Matches "point(s)" in the games' own words, which become chips; victory points stay.
_POINTS: Final = re.compile(r"(?<!ictory )\bpoint(s?)\b")


def in_chips(text: str) -> str:
    """Return a sentence of a game with its points replaced by chips.

    >>> in_chips("Ann bets 3 points and has 2 victory points.")
    'Ann bets 3 chips and has 2 victory points.'
    """
    return _POINTS.sub(r"chip\1", text)


def _told_in_chips(game: TableGame) -> TableGame:
    def with_chips(teller: Teller) -> Teller:
        def tell(data: Data, names: Names) -> str | None:
            text = teller(data, names)
            return text and in_chips(text)

        return tell

    sentences = {
        kind: teller and with_chips(teller) for kind, teller in game.speech.sentences.items()
    }
    return replace(game, speech=replace(game.speech, sentences=sentences))


#: Each game with sentences in chips.
GAMES_IN_CHIPS: Final = IdentityCache(_told_in_chips)


class ChipPlan(Plan):
    """The ledger's plan over balances in memory; any account is locked."""

    def __init__(self, balances: dict[AccountRef, int], at: datetime) -> None:
        super().__init__(at, frozenset(), is_locked=True)
        self._balances = balances

    def balance(self, ref: AccountRef) -> int:
        return self._planned.get(ref, self._balances.get(ref, 0))

    def move(self, move: Move, reverses_id: int | None = None) -> None:
        missing = move.amount - self.balance(move.debit)
        if move.debit.kind is AccountKind.STOCK and missing > 0:
            # The ledger's own refusal reads the shop's offer.
            unit = move.debit.unit.value
            raise InsufficientStock(
                "your practice stock has no more of these", unit=unit, missing=missing
            )
        super().move(move, reverses_id)

    def write(self) -> None:
        self._balances.update(self._planned)
