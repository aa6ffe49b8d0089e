"""Shapes of plots; templates draw them as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

WIDTH: Final = 600
HEIGHT: Final = 160
#: Width of a bar as a part of the day's width.
BAR: Final = 0.7


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle on the base line."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Plot:
    """A series over days, as bars and as the points of a line; ``most`` is the top's value."""

    title: str
    name: str
    days: Sequence[date]
    values: Sequence[int]
    bars: Sequence[Bar]
    line: str
    most: int
    total: int

    @property
    def rows(self) -> list[tuple[date, int]]:
        return list(zip(self.days, self.values, strict=True))[::-1]


def plot(title: str, name: str, days: Sequence[date], values: Sequence[int], base: int = 0) -> Plot:
    """Return the plot of a series of whole numbers, one a day."""
    top = max([base + 1, *values])
    step = WIDTH / max(1, len(values))
    heights = [(value - base) * HEIGHT / (top - base) for value in values]
    bars = [
        Bar(round(place * step, 2), round(HEIGHT - high, 2), round(step * BAR, 2), round(high, 2))
        for place, high in enumerate(heights)
        if high
    ]
    gap = WIDTH / max(1, len(values) - 1)
    dots = [f"{round(no * gap, 2)},{round(HEIGHT - high, 2)}" for no, high in enumerate(heights)]
    most = max([0, *values])
    return Plot(title, name, days, values, bars, " ".join(dots), most, sum(values))
