"""The first game: a table for two with everything to try, the same each time. The bot has habits on
purpose, so that the lesson's hints are true. Source: docs/explanation/practice.md "The lesson"; the
words stand in static/js/showdown/lesson.js.
"""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.contract import Character, Lesson

#: The bot's weapons in the first rounds; after them it chooses at random.
PLAN: Final = ("scissors", "scissors", "paper")
#: Milliseconds.
THINKING: Final = 900


class Tutor:
    """A bot that never raises and attacks by a plan that a beginner can beat."""

    #: Empty: the tutor is in no list of bots.
    cast: Mapping[str, Character] = MappingProxyType({})

    def choose(self, view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
        game = view["game"]
        own = game["you"]
        if game["stage"] == "betting":
            return [{"kind": "call"}] if "call" in own["may"] else []
        if game["stage"] == "over" or own["locked"]:
            return []
        attacks = [
            {"kind": "attack", "target": target, "weapon": weapon}
            for target in own["targets"]
            if (weapon := _weapon(game["round"], own["stock"], chance)) is not None
        ]
        return [*attacks, {"kind": "lock"}]

    def has_decision(self, state: Any, seat: int) -> bool:
        return True

    def think_milliseconds(self, state: Any, seat: int, chance: Random) -> int:
        return THINKING


def _weapon(round_no: int, stock: Mapping[str, int], chance: Random) -> str | None:
    held = sorted(weapon for weapon, count in stock.items() if count)
    if round_no <= len(PLAN) and PLAN[round_no - 1] in held:
        return PLAN[round_no - 1]
    return chance.choice(held) if held else None


LESSON: Final = Lesson(
    seed="the first game",
    bot=Tutor(),
    options={"seats": 2, "target": 6, "listed": False},
    stock={"landmine": 1, "rock": 2},
    bots=("Plain_Jane_Doyle",),
)
