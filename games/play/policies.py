"""What a bot does now, given only what its own view shows.

Pure: the same view and the same generator give the same actions.  The runner
sends them through the same services as people's.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.duel import bot
from games.showdown.bot.arming import arm
from games.showdown.bot.betting import bet
from games.showdown.bot.temperaments import (
    BOT_NAMES,
    BOTS,
    TEMPERAMENTS,
    Temperament,
    temperament_of,
)

__all__ = [
    "BOTS", "BOT_NAMES", "TEMPERAMENTS", "Temperament", "choose", "has_decision",
    "think_milliseconds",
]  # fmt: skip

#: The stages of a duel in which somebody may have something to do.
DUEL_STAGES: Final = frozenset({"throwing", "suspended"})

#: Milliseconds between seeing and acting: a person's pace, well within any clock.
LEAST_THINKING: Final = 900
USUAL_THINKING: Final = 1_700
MOST_THINKING: Final = 3_500


def choose(view: Mapping[str, Any], rng: Random) -> list[dict[str, Any]]:
    """Return the actions in their wire form, in the order in which to send them.

    Every action is legal at its turn as long as nobody else moves the game on
    in between; empty when there is nothing to do.

    ``view`` is the whole table view of the bot (docs/protocol.md, "The view").
    """
    game = view["game"]
    if game is None or game["stage"] == "over":
        return _get_ready(view)
    if game["you"] is None:
        return []
    if game["stage"] in DUEL_STAGES:
        return bot.duel(game, rng)
    temperament = temperament_of(view["you"]["name"])
    if game["stage"] == "betting":
        return bet(game, temperament, rng)
    if game["you"]["locked"]:
        return []
    return arm(game, temperament, view["you"]["stock"] or {}, rng)


def has_decision(game: Mapping[str, Any]) -> bool:
    """Whether a bot that the game waits for has something to do, by its view of the game."""
    return game["stage"] not in DUEL_STAGES or bot.has_decision(game)


def think_milliseconds(rng: Random, view: Mapping[str, Any]) -> int:
    """Return how long to wait before acting, from 0.9 to 3.5 s; a price makes it longer."""
    game = view["game"] or {}
    has_price = bool((game.get("you") or {}).get("call_amount"))
    usual = USUAL_THINKING + (500 if has_price else 0)
    return int(rng.triangular(LEAST_THINKING, MOST_THINKING, usual))


def _get_ready(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    if "ready" not in view["you"]["may"]:
        return []
    return [{"kind": "ready", "configuration": view["match"]["options_revision"]}]
