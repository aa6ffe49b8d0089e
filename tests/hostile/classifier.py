"""Measure how well numbers predict a label: by ranks of each, and by a regression of all.

An area under the ROC curve (AUC) of 0.5 is a guess, 1 is certain.  Samples are compared only within
their stratum: public facts, such as the number of players, do not count.

Source: docs/explanation/durability.md S10; Hanley and McNeil, "The meaning and use of the area
under a receiver operating characteristic (ROC) curve", 1982.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

FOLDS: Final = 5
STEPS, RATE, DECAY = 150, 0.5, 1e-3
TOGETHER: Final = "all together (logistic regression)"


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen, and is to be told from it; a ``group`` is learned from or asked, not both."""

    group: int
    stratum: int
    label: bool
    features: dict[str, float]


@dataclass(frozen=True, slots=True)
class Found:
    """The AUC of a feature; ``error`` is the standard error of ``auc``."""

    name: str
    auc: float
    error: float

    @property
    def power(self) -> float:
        """The AUC in the better direction, at least 0.5."""
        return max(self.auc, 1 - self.auc)


def judge(samples: Sequence[Sample]) -> list[Found]:
    """Return how well each feature tells, if it differs at all, and all of them together."""
    names = sorted({name for sample in samples for name in sample.features})
    columns = {name: [sample.features[name] for sample in samples] for name in names}
    told = {name: column for name, column in columns.items() if len(set(column)) > 1}
    found = [_found(name, samples, column) for name, column in told.items()]
    return [*found, _found(TOGETHER, samples, _guesses(samples, list(told.values())))]


def area(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the probability that a true case has the larger score; equal ones count half.

    >>> area([1, 2, 3, 3], [False, False, True, False])
    0.8333333333333334
    """
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks, begun = 0.0, 0
    while begun < len(order):
        end = begun
        while end < len(order) and scores[order[end]] == scores[order[begun]]:
            end += 1
        ranks += (begun + end + 1) / 2 * sum(labels[no] for no in order[begun:end])
        begun = end
    true = sum(labels)
    return (ranks - true * (true + 1) / 2) / (true * (len(labels) - true))


def standard_error(auc: float, true: int, false: int) -> float:
    """Return the standard error of an AUC, for these numbers of cases of each label."""
    one, other = auc / (2 - auc), 2 * auc * auc / (1 + auc)
    spread = auc * (1 - auc) + (true - 1) * (one - auc**2) + (false - 1) * (other - auc**2)
    return math.sqrt(max(spread, 0.0) / (true * false))


def _found(name: str, samples: Sequence[Sample], scores: Sequence[float]) -> Found:
    """Compare within each stratum, and weigh the strata by their pairs."""
    pairs, won, squares = 0, 0.0, 0.0
    for members in _by_stratum(samples).values():
        labels = [samples[no].label for no in members]
        true, false = sum(labels), len(labels) - sum(labels)
        if true and false:
            auc = area([scores[no] for no in members], labels)
            pairs += true * false
            won += auc * true * false
            squares += (standard_error(auc, true, false) * true * false) ** 2
    assert pairs, "there are not both labels anywhere"
    return Found(name, won / pairs, math.sqrt(squares) / pairs)


def _guesses(samples: Sequence[Sample], columns: Sequence[Sequence[float]]) -> list[float]:
    """Return a score for each sample by what was learned from the other groups."""
    rows = [list(row) for row in zip(*(_levelled(samples, c) for c in columns), strict=True)]
    rows = rows or [[] for _ in samples]
    scores = [0.0] * len(samples)
    folds = [sample.group % FOLDS for sample in samples]
    for fold in set(folds):
        known = [no for no, each in enumerate(folds) if each != fold]
        weights = _learn([rows[no] for no in known], [samples[no].label for no in known])
        for no, each in enumerate(folds):
            if each == fold:
                scores[no] = sum(map(mul, weights, [1.0, *rows[no]]))
    return scores


def _learn(rows: Iterable[list[float]], labels: Sequence[bool]) -> list[float]:
    given = [[1.0, *row] for row in rows]
    columns = list(zip(*given, strict=True))
    weights = [0.0] * len(columns)
    for _ in range(STEPS):
        missed = [
            label - 1 / (1 + math.exp(-max(-30.0, min(30.0, sum(map(mul, weights, row))))))
            for row, label in zip(given, labels, strict=True)
        ]
        weights = [
            weight + RATE * (sum(map(mul, missed, column)) / len(given) - DECAY * weight)
            for weight, column in zip(weights, columns, strict=True)
        ]
    return weights


def _levelled(samples: Sequence[Sample], column: Sequence[float]) -> list[float]:
    """Return a feature with mean 0 and deviation 1 in each stratum."""
    levelled = [0.0] * len(column)
    for members in _by_stratum(samples).values():
        values = [column[no] for no in members]
        mean, deviation = statistics.fmean(values), statistics.pstdev(values)
        for no in members:
            levelled[no] = (column[no] - mean) / deviation if deviation else 0.0
    return levelled


def _by_stratum(samples: Sequence[Sample]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for no, sample in enumerate(samples):
        found[sample.stratum].append(no)
    return found
