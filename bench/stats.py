"""Medians, percentiles and ratios of figures."""

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

#: Figures of a run by name, such as {"actions a second": 8000.0}.
Figures = Mapping[str, float]


def percentile(values: Iterable[float], share: float) -> float:
    """Return the smallest value that at least ``share`` (0 to 1) of all values do not exceed.

    >>> percentile([4, 1, 3, 2], 0.5)
    2
    """
    ordered = sorted(values)
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def middle(runs: Sequence[Figures]) -> dict[str, float]:
    """Return the median of each figure over several runs; figures without a value are left out.

    >>> middle([{"a": 1.0}, {"a": 5.0}, {"a": 2.0}])
    {'a': 2.0}
    """
    names = dict.fromkeys(name for run in runs for name in run)
    found = {name: [run[name] for run in runs if _is_number(run.get(name))] for name in names}
    return {name: median(values) for name, values in found.items() if values}


def spread(runs: Sequence[Figures], name: str) -> float:
    """Return the range of the runs as a share of their median."""
    values = [run[name] for run in runs if _is_number(run.get(name))]
    return (max(values) - min(values)) / median(values) if values and median(values) else math.nan


def ratio(one: float | None, other: float | None) -> float | None:
    """Return the ratio of the first to the second; None if it is undefined."""
    if one is None or not other or math.isnan(one) or math.isnan(other):
        return None
    return one / other


def _is_number(value: float | None) -> bool:
    return value is not None and not math.isnan(value)
