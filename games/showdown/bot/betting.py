"""A bot's betting: mostly it calls, sometimes it bluffs, and it folds to high prices. Before the
first round all hands are equal, so a seat in the pot is worth the pot divided by the players in it.
Only the temperament makes a difference.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.showdown.bot.temperaments import Temperament

#: No bot folds to at most this many antes if that is also a small part of its purse.
TRIFLE_ANTES: Final = 2
TRIFLE_SHARE: Final = 0.05

#: The highest probability to fold.  Even the most careful bot calls nearly every other time;
#: otherwise an opponent who always raises all in would win every ante.
MOST_FOLDS: Final = 0.6

#: The weights of a price's odds, and of its part of the purse, in the decision to fold.
ODDS_WEIGHT: Final = 3.0
PURSE_WEIGHT: Final = 1.0

#: The probability of a raise at boldness 1: as the first raise, and over an earlier one.
OPENING_BLUFF: Final = 0.45
COUNTER_BLUFF: Final = 0.2

#: A raise of this many antes is always acceptable to a bot.
FUN_ANTES: Final = 3


def bet(game: Mapping[str, Any], temperament: Temperament, rng: Random) -> list[dict[str, Any]]:
    """Return the one action for this turn; empty when it is not the bot's turn."""
    may = game["you"]["may"]
    if "call" not in may:
        return []
    if "fold" in may and rng.random() < fold_chance(game, temperament):
        return [{"kind": "fold"}]
    amount = _bluff(game, temperament, rng) if "raise_by" in may else None
    return [{"kind": "raise_by", "amount": amount} if amount else {"kind": "call"}]


def fold_chance(game: Mapping[str, Any], temperament: Temperament) -> float:
    """Return the probability of folding to the current price, 0 if there is none."""
    price: int = game["you"]["call_amount"] or 0
    purse: int = max(1, _own_seat(game)["purse"])
    if price <= game["ante"] * TRIFLE_ANTES and price <= max(1, purse * TRIFLE_SHARE):
        return 0.0
    odds: float = price / (game["pot"] + price)
    players = sum(seat["status"] in ("in", "all_in") for seat in game["seats"])
    dislike = ODDS_WEIGHT * (odds - 1 / players) + PURSE_WEIGHT * price / purse
    return min(MOST_FOLDS, max(0.0, temperament.caution * dislike))


def _bluff(game: Mapping[str, Any], temperament: Temperament, rng: Random) -> int | None:
    """Return the amount of a raise, or None for a call."""
    is_opening = game["bet"]["to_match"] <= game["ante"]
    chance = OPENING_BLUFF if is_opening else COUNTER_BLUFF
    least: int = game["you"]["raise_min"]
    most: int = game["you"]["raise_max"]
    fun = max(FUN_ANTES * game["ante"], int(temperament.appetite * _own_seat(game)["purse"]))
    if rng.random() >= chance * temperament.boldness or least > fun:
        return None
    # squared: small raises are the rule, large ones the exception
    return min(most, least + int((fun - least + 1) * rng.random() ** 2))


def _own_seat(game: Mapping[str, Any]) -> Mapping[str, Any]:
    number = game["you"]["seat"]
    own: Mapping[str, Any] = next(seat for seat in game["seats"] if seat["no"] == number)
    return own
