"""The calculator says what a round does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.arena.rules.moves import MOVES
from games.arena.rules.options import RoundOptions
from tests.games.arena.calculator import calculate
from tests.games.arena.rules import oracle
from tests.games.arena.rules.kit import moves_of, on, round_of

LARGEST = 94_906_266
counts = st.tuples(*[st.integers(0, 14)] * 3)
large = st.tuples(*[st.integers(0, LARGEST)] * 3)


@settings(max_examples=200, deadline=None)
@given(counts, st.booleans(), st.booleans())
def test_arena_calculator_equals_the_round(
    numbers: tuple[int, int, int], inverted: bool, count: bool
) -> None:
    moves = moves_of(numbers)
    found = calculate(numbers, inverted=inverted, count=count)
    result = round_of(*on(*moves), inverted=inverted, count=count)
    assert found.table == result.table
    for mine, theirs in zip(found.moves, result.per_move, strict=True):
        assert (mine.count, mine.wins, mine.losses) == (theirs.players, theirs.wins, theirs.losses)
        assert (mine.ties, mine.score) == (theirs.ties, theirs.score)
    for index, move in enumerate(moves):
        each = found.moves[[str(m) for m in MOVES].index(move)].each
        assert (each.wins, each.losses, each.ties, each.score) == (
            result.wins[index],
            result.losses[index],
            result.ties[index],
            result.score_delta[index],
        )
    chosen = RoundOptions(inverted=inverted, count=count)
    assert {str(move) for move in found.best} == oracle.best_replies(moves, chosen)


@given(large, st.booleans(), st.booleans())
def test_arena_calculator_is_exact_for_large_counts(
    numbers: tuple[int, int, int], inverted: bool, count: bool
) -> None:
    totals = calculate(numbers, inverted=inverted, count=count).totals
    players = sum(numbers)
    assert totals.count == players
    assert totals.wins == totals.losses
    assert totals.wins + totals.losses + totals.ties == players * (players - 1)


def test_arena_calculator_of_the_seeds_own_example() -> None:
    rock, paper, scissors = calculate((1, 2, 3), inverted=False, count=False).moves
    assert (rock.wins, rock.losses, rock.ties, rock.score) == (3, 2, 0, 1)
    assert (paper.wins, paper.losses, paper.ties, paper.score) == (2, 6, 2, -2)
    assert (scissors.wins, scissors.losses, scissors.ties, scissors.score) == (6, 3, 6, 3)


def test_arena_calculator_of_nobody() -> None:
    found = calculate((0, 0, 0), inverted=False, count=True)
    assert found.totals.count == found.totals.wins == found.totals.ties == 0
    assert found.best == MOVES


def test_arena_calculator_refuses_fewer_than_nobody() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        calculate((1, -1, 0), inverted=False, count=False)
