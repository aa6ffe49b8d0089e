"""The six options of a round, what a player wishes them to be, and the lottery between the two.

Source: docs/rules/arena.md, "Options".
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from games.engine.draws import draw_below
from games.engine.structs import Record

#: Rounds for which nobody's asking carries Team or Survivor on.
MOST_CARRIED: Final = 30
CARRIED: Final = ("team", "survivor")


class RoundOptions(Record, frozen=True):
    """How one round is played."""

    blitz: bool = False
    classic: bool = False
    inverted: bool = False
    count: bool = False
    team: bool = False
    survivor: bool = False


OPTIONS: Final[tuple[str, ...]] = RoundOptions.__struct_fields__


class Preference(StrEnum):
    """What a player wishes of an option; ``ANY`` is "don't care"."""

    ON = "on"
    OFF = "off"
    ANY = "any"


class Preferences(Record, frozen=True):
    """What a player wishes of each option."""

    blitz: Preference = Preference.ANY
    classic: Preference = Preference.ANY
    inverted: Preference = Preference.ANY
    count: Preference = Preference.ANY
    team: Preference = Preference.ANY
    survivor: Preference = Preference.ANY


def draw_chooser(seed: str, players: int) -> int:
    """Return the index of the player whose settings are used, of those who are in, bots apart.

    Raises:
        ValueError: there are none.
    """
    return draw_below(seed, "chooser", players)


def draw_options(
    previous: RoundOptions | None,
    drawn: Preferences | None,
    seed: str,
    rounds_carried: Mapping[str, int],
) -> RoundOptions:
    """Return the options of a round that begins.

    Args:
        previous: those of the round before, None in the first round ever.
        drawn: the settings of the player who was drawn, None where there is nobody to draw.
        seed: the round's.
        rounds_carried: for ``team`` and ``survivor``, for how many rounds in a row "don't care"
            has kept it on (``carried_after`` counts them); a missing one is 0.
    """
    wishes = drawn or Preferences()
    return RoundOptions(
        **{
            name: _value(name, getattr(wishes, name), previous, seed, rounds_carried)
            for name in OPTIONS
        }
    )


def carried_after(
    rounds_carried: Mapping[str, int], drawn: Preferences | None, options: RoundOptions
) -> dict[str, int]:
    """Return for how many rounds in a row Team and Survivor have been carried, this one counted.

    Asking for an option begins anew, and so does its being off.
    """
    wishes = drawn or Preferences()
    return {
        name: rounds_carried.get(name, 0) + 1
        if getattr(options, name) and getattr(wishes, name) == Preference.ANY
        else 0
        for name in CARRIED
    }


def _value(
    name: str,
    wish: Preference,
    previous: RoundOptions | None,
    seed: str,
    carried: Mapping[str, int],
) -> bool:
    if wish != Preference.ANY:
        return wish == Preference.ON
    if name in CARRIED and (previous is None or carried.get(name, 0) >= MOST_CARRIED):
        return False
    if previous is None:
        return draw_below(seed, f"option/{name}", 2) == 1
    return bool(getattr(previous, name))
