"""The three moves, and their numbers: columns of a million players use a byte for each.
Source: docs/rules/arena.md, "A round".
"""

from enum import StrEnum
from typing import Final, NamedTuple


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


#: The numbers of players on rock, paper and scissors.
Counts = tuple[int, int, int]
#: The result of each move against each: 1 a win, -1 a loss, 0 a tie.
Signs = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
#: The same in letters.
Table = tuple[tuple[str, str, str], tuple[str, str, str], tuple[str, str, str]]

_LETTERS: Final = {1: "W", -1: "L", 0: "T"}
_INDICES: Final = (0, 1, 2)


class Battles(NamedTuple):
    """The results of one player's battles in a round."""

    wins: int
    losses: int
    ties: int

    @property
    def sign(self) -> int:
        """1 for a won round, -1 for a lost one, else 0."""
        return (self.wins > self.losses) - (self.wins < self.losses)


def signs(counts: Counts, *, inverted: bool, count: bool) -> Signs:
    """Return the result of each move against each, given the counts of all fighting players."""
    found = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    for loser in _INDICES:
        winner = (loser + 1) % 3
        first, second = (loser, winner) if inverted else (winner, loser)
        sign, winning, losing = 1, counts[first], counts[second]
        if count and losing > winning:
            # Too many on the losing side turn a win into a tie, twice as many into a loss.
            sign = -1 if losing >= 2 * winning else 0
        found[first][second], found[second][first] = sign, -sign
    (a, b, c), (d, e, f), (g, h, i) = found
    return (a, b, c), (d, e, f), (g, h, i)


def letters(table: Signs) -> Table:
    """Write a table in letters."""
    rock, paper, scissors = table
    return _row(rock), _row(paper), _row(scissors)


def _row(row: tuple[int, int, int]) -> tuple[str, str, str]:
    return _LETTERS[row[0]], _LETTERS[row[1]], _LETTERS[row[2]]


def battles(row: tuple[int, int, int], opponents: Counts) -> Battles:
    """Return the battles of a player on a move. ``row``: the move's row of ``signs``.
    ``opponents``: the number of the player's opponents on each move.
    """
    wins = sum(number for sign, number in zip(row, opponents, strict=True) if sign > 0)
    losses = sum(number for sign, number in zip(row, opponents, strict=True) if sign < 0)
    return Battles(wins, losses, sum(opponents) - wins - losses)


def without_oneself(counts: Counts, index: int) -> Counts:
    """Return the opponents of a player on a move, without teams."""
    rock, paper, scissors = counts
    return rock - (index == 0), paper - (index == 1), scissors - (index == 2)


def with_oneself(counts: Counts, index: int) -> Counts:
    """Return the counts with one more player on a move."""
    rock, paper, scissors = counts
    return rock + (index == 0), paper + (index == 1), scissors + (index == 2)
