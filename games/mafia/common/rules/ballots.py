"""Votes: what one may choose, how many have chosen it, when it is carried.

Source: docs/rules/agora.md "Day".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from games.engine.structs import SeatGiven

#: Nobody, as a choice; None is no opinion.
NOBODY: Final = "none"

Choice = SeatGiven | Literal["none"]
Vote = Choice | None


def majority(voters: int) -> int:
    """Return how many of so many voters are more than half.

    >>> [majority(voters) for voters in (2, 3, 4, 7)]
    [2, 2, 3, 4]
    """
    return voters // 2 + 1


def tally(votes: Iterable[Vote]) -> tuple[tuple[Choice, int], ...]:
    """Return how many votes each choice has: the most first, then by seat, nobody last.

    >>> tally([3, "none", None, 1, 3])
    ((3, 2), (1, 1), ('none', 1))
    """
    counted = Counter(vote for vote in votes if vote is not None)
    return tuple(sorted(counted.items(), key=_rank))


def carried(votes: Iterable[Vote], voters: int) -> Choice | None:
    """Return the choice of more than half of the voters, None while there is none."""
    counted = tally(votes)
    if counted and counted[0][1] >= majority(voters):
        return counted[0][0]
    return None


def _rank(counted: tuple[Choice, int]) -> tuple[int, bool, int]:
    choice, count = counted
    return -count, choice == NOBODY, choice if isinstance(choice, int) else 0
