"""How a bot bets: mostly it calls, sometimes it bluffs, and it has its pride about prices.

Before the first round all hands are equal, so a chair at the pot is worth the
pot divided by the players in it.  What a bot adds is nerve.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.showdown.bot.temperaments import Temperament

#: No bot folds to fewer antes than this if it also is a small part of the purse.
TRIFLE_ANTES: Final = 2
TRIFLE_SHARE: Final = 0.05

#: Even the most careful bot looks a bully in the eye nearly every other time: whoever always
#: raises all in would else be given the antes.
MOST_FOLDS: Final = 0.6

#: How a bot dislikes a price by its odds, and by its part of the purse.
ODDS_WEIGHT: Final = 3.0
PURSE_WEIGHT: Final = 1.0

#: Chance of a raise, times boldness: as the first to raise, and over somebody's raise.
OPENING_BLUFF: Final = 0.45
COUNTER_BLUFF: Final = 0.2

#: A raise of so many antes is never too much.
FUN_ANTES: Final = 3


def bet(game: Mapping[str, Any], temperament: Temperament, rng: Random) -> list[dict[str, Any]]:
    """Return the one action for this turn; nothing when it is not the bot's turn."""
    may = game["you"]["may"]
    if "call" not in may:
        return []
    if "fold" in may and rng.random() < fold_chance(game, temperament):
        return [{"kind": "fold"}]
    amount = _bluff(game, temperament, rng) if "raise_by" in may else None
    return [{"kind": "raise_by", "amount": amount} if amount else {"kind": "call"}]


def fold_chance(game: Mapping[str, Any], temperament: Temperament) -> float:
    """Return how likely the bot is to fold to what it has to pay now, 0 where that is nothing."""
    price: int = game["you"]["call_amount"] or 0
    purse: int = max(1, _own_seat(game)["purse"])
    if price <= game["ante"] * TRIFLE_ANTES and price <= max(1, purse * TRIFLE_SHARE):
        return 0.0
    odds: float = price / (game["pot"] + price)
    dislike = ODDS_WEIGHT * (odds - 1 / _players_in(game)) + PURSE_WEIGHT * price / purse
    return min(MOST_FOLDS, max(0.0, temperament.caution * dislike))


def _bluff(game: Mapping[str, Any], temperament: Temperament, rng: Random) -> int | None:
    """Return how much to raise by, or None to leave it at calling."""
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


def _players_in(game: Mapping[str, Any]) -> int:
    return sum(seat["status"] in ("in", "all_in") for seat in game["seats"])
