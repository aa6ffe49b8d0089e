"""Broken streaks: the longest that a round ended, and the player who beat each of them.
Source: docs/rules/arena.md, "Streaks and seasons".
"""

from collections.abc import Sequence
from itertools import compress
from typing import Final, NamedTuple

from games.arena.rules.columns import SECOND_TEAM, Resolved
from games.arena.rules.scores import LOST, MULTIPLIED_FROM

#: The most broken streaks of a round that are told.
MOST_BROKEN: Final = 3
#: Streaks from this on are worth telling when they break.
BROKEN_FROM: Final = MULTIPLIED_FROM


class Broken(NamedTuple):
    """A broken streak: the index of its player, its length, the index of the one who beat it."""

    of: int
    streak: int
    by: int


def broken_streaks(before: Sequence[int], found: Resolved, is_bot: Sequence[bool]) -> list[Broken]:
    """Return the longest streaks that a round broke, the longest first; bots' do not count. Of the
    players who won a battle against the loser, the one with the best streak has broken it, of equal
    ones the first. ``before``: each player's streak before the round, in the order of ``found``.
    """
    broken = [
        index
        for index in compress(range(len(before)), map(LOST.__eq__, found.verdicts))
        if before[index] >= BROKEN_FROM and not is_bot[index]
    ]
    broken.sort(key=lambda index: (-before[index], index))
    return [Broken(index, before[index], _breaker(index, found)) for index in broken[:MOST_BROKEN]]


def _breaker(loser: int, found: Resolved) -> int:
    key = found.keys[loser]
    team, move = key & SECOND_TEAM, key % SECOND_TEAM - 1
    # Under Team the other team's keys; without teams all keys are the first team's.
    is_split = any(found.numbers[SECOND_TEAM:])
    others = SECOND_TEAM - team if is_split else 0
    winning = {others + other + 1 for other in range(3) if found.table[other][move] > 0}
    rivals = compress(range(len(found.keys)), map(winning.__contains__, found.keys))
    return max(rivals, key=lambda index: (found.streaks[index], -index))
