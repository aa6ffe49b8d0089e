"""Bars and lines of a series.  No database."""

from datetime import date

import pytest

from economy.charts import HEIGHT, WIDTH, plot

DAYS = [date(2026, 11, day) for day in (23, 24, 25)]


@pytest.mark.plain
def test_plot_bars_stand_on_the_lower_edge_and_the_line_goes_from_edge_to_edge():
    drawn = plot("Games", "games", DAYS, [2, 0, 4])
    assert [bar.height for bar in drawn.bars] == [HEIGHT / 2, HEIGHT]
    assert all(bar.y + bar.height == HEIGHT for bar in drawn.bars)
    assert (drawn.most, drawn.total) == (4, 6)
    drawn = plot("Rating", "rating", DAYS, [1000, 1500, 2000], base=1000)
    dots = [tuple(map(float, dot.split(","))) for dot in drawn.line.split()]
    assert dots == [(0, HEIGHT), (WIDTH / 2, HEIGHT / 2), (WIDTH, 0)]
    for values in ([], [0, 0, 0]):
        assert plot("Games", "games", DAYS[: len(values)], values).bars == []
