"""The decisions of Showdown's bots; the only input is their own view. Pure: the same view and the
same generator give the same actions.
"""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.contract import Character
from games.engine.facts import SeatNo
from games.showdown.bot.arming import arm
from games.showdown.bot.betting import bet
from games.showdown.bot.temperaments import cast, strength_of, temperament_of
from games.showdown.rules.betting import call_amount
from games.showdown.rules.state import TableState

#: Milliseconds between a view and an action: a person's pace, well within any clock.
LEAST_THINKING: Final = 900
USUAL_THINKING: Final = 1_700
MOST_THINKING: Final = 3_500
#: Added to the usual delay when there is a price to pay.
PRICED: Final = 500


class ShowdownBot:
    """Bet and choose weapons by the bot's temperament and strength."""

    cast: Mapping[str, Character] = MappingProxyType(cast())

    def choose(self, view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
        game = view["game"]
        temperament = temperament_of(view["you"]["name"])
        if game["stage"] == "betting":
            return bet(game, temperament, chance)
        if game["stage"] == "over" or game["you"]["locked"]:
            return []
        nature = temperament, strength_of(view["you"]["name"])
        return arm(game, nature, view["you"]["stock"] or {}, chance)

    def has_decision(self, state: TableState, seat: int) -> bool:
        return True

    def think_milliseconds(self, state: TableState, seat: int, chance: Random) -> int:
        own = state.seat(SeatNo(seat))
        has_price = state.turn == seat and own is not None and call_amount(state, own) > 0
        usual = USUAL_THINKING + (PRICED if has_price else 0)
        return int(chance.triangular(LEAST_THINKING, MOST_THINKING, usual))
