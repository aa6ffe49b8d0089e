"""Units, and the kinds of accounts that hold them."""

from typing import Final

from django.db.models import TextChoices


class Unit(TextChoices):
    """The unit of an account; a transfer never changes one unit into another."""

    POINT = "POINT", "points"
    Y_POINT = "Y_POINT", "y-axis points"
    ROCK = "ROCK", "rocks"
    PAPER = "PAPER", "papers"
    SCISSORS = "SCISSORS", "scissors"
    LANDMINE = "LANDMINE", "landmines"


class AccountKind(TextChoices):
    """The purpose of an account."""

    WALLET = "wallet"
    STOCK = "stock"
    ESCROW = "escrow"
    TREASURY = "treasury"
    MINT = "mint"
    SINK = "sink"


#: Units that are owned as permanent stock and sold in the shop.
WEAPONS: Final = (Unit.ROCK, Unit.PAPER, Unit.SCISSORS, Unit.LANDMINE)

#: The same, by the names that rules and views use.
OWNED: Final = {unit.value.lower(): unit for unit in WEAPONS}

#: Kinds whose balance is kept in the account's row and never falls below 0.
CACHED_KINDS: Final = frozenset(
    {AccountKind.WALLET, AccountKind.STOCK, AccountKind.ESCROW, AccountKind.TREASURY}
)

#: Kinds of the house's accounts; they exist from the first migration on.
HOUSE_KINDS: Final = frozenset({AccountKind.TREASURY, AccountKind.MINT, AccountKind.SINK})

#: The owner of all house accounts.
HOUSE: Final = "house"

#: Bounds of one transfer and of one balance.  Source: docs/explanation/ledger.md "Bounds".
LEAST_AMOUNT: Final = 1
MOST_AMOUNT: Final = 10**9
MOST_BALANCE: Final = 10**12
#: What pages write before a negative number.
MINUS: Final = "\N{MINUS SIGN}"


def complex_points(x: int, y: int) -> str:
    """Return points of both axes as one complex number.
    >>> complex_points(12, 12), complex_points(5, 0), complex_points(0, 3)
    ('12 + 12i', '5', '3i')
    """
    if x and y:
        text = f"{x} {'+' if y > 0 else '-'} {abs(y)}i"
    else:
        text = f"{y}i" if y else f"{x}"
    return text.replace("-", MINUS)


_ONE: Final = {
    Unit.POINT: "point",
    Unit.Y_POINT: "y-axis point",
    Unit.ROCK: "rock",
    Unit.PAPER: "paper",
    Unit.SCISSORS: "scissors",
    Unit.LANDMINE: "landmine",
}


def counted(amount: int, unit: Unit) -> str:
    """Return an amount with its noun.
    >>> counted(1, Unit.ROCK), counted(3, Unit.ROCK), counted(2, Unit.SCISSORS)
    ('1 rock', '3 rocks', '2 scissors')
    """
    return f"{amount} {_ONE[unit] if amount == 1 else unit.label}"
