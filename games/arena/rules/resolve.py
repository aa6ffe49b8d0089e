"""Results of a resolved round: the origin of each player's move, and the totals of each move.
Source: docs/rules/arena.md, "A round".
"""

from enum import StrEnum
from typing import Final

from games.arena.rules.columns import NO_TEAM, SECOND_TEAM, Resolved
from games.arena.rules.outcome import Counts
from games.engine.structs import Record

#: In the order of their numbers in a column.
TEAMS: Final = (0, 1, None)
assert len(TEAMS) == NO_TEAM + 1


class How(StrEnum):
    """The source of a player's move; none for a player who sat out."""

    NONE = "none"
    CHOSEN = "chosen"
    RANDOM = "random"
    BEST = "best"


#: In the order of their numbers in a column.
HOWS: Final = (How.NONE, How.CHOSEN, How.RANDOM, How.BEST)


class MoveTotals(Record, frozen=True):
    """All players on one move together; ``score`` is the sum of their score changes."""

    players: int
    wins: int
    losses: int
    ties: int
    score: int


def totals(found: Resolved) -> tuple[MoveTotals, MoveTotals, MoveTotals]:
    """Return the totals of all players on rock, on paper and on scissors."""
    return _totals(found, 1), _totals(found, 2), _totals(found, 3)


def team_counts(found: Resolved) -> tuple[Counts, Counts]:
    """Return the players on rock, on paper and on scissors of the first and the second team."""
    _, *first, _, second_rock, second_paper, second_scissors = found.numbers
    rock, paper, scissors = first
    return (rock, paper, scissors), (second_rock, second_paper, second_scissors)


def _totals(found: Resolved, move: int) -> MoveTotals:
    both = [(found.numbers[key], found.by_key[key]) for key in (move, move + SECOND_TEAM)]
    return MoveTotals(
        players=sum(number for number, _ in both),
        wins=sum(number * each.wins for number, each in both),
        losses=sum(number * each.losses for number, each in both),
        ties=sum(number * each.ties for number, each in both),
        score=found.score_of(move),
    )
