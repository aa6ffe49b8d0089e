"""The three moves, and their numbers: columns of a million players use a byte for each.
Source: docs/rules/arena.md, "A round".
"""

from enum import StrEnum
from typing import Final


class Move(StrEnum):
    """A player's move."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"


#: By index: each beats the one before it, the first the last; Inverted reverses that.
MOVES: Final = (Move.ROCK, Move.PAPER, Move.SCISSORS)

#: In a column of choices: nothing, or the index of a move plus 1.
NOTHING: Final = 0
ROCK, PAPER, SCISSORS = 1, 2, 3

_NUMBERS: Final = {move: index for index, move in enumerate(MOVES, 1)}
#: The choice for each number in a column.
CHOICES: Final[tuple[Move | None, ...]] = (None, *MOVES)


def number_of(choice: Move | None) -> int:
    """Return the number of a choice in a column: 0 for nothing, else 1 to 3.

    >>> number_of(Move.PAPER), number_of(None)
    (2, 0)
    """
    return NOTHING if choice is None else _NUMBERS[choice]
