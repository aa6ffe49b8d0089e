"""The three hands, their order, and their names.
Source: docs/rules/duel.md, "A throw" and "Naming a hand".
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Final

from games.engine.errors import IllegalAction


class Hand(StrEnum):
    """A hand of a throw."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"


#: Hand -> the hand that it beats.
BEATS: Final[Mapping[Hand, Hand]] = {
    Hand.ROCK: Hand.SCISSORS,
    Hand.PAPER: Hand.ROCK,
    Hand.SCISSORS: Hand.PAPER,
}

#: First letter -> hand.
LETTERS: Final[Mapping[str, Hand]] = {hand.value[0]: hand for hand in Hand}


class BadHand(IllegalAction):
    """A hand begins with r, p or s."""

    code: ClassVar[str] = "action/bad_hand"


def hand_named(text: str) -> Hand:
    """Return the hand whose first letter a text has, in either case.

    >>> hand_named("paper plane").value
    'paper'

    Raises:
        BadHand: the text is empty or begins with anything else, a space included.

    Source: docs/rules/duel.md, "Naming a hand".
    """
    letter = text[:1]
    hand = LETTERS.get(letter.lower()) if letter.isascii() else None
    if hand is None:
        raise BadHand("a hand is rock, paper or scissors: its first letter is r, p or s")
    return hand
