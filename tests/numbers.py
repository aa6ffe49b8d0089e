"""The numbers that tests count with; a new default of the site then changes no test."""

from typing import Final

from economy.models import Item, Setting
from economy.units import Unit

#: Name of a number of the site -> its value in tests.
NUMBERS: Final = {
    "grant.signup": 100, "grant.at_once": 100, "stipend.amount": 5, "stipend.floor": 10,
    "bots.daily_win_limit": 50, "fair.grant_points": 150, "fair.pair_ever": 1_000_000,
    "prizes.first": 20, "prizes.second": 10, "prizes.third": 5, "showdown.ante_default": 1,
}  # fmt: skip
PRICES: Final = {Unit.ROCK: 5, Unit.PAPER: 5, Unit.SCISSORS: 5, Unit.LANDMINE: 12}


def set_numbers() -> None:
    for name, value in NUMBERS.items():
        Setting.objects.filter(name=name).update(value=value)
    for unit, price in PRICES.items():
        Item.objects.filter(unit=unit).update(price=price)
