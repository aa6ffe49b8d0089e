"""Shared code of the bots of all Mafia games: delays, living seats, votes and posts."""

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.contract import Character
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.rooms import TOWN
from games.mafia.common.rules.state import TownState

View = Mapping[str, Any]

#: Milliseconds between a view and an action: short by night, longer by day so that people can
#: think.
NIGHT_THINKING: Final = (1_500, 6_000)
DAY_THINKING: Final = (8_000, 20_000)


#: One vote in this many comes with a post.
SPEAKS_IN: Final = 3


class TownBot:
    """The base of the bots of Mafia games."""

    cast: Mapping[str, Character] = MappingProxyType({})

    def think_milliseconds(self, state: TownState[Any], seat: int, chance: Random) -> int:
        least, most = NIGHT_THINKING if state.stage == Stage.NIGHT else DAY_THINKING
        return chance.randint(least, most)


def living(game: View) -> list[int]:
    """Return the seats of the living."""
    return [seat["no"] for seat in game["seats"] if seat["is_alive"]]


def vote_of(game: View, seat: int) -> Any:
    """Return a seat's vote, None if it has none."""
    return next(each["vote"] for each in game["seats"] if each["no"] == seat)


def line_about(
    view: View, choice: int, chance: Random, alone: Sequence[str], with_others: Sequence[str]
) -> list[dict[str, Any]]:
    """Return a post to accompany a vote, for one vote in ``SPEAKS_IN``; empty otherwise.

    Args:
        alone: the lines for a vote that nobody else has cast.
        with_others: the lines for a choice that has votes.
    """
    if chance.randrange(SPEAKS_IN):
        return []
    has_others = any(named == choice for named, _ in view["game"]["tally"])
    text = chance.choice(with_others if has_others else alone)
    names = {seat["no"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}
    return [post(text.format(name=names[choice]))] if choice in names else []


def post(text: str) -> dict[str, Any]:
    """Return a post in the town."""
    return {"kind": "post", "room": TOWN, "text": text}
