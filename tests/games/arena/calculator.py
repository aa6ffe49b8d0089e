"""The calculator of the rules page: the outcome of a round for given counts of players.

Source: docs/rules/arena.md, "Rules page with a calculator".
"""

from games.arena.rules.choices import best_moves
from games.arena.rules.moves import MOVES, Move
from games.arena.rules.options import RoundOptions
from games.arena.rules.outcome import (
    Battles,
    Counts,
    Signs,
    Table,
    battles,
    letters,
    signs,
    without_oneself,
)
from games.engine.structs import Record


class Each(Record, frozen=True):
    """One player's battles; ``score`` is 1, -1 or 0, streaks left aside."""

    wins: int
    losses: int
    ties: int
    score: int


class OnMove(Record, frozen=True):
    """All players on a move together, and each of them; zeros if the move has no players."""

    count: int
    wins: int
    losses: int
    ties: int
    score: int
    each: Each


class Totals(Record, frozen=True):
    """All players together: a tie counts for both players."""

    count: int
    wins: int
    losses: int
    ties: int
    score: int


class Calculation(Record, frozen=True):
    """The outcome for given counts: rock, paper, scissors in this order.

    ``best`` are all equally good best replies of one more player.
    """

    table: Table
    moves: tuple[OnMove, OnMove, OnMove]
    totals: Totals
    best: tuple[Move, ...]


def calculate(counts: Counts, *, inverted: bool, count: bool) -> Calculation:
    """Return table, battles, scores, totals and the best reply; exact for counts of any size.

    Args:
        counts: the players on rock, paper and scissors, each 0 or more.

    Raises:
        ValueError: a count is negative.
    """
    if min(counts) < 0:
        raise ValueError("a count is 0 or more")
    table = signs(counts, inverted=inverted, count=count)
    moves = _on(counts, 0, table), _on(counts, 1, table), _on(counts, 2, table)
    options = RoundOptions(inverted=inverted, count=count)
    best = tuple(MOVES[index] for index in best_moves(counts, counts, options))
    return Calculation(letters(table), moves, _totals(moves), best)


def _on(counts: Counts, index: int, table: Signs) -> OnMove:
    number = counts[index]
    found = battles(table[index], without_oneself(counts, index)) if number else Battles(0, 0, 0)
    return OnMove(
        count=number,
        wins=number * found.wins,
        losses=number * found.losses,
        ties=number * found.ties,
        score=number * found.sign,
        each=Each(found.wins, found.losses, found.ties, found.sign),
    )


def _totals(moves: tuple[OnMove, ...]) -> Totals:
    return Totals(
        count=sum(each.count for each in moves),
        wins=sum(each.wins for each in moves),
        losses=sum(each.losses for each in moves),
        ties=sum(each.ties for each in moves),
        score=sum(each.score for each in moves),
    )
