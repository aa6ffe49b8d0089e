"""Streaks, scores and the bonuses of a streak.
Source: docs/rules/arena.md, "A round", "Streak bonuses (not under Classic)".
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from games.engine.structs import Record

#: A player's result of a round, in a column.
NONE, WON, LOST, TIED = 0, 1, 2, 3

MULTIPLIED_FROM: Final = 3
#: Maximum number of names in the live choices.
MOST_NAMES: Final = 50
SEES_FROM, SEES_DOWN_TO = 5, -3
BEST_CHOICE_DOWN_TO: Final = -5


class Verdict(StrEnum):
    """A player's result of a round; none without a battle."""

    NONE = "none"
    WON = "won"
    LOST = "lost"
    TIED = "tied"


#: In the order of their numbers in a column.
VERDICTS: Final = (Verdict.NONE, Verdict.WON, Verdict.LOST, Verdict.TIED)


class Bonus(Record, frozen=True):
    """The bonuses of a streak in the current selection. ``multiplier`` is the multiplier of a win,
    None if there is none.
    """

    sees_choices: bool
    multiplier: int | None
    best_choice: bool


def bonus_of(streak: int, *, classic: bool) -> Bonus:
    """Return the bonuses of a streak; none under Classic.

    >>> bonus_of(2, classic=False)
    Bonus(sees_choices=False, multiplier=2, best_choice=False)
    """
    if classic:
        return Bonus(sees_choices=False, multiplier=None, best_choice=False)
    return Bonus(
        sees_choices=sees_choices(streak, classic=False),
        # The streak after the win counts, which is one more.
        multiplier=streak if streak + 1 >= MULTIPLIED_FROM else None,
        best_choice=streak <= BEST_CHOICE_DOWN_TO,
    )


def sees_choices(streak: int, *, classic: bool) -> bool:
    """Whether a player with this streak may see all choices during the selection."""
    return not classic and (streak >= SEES_FROM or streak <= SEES_DOWN_TO)


def streak_after(streak: int, verdict: int) -> int:
    """Return the streak after a round."""
    if verdict == WON:
        return streak + 1 if streak > 0 else 1
    if verdict == LOST:
        return streak - 1 if streak < 0 else -1
    return streak


def streaks_after(streaks: Sequence[int], verdicts: bytes) -> list[int]:
    """Return each player's streak after a round."""
    # ``streak_after`` inlined: a call for each of a million players would dominate the time.
    return [
        streak
        if verdict == TIED or not verdict
        else (streak + 1 if streak > 0 else 1)
        if verdict == WON
        else (streak - 1 if streak < 0 else -1)
        for streak, verdict in zip(streaks, verdicts, strict=True)
    ]


def score_deltas(streaks: Sequence[int], verdicts: bytes, *, classic: bool) -> list[int]:
    """Return each player's score change, given the streaks after the round."""
    plain = (0, 1, -1, 0)
    if classic:
        return [plain[verdict] for verdict in verdicts]
    return [
        streak - 1 if verdict == WON and streak >= MULTIPLIED_FROM else plain[verdict]
        for streak, verdict in zip(streaks, verdicts, strict=True)
    ]
