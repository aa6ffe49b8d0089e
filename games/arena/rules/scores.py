"""Streaks, scores and the bonuses of a streak.
Source: docs/rules/arena.md, "A round", "Streak bonuses (not under Classic)".
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from games.arena.rules.options import RoundOptions
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


FULL_HEALTH: Final = 3
#: From this round since a refill on, a tie costs health, too.
HARSH_ROUND: Final = 10


def sits_out(options: RoundOptions, health: int) -> bool:
    """Whether a player who is in counts nowhere in a round: Survivor asks for health."""
    return options.survivor and health == 0


def turns_on(previous: RoundOptions | None, options: RoundOptions) -> bool:
    """Whether Survivor turns on with this round: all players who are in then get full health."""
    return options.survivor and not (previous is not None and previous.survivor)


def survivor_round_of(previous: RoundOptions | None, options: RoundOptions, played: int) -> int:
    """Return which round since the last refill of health begins, from 1; 0 without Survivor.
    ``played``: the rounds since then.
    """
    if not options.survivor:
        return 0
    return 1 if turns_on(previous, options) else played + 1


def healths_after(healths: Sequence[int], verdicts: bytes, survivor_round: int) -> list[int]:
    """Return each player's health after a round under Survivor, before any refill. ``verdicts``:
    each player's result (``scores.WON`` and so on); a player without a battle, alone or sat out,
    loses none. ``survivor_round``: the number of the round since the last refill, from 1.
    """
    losing = {LOST, TIED} if survivor_round >= HARSH_ROUND else {LOST}
    lost = bytes(number in losing for number in range(256))
    return [health - less for health, less in zip(healths, verdicts.translate(lost), strict=True)]


def is_refill_due(number_with_health: int) -> bool:
    """Whether all get full health: at most one has health left of those who stay after a round."""
    return number_with_health <= 1
