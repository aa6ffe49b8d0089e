"""The six options of a round, players' preferences, and the lottery that draws the options.
Source: docs/rules/arena.md, "Options".
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from games.engine.draws import draw_below
from games.engine.structs import Record

#: The most rounds for which Team or Survivor stays on without a player's preference for it.
MOST_CARRIED: Final = 30
CARRIED: Final = ("team", "survivor")


class RoundOptions(Record, frozen=True):
    """The options of one round."""

    blitz: bool = False
    classic: bool = False
    inverted: bool = False
    count: bool = False
    team: bool = False
    survivor: bool = False


OPTIONS: Final[tuple[str, ...]] = RoundOptions.__struct_fields__


class Preference(StrEnum):
    """A player's preference for an option; ``ANY`` is "don't care"."""

    ON = "on"
    OFF = "off"
    ANY = "any"


class Preferences(Record, frozen=True):
    """A player's preference for each option."""

    blitz: Preference = Preference.ANY
    classic: Preference = Preference.ANY
    inverted: Preference = Preference.ANY
    count: Preference = Preference.ANY
    team: Preference = Preference.ANY
    survivor: Preference = Preference.ANY


#: Preferences of a player who has never set one, or has taken all back.
NO_WISHES: Final = Preferences()
#: The options of a round whose players are all new.
PLAIN: Final = RoundOptions()
#: The options that are drawn if nobody has ever decided them, and the bits that say so.
DRAWN: Final = tuple(name for name in OPTIONS if name not in CARRIED)
ALL_UNDECIDED: Final = 2 ** len(DRAWN) - 1


def is_new(wishes: Preferences, rounds: int, plain_rounds: int) -> bool:
    """Whether a player wishes nothing and has fought few rounds, and so is not drawn.
    >>> is_new(NO_WISHES, 2, 3), is_new(NO_WISHES, 3, 3), is_new(Preferences("on"), 0, 3)
    (True, False, False)
    """
    return rounds < plain_rounds and wishes == NO_WISHES


def draw_chooser(seed: str, players: int) -> int:
    """Return the index of the player whose preferences are used; ValueError without players."""
    return draw_below(seed, "chooser", players)


def draw_options(
    previous: RoundOptions | None,
    drawn: Preferences | None,
    seed: str,
    rounds_carried: Mapping[str, int],
) -> RoundOptions:
    """Return the options of a round that begins; ``drawn`` and ``previous`` may be missing.
    ``rounds_carried``: for ``team`` and ``survivor`` the rounds in a row that "don't care" has kept
    it on, by ``carried_after``; and ``undecided``, by ``undecided_after``.
    """
    wishes = drawn or Preferences()
    due = _open(rounds_carried.get("undecided", 0), wishes)[:1]
    return RoundOptions(
        **{
            name: draw_below(seed, f"option/{name}", 2) == 1
            if name in due
            else _value(name, getattr(wishes, name), previous, seed, rounds_carried)
            for name in OPTIONS
        }
    )


def undecided_after(previous: RoundOptions | None, drawn: Preferences | None, before: int) -> int:
    """Return the bits of the options that nobody has ever decided, after a round has begun. A plain
    round decides none, the first one that is not plain all or, after plain ones, one more than the
    drawn player's wishes. ``drawn``: None in a plain round.
    """
    if drawn is None:
        return before
    left = () if previous is None else _open(before, drawn)[1:]
    return sum(1 << DRAWN.index(name) for name in left)


def _open(undecided: int, wishes: Preferences) -> tuple[str, ...]:
    """Return the options that nobody has decided, the drawn player neither, in their order."""
    return tuple(
        name
        for bit, name in enumerate(DRAWN)
        if undecided >> bit & 1 and getattr(wishes, name) == Preference.ANY
    )


def carried_after(
    rounds_carried: Mapping[str, int], drawn: Preferences | None, options: RoundOptions
) -> dict[str, int]:
    """Return the rounds in a row for which Team and Survivor have been carried, with this one. The
    count restarts at 0 when the drawn player asks for the option, or the option is off.
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
