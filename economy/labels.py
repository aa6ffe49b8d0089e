"""Titles of transfers on the pages, and the kinds by which statements group them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from economy.codes import TransferCode
from economy.units import Unit


class MovementKind(StrEnum):
    """The kinds by which a statement can be filtered."""

    GAME = "game"
    SHOP = "shop"
    BONUS = "bonus"
    GRANT = "grant"
    CORRECTION = "correction"

    @property
    def label(self) -> str:
        return KIND_TITLES[self]


KIND_TITLES: Final[Mapping[MovementKind, str]] = {
    MovementKind.GAME: "Games",
    MovementKind.SHOP: "Shop",
    MovementKind.BONUS: "Bonuses and prizes",
    MovementKind.GRANT: "Grants",
    MovementKind.CORRECTION: "Corrections",
}


class Words(NamedTuple):
    """A transfer's kind and its name."""

    kind: MovementKind
    title: str


_GAME, _SHOP, _BONUS, _GRANT, _CORRECTION = MovementKind

#: One entry for every code.
WORDS: Final[Mapping[TransferCode, Words]] = {
    TransferCode.SIGNUP_GRANT: Words(_GRANT, "Starting grant"),
    TransferCode.PURSE: Words(_GAME, "Purse brought into a game"),
    TransferCode.PURSE_RETURN: Words(_GAME, "Rest of the purse returned"),
    TransferCode.UNCALLED_RETURN: Words(_GAME, "Uncalled bet returned"),
    TransferCode.POT_AWARD: Words(_GAME, "Share of the pot"),
    TransferCode.TAX: Words(_GAME, "Tax of a pot"),
    TransferCode.WIN_BONUS: Words(_BONUS, "Win bonus"),
    TransferCode.STAKE_REFUND: Words(_GAME, "Refund of a game that was called off"),
    TransferCode.PURCHASE: Words(_SHOP, "Bought in the shop"),
    TransferCode.ITEM_ISSUE: Words(_SHOP, "Bought in the shop"),
    TransferCode.ITEM_IN: Words(_GAME, "Brought into a game"),
    TransferCode.ITEM_USED: Words(_GAME, "Used up in a game"),
    TransferCode.ITEM_BACK: Words(_GAME, "Returned from a game that was called off"),
    TransferCode.BOT_FUNDING: Words(_GRANT, "Funding of a bot"),
    TransferCode.STIPEND: Words(_GRANT, "Daily stipend"),
    TransferCode.STIPEND_COVER: Words(_GRANT, "Made to pay daily stipends"),
    TransferCode.PRIZE: Words(_BONUS, "Weekly prize"),
    TransferCode.PRIZE_COVER: Words(_BONUS, "Made to pay weekly prizes"),
    TransferCode.REFERRAL: Words(_BONUS, "Bonus for inviting a player"),
    TransferCode.REFERRAL_COVER: Words(_BONUS, "Made to pay bonuses for inviting"),
    TransferCode.GAME_AWARD: Words(_GAME, "Award of a game"),
    TransferCode.ACCOUNT_CLOSED: Words(_CORRECTION, "Points of a deleted account"),
    TransferCode.REVERSAL: Words(_CORRECTION, "Reversal of an earlier line"),
    TransferCode.ADMIN_ADJUST: Words(_CORRECTION, "Correction by an administrator"),
}

_ONE: Final[Mapping[Unit, str]] = {
    Unit.POINT: "point",
    Unit.Y_POINT: "y-axis point",
    Unit.ROCK: "rock",
    Unit.PAPER: "paper",
    Unit.SCISSORS: "scissors",
    Unit.LANDMINE: "landmine",
}


def codes_of(kind: MovementKind) -> list[TransferCode]:
    """Return the codes of a kind."""
    return [code for code, words in WORDS.items() if words.kind is kind]


def counted(amount: int, unit: Unit) -> str:
    """Return an amount with its noun.

    >>> counted(1, Unit.ROCK), counted(3, Unit.ROCK), counted(2, Unit.SCISSORS)
    ('1 rock', '3 rocks', '2 scissors')
    """
    return f"{amount} {_ONE[unit] if amount == 1 else unit.label}"
