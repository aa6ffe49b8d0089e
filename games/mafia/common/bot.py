"""Shared code of the bots of all Mafia games: delays, living seats, votes and posts."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.mafia.common.rules.gathering import Gathering
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.rooms import TOWN

View = Mapping[str, Any]

#: Milliseconds between a view and an action: short by night, longer by day so that people can
#: think.
NIGHT_THINKING: Final = (1_500, 6_000)
DAY_THINKING: Final = (8_000, 20_000)


def think_milliseconds(state: Gathering[Any], chance: Random) -> int:
    """Return the delay before an action in milliseconds: seconds by night, longer by day."""
    least, most = NIGHT_THINKING if state.stage == Stage.NIGHT else DAY_THINKING
    return chance.randint(least, most)


def living(game: View) -> list[int]:
    """Return the seats of the living."""
    return [seat["no"] for seat in game["seats"] if seat["is_alive"]]


def vote_of(game: View, seat: int) -> Any:
    """Return a seat's vote, None if it has none."""
    return next(each["vote"] for each in game["seats"] if each["no"] == seat)


def line_about(view: View, seat: int | str, text: str) -> list[dict[str, Any]]:
    """Return a post in the town that names a seat; empty if nobody sits there."""
    names = {seat["no"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}
    return [post(text.format(name=names[seat]))] if seat in names else []


def post(text: str) -> dict[str, Any]:
    """Return a post in the town."""
    return {"kind": "post", "room": TOWN, "text": text}
