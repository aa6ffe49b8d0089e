"""The spellings of weapons and goods in commands: letters, names and variants.
Source: docs/rules/showdown.md, "Commands".
"""

from collections.abc import Mapping
from typing import Final

from economy.units import Unit
from games.showdown.rules.weapons import BASIC, WEAPONS, Weapon
from games.text.typed import Words


def read_weapon(words: Words, index: int) -> Weapon:
    """Read any of the nine weapons, by letter or name; raises BadUsage."""
    weapon = WEAPON_WORDS.get(words.rest[index].lower())
    if weapon is None:
        raise words.refuse(f"“{words.rest[index]}” is not a weapon.")
    return weapon


def read_basic_weapon(words: Words, index: int) -> Weapon:
    """Read rock, paper or scissors, by letter or name; raises BadUsage."""
    weapon = WEAPON_WORDS.get(words.rest[index].lower())
    if weapon not in BASIC:
        raise words.refuse(f"“{words.rest[index]}” is not rock, paper or scissors.")
    return weapon


def read_unit(words: Words, index: int) -> Unit:
    """Read an item that the shop sells; raises BadUsage."""
    unit = UNIT_WORDS.get(words.rest[index].lower())
    if unit is None:
        raise words.refuse(f"The shop has no “{words.rest[index]}”.")
    return unit


def _weapon_words() -> dict[str, Weapon]:
    words: dict[str, Weapon] = {}
    for weapon, info in WEAPONS.items():
        words |= dict.fromkeys((info.letter, weapon.value), weapon)
    return words | {
        "blades": Weapon.TWIN_BLADES,
        "twinblades": Weapon.TWIN_BLADES,
        "twinscissors": Weapon.TWIN_BLADES,
        "twin_scissors": Weapon.TWIN_BLADES,
        "scarymask": Weapon.MASK,
        "scary_mask": Weapon.MASK,
    }


#: Lower-case word -> weapon.
WEAPON_WORDS: Final[Mapping[str, Weapon]] = _weapon_words()

#: Lower-case word -> item that the shop sells.
UNIT_WORDS: Final[Mapping[str, Unit]] = {
    "rock": Unit.ROCK,
    "r": Unit.ROCK,
    "paper": Unit.PAPER,
    "p": Unit.PAPER,
    "scissors": Unit.SCISSORS,
    "s": Unit.SCISSORS,
    "landmine": Unit.LANDMINE,
    "mine": Unit.LANDMINE,
}
