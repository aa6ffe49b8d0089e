"""The change of ratings by one game: pairs of a day, and folds before the play.

Source: docs/explanation/ratings.md.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta

import pytest

from games.engine.facts import SeatNo
from games.engine.protocols import Places
from games.matches.models import Rating
from games.standings.rating import WINDOW, new_rating, rate_game

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
LIMIT = 5


class Table:
    """Some players and their ratings, on seats 0, 1, …"""

    def __init__(self, players: int, limit: int = LIMIT) -> None:
        self.rows = {SeatNo(no): new_rating(10 + no, "showdown") for no in range(players)}
        self.at, self.limit = NOON, limit

    def game(self, places: Mapping[int, int], out: Collection[int] = ()) -> str:
        before = {no: row.mu for no, row in self.rows.items()}
        given = Places({SeatNo(no): place for no, place in places.items()}, frozenset(out))
        rows: dict[SeatNo, Rating] = {no: self.rows[no] for no in (*given.of, *given.out)}
        rated = rate_game(rows, given, self.limit, self.at)
        return "".join(
            "." if no not in rated else "+" if row.mu > before[no] else "-"
            for no, row in self.rows.items()
        )


@pytest.mark.parametrize(
    ("places", "out", "change"),
    [
        ({0: 1, 1: 2, 2: 3, 3: 4}, [], "++--"),
        ({0: 1, 1: 2}, [2, 3], "+-.."),
        ({0: 1}, [1, 2, 3], "...."),
        ({}, [0, 1, 2, 3], "...."),
    ],
)
def test_rating_of_a_game_follows_the_places_and_leaves_out_who_stayed_out(places, out, change):
    assert Table(4).game(places, out) == change


def test_rating_of_equal_places_is_a_draw() -> None:
    table = Table(2)
    table.rows[SeatNo(0)].mu += 10
    assert table.game({0: 1, 1: 1}) == "-+"


@pytest.mark.plain
def test_a_pair_changes_each_others_rating_five_times_a_day_or_without_a_limit_always() -> None:
    table, free = Table(2), Table(2, limit=0)
    assert [table.game({0: 1, 1: 2}) for _ in range(7)] == ["+-"] * 5 + [".."] * 2
    assert [row.games for row in table.rows.values()] == [5, 5]
    table.at = (NOON + timedelta(days=1)).replace(hour=0)
    assert table.game({0: 2, 1: 1}) == "-+"
    assert [free.game({0: 1, 1: 2}) for _ in range(7)] == ["+-"] * 7
    assert {row.lately for row in free.rows.values()} == {None}


def test_a_pair_over_its_limit_still_changes_the_ratings_of_others() -> None:
    table = Table(3)
    for _ in range(5):
        table.game({0: 1, 1: 2})
    first, second = (table.rows[SeatNo(no)].mu for no in (0, 1))
    alone = Table(3)
    alone.rows[SeatNo(0)].mu, alone.rows[SeatNo(0)].sigma = first, table.rows[SeatNo(0)].sigma
    alone.game({0: 1, 2: 3})
    assert table.game({0: 1, 1: 2, 2: 3}) == "++-"
    # As if the other one had not been there.
    assert table.rows[SeatNo(0)].mu == pytest.approx(alone.rows[SeatNo(0)].mu)
    assert table.rows[SeatNo(1)].mu > second


def test_the_third_fold_within_twenty_games_shares_the_last_place() -> None:
    table = Table(4, limit=0)
    folders = ([2], [2, 3], [3], [2, 3], [2])
    changes = [table.game({0: 1, 1: 2}, out=out) for out in folders]
    assert [change[2:] for change in changes] == ["..", "..", "..", "--", "-."]
    # They share it: equal before, equal after.
    both = Table(4, limit=0)
    for _ in range(3):
        both.game({0: 1, 1: 2}, out=[2, 3])
    assert both.rows[SeatNo(2)].mu == both.rows[SeatNo(3)].mu < 25


def test_a_fold_is_forgotten_after_twenty_games() -> None:
    for between, change in ((WINDOW - 3, "-"), (WINDOW - 2, ".")):
        table = Table(3, limit=0)
        for _ in range(2):
            table.game({0: 1, 1: 2}, out=[2])
        for _ in range(between):
            table.game({0: 1, 1: 2, 2: 3})
        assert table.game({0: 1, 1: 2}, out=[2])[2] == change
