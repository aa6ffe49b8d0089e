from itertools import product
from pathlib import Path

import pytest

from games.showdown.rules.weapons import (
    ALL,
    BASIC,
    COMBINATIONS,
    RESULTS,
    WEAPONS,
    Weapon,
    change_stock,
    combine_weapons,
)

RULE_BOOK = Path(__file__).parents[4] / "docs" / "rules" / "showdown.md"


def rows(first_cell: str) -> list[list[str]]:
    """Return the cells of the rule book's table whose header starts with that cell."""
    lines = RULE_BOOK.read_text(encoding="utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(first_cell))
    body = lines[start + 2 :]
    end = next(n for n, line in enumerate(body) if not line.startswith("|"))
    return [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in body[:end]]


def test_showdown_table_is_the_one_in_the_rule_book() -> None:
    letters = {info.letter: weapon for weapon, info in WEAPONS.items()} | {"none": None}
    order = list(letters.values())
    found = rows("| | r | p")
    assert [letters[row[0]] for row in found] == order
    for row in found:
        for column, cell in zip(order, row[1:], strict=True):
            assert RESULTS[letters[row[0]], column].value == cell


def test_showdown_weapons_are_those_in_the_rule_book() -> None:
    letters = {info.letter: weapon for weapon, info in WEAPONS.items()}
    found = rows("| weapon | letter")
    assert [letters[row[1]] for row in found] == list(ALL)
    for title, letter, made_of, weapon_class, material in found:
        info = WEAPONS[letters[letter]]
        parts = tuple(letters[part] for part in made_of.split(" + ")) if "+" in made_of else None
        assert title.startswith(info.title)
        assert (info.made_of, info.weapon_class, info.material) == (parts, weapon_class, material)


def test_showdown_two_basic_weapons_combine_in_any_order_and_a_stock_never_falls_below_zero():
    for first, second in product(BASIC, repeat=2):
        made = combine_weapons(first, second)
        assert made is combine_weapons(second, first)
        assert sorted(WEAPONS[made].made_of or ()) == sorted((first, second))
    assert len(COMBINATIONS) == 6
    with pytest.raises(KeyError):
        combine_weapons(Weapon.ROCK, Weapon.WALL)
    with pytest.raises(ValueError, match="below 0"):
        change_stock((0,) * 9, [Weapon.ROCK], -1)
