from datetime import UTC, datetime, timedelta

import pytest

from games.arena.rules.seasons import season_at

EVENING = datetime(2027, 3, 21, 19, tzinfo=UTC)
HOURS = timedelta(hours=2)


@pytest.mark.parametrize(
    ("at", "begins_at"),
    [
        (EVENING - timedelta(hours=10), EVENING),
        (EVENING, EVENING),
        (EVENING + HOURS - timedelta(microseconds=1), EVENING),
        (EVENING + HOURS, EVENING + timedelta(days=1)),
    ],
)
def test_arena_season_that_runs_or_comes_next(at: datetime, begins_at: datetime) -> None:
    season = season_at(at, 1_140, 120)
    assert season == (begins_at, begins_at + HOURS)
    assert season.is_at(at) == (begins_at <= at < begins_at + HOURS)


def test_arena_season_may_last_over_midnight_a_day_or_no_time() -> None:
    season = season_at(datetime(2027, 3, 22, 0, 30, tzinfo=UTC), 1_380, 120)
    assert season.begins_at == datetime(2027, 3, 21, 23, tzinfo=UTC)
    for hours in range(48):
        at = EVENING + timedelta(hours=hours)
        assert season_at(at, 1_140, 1_440).is_at(at)
    assert season_at(EVENING, 1_140, 0) is None
