"""The nine weapons, their parts, and the result of each battle, as data.
Source: docs/rules/showdown.md, "A round" and "Battles and scores".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Weapon(StrEnum):
    """A weapon, in the order of the rule book's table."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"
    BOULDER = "boulder"
    WALL = "wall"
    TWIN_BLADES = "twin_blades"
    SLING = "sling"
    MASK = "mask"
    SHURIKEN = "shuriken"


class BasicWeapon(StrEnum):
    """A weapon that can be dealt, added and combined."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"

    @property
    def weapon(self) -> Weapon:
        return Weapon[self.name]


class PermanentItem(StrEnum):
    """An item of the permanent stock."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"
    LANDMINE = "landmine"


class WeaponClass(StrEnum):
    """Basic, made of two alike, or made of two different ones."""

    BASIC = "basic"
    REINFORCED = "reinforced"
    MIXED = "mixed"


class Result(StrEnum):
    """The result of a battle for the weapon of the row."""

    WIN = "W"
    LOSS = "L"
    DRAW = "D"
    TAKES = "T"  # wins, and takes the opponent's basic weapon
    IS_TAKEN = "S"  # loses, and the weapon is taken


@dataclass(frozen=True, slots=True)
class WeaponInfo:
    """One row of the rule book's table of weapons."""

    title: str
    letter: str
    made_of: tuple[Weapon, Weapon] | None
    weapon_class: WeaponClass
    material: Weapon


_ROCK, _PAPER, _SCISSORS = Weapon.ROCK, Weapon.PAPER, Weapon.SCISSORS
_BASIC, _REINFORCED, _MIXED = WeaponClass.BASIC, WeaponClass.REINFORCED, WeaponClass.MIXED

#: Source: docs/rules/showdown.md, table of weapons, one row each.
WEAPONS: Final[Mapping[Weapon, WeaponInfo]] = {
    Weapon.ROCK: WeaponInfo("Rock", "r", None, _BASIC, _ROCK),
    Weapon.PAPER: WeaponInfo("Paper", "p", None, _BASIC, _PAPER),
    Weapon.SCISSORS: WeaponInfo("Scissors", "s", None, _BASIC, _SCISSORS),
    Weapon.BOULDER: WeaponInfo("Boulder", "o", (_ROCK, _ROCK), _REINFORCED, _ROCK),
    Weapon.WALL: WeaponInfo("Wall", "w", (_PAPER, _PAPER), _REINFORCED, _PAPER),
    Weapon.TWIN_BLADES: WeaponInfo(
        "Twin Blades", "b", (_SCISSORS, _SCISSORS), _REINFORCED, _SCISSORS
    ),
    Weapon.SLING: WeaponInfo("Sling", "l", (_ROCK, _PAPER), _MIXED, _ROCK),
    Weapon.MASK: WeaponInfo("Scary Mask", "m", (_PAPER, _SCISSORS), _MIXED, _PAPER),
    Weapon.SHURIKEN: WeaponInfo("Shuriken", "h", (_SCISSORS, _ROCK), _MIXED, _SCISSORS),
}

ALL: Final = tuple(Weapon)
_NAMES: Final = tuple(weapon.value for weapon in Weapon)
BASIC: Final = (Weapon.ROCK, Weapon.PAPER, Weapon.SCISSORS)

#: Unordered pair of basic weapons -> the combined weapon.
COMBINATIONS: Final[Mapping[frozenset[Weapon], Weapon]] = {
    frozenset(info.made_of): weapon for weapon, info in WEAPONS.items() if info.made_of
}

#: Rows and columns in the order r p s o w b l m h none; the result for the row.
#: Source: docs/rules/showdown.md, table of battles.
TABLE: Final = (
    "D L W L L W D S W W",
    "W D L W L L W D S W",
    "L W D L W L S W D W",
    "W L W D L W D L W W",
    "W W L W D L W D L W",
    "L W W L W D L W D W",
    "D L T D L W D L W W",
    "T D L W D L W D L W",
    "L T D L W D L W D W",
    "L L L L L L L L L D",
)

_ORDER: Final[tuple[Weapon | None, ...]] = (*ALL, None)

#: (own weapon or None, the opponent's or None) -> the result for the own one.
RESULTS: Final[Mapping[tuple[Weapon | None, Weapon | None], Result]] = {
    (row, column): Result(letter)
    for row, line in zip(_ORDER, TABLE, strict=True)
    for column, letter in zip(_ORDER, line.split(), strict=True)
}

WINNING: Final = frozenset({Result.WIN, Result.TAKES})

#: The count of each weapon, in the order of Weapon.
Stock = tuple[int, ...]

EMPTY_STOCK: Final[Stock] = (0,) * len(ALL)
INDEX: Final[Mapping[Weapon, int]] = {weapon: index for index, weapon in enumerate(ALL)}


def combine_weapons(first: Weapon, second: Weapon) -> Weapon:
    """Return the weapon made of two basic ones, in any order; raises KeyError for others."""
    return COMBINATIONS[frozenset((first, second))]


def change_stock(stock: Stock, weapons: Iterable[Weapon], by: int) -> Stock:
    """Return the stock with ``by`` added for each given weapon; raises ValueError if it holds too
    few.
    """
    counts = list(stock)
    for weapon in weapons:
        counts[INDEX[weapon]] += by
    if min(counts) < 0:
        raise ValueError("a stock never falls below 0")
    return tuple(counts)


def stock_by_name(stock: Stock) -> dict[str, int]:
    """Return the stock by all nine names."""
    return dict(zip(_NAMES, stock, strict=True))
