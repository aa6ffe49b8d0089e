"""Votes: legal choices, the tally, and the majority.
Source: docs/rules/agora.md "Day".
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from games.engine.structs import SeatGiven

#: The choice of nobody; None means no opinion.
NOBODY: Final = "none"

Choice = SeatGiven | Literal["none"]
Vote = Choice | None


def majority(voters: int) -> int:
    """Return the smallest number that is more than half of ``voters``.

    >>> [majority(voters) for voters in (2, 3, 4, 7)]
    [2, 2, 3, 4]
    """
    return voters // 2 + 1


def tally(votes: Iterable[Vote]) -> tuple[tuple[Choice, int], ...]:
    """Return the number of votes of each choice: the most first, then by seat, nobody last.

    >>> tally([3, "none", None, 1, 3])
    ((3, 2), (1, 1), ('none', 1))
    """
    counted = Counter([vote for vote in votes if vote is not None])
    return tuple(sorted(counted.items(), key=_rank))


def carried(votes: Iterable[Vote], voters: int) -> Choice | None:
    """Return the choice of more than half of the voters, None if there is none."""
    counted = tally(votes)
    if counted and counted[0][1] >= majority(voters):
        return counted[0][0]
    return None


def _rank(counted: tuple[Choice, int]) -> tuple[int, bool, int]:
    choice, count = counted
    return -count, choice == NOBODY, choice if isinstance(choice, int) else 0
