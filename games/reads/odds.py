"""The probabilities that a read gives, and its score.  Source: docs/explanation/reads.md."""

from collections.abc import Collection, Mapping
from math import log2
from statistics import fmean
from typing import Final

#: The odds of each strength, from "not suspicious" to "very".
ODDS: Final = (1, 3, 9, 27)
#: No probability is scored as lower, or nearer to 1: one mistake must not decide all.
LEAST: Final = 0.02


def probabilities(strengths: Mapping[int, int], hidden: int) -> dict[int, float]:
    """Return each seat's probability of being one of ``hidden``: of all choices of that many seats,
    each as likely as the product of the odds of its seats. Their sum is ``hidden``.
    >>> probabilities({0: 1, 1: 0, 2: 0}, 1)
    {0: 0.6, 1: 0.2, 2: 0.2}
    """
    odds = {seat: ODDS[strength] for seat, strength in strengths.items()}
    # Elementary symmetric sums, in whole numbers: exact.
    sums = [1] + [0] * hidden
    for each in odds.values():
        for count in range(hidden, 0, -1):
            sums[count] += each * sums[count - 1]
    return {seat: _with(each, sums) / sums[hidden] for seat, each in odds.items()}


def _with(each: int, sums: list[int]) -> int:
    """Return the part of the last sum that has a seat of these odds in it."""
    part = 0
    for before in sums[:-1]:
        part = each * (before - part)
    return part


def score(strengths: Mapping[int, int], hidden: int, mafia: Collection[int]) -> float:
    """Return how much better than the base rate a read was: bits a seat, 0 for the base rate."""
    base = hidden / len(strengths)
    return fmean(
        log2(_given(chance, seat in mafia) / _given(base, seat in mafia))
        for seat, chance in probabilities(strengths, hidden).items()
    )


def _given(chance: float, is_so: bool) -> float:
    kept = min(max(chance, LEAST), 1 - LEAST)
    return kept if is_so else 1 - kept
