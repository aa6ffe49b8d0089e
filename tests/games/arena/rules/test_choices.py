from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.arena.rules.columns import best_moves, random_choices
from games.arena.rules.moves import MOVES
from games.arena.rules.options import RoundOptions
from games.arena.rules.resolve import How
from tests.forms import form
from tests.games.arena.rules import oracle
from tests.games.arena.rules.by_player import RoundInput, resolve
from tests.games.arena.rules.kit import moves_of, on, options, round_of, rounds, seeds

counts = st.tuples(*[st.integers(0, 12)] * 3)


@settings(max_examples=form(100, in_all=200, in_long=400), deadline=None)
@given(counts, counts, options)
def test_arena_best_move_is_the_one_that_trying_all_finds(numbers, mates, chosen) -> None:
    everybody = tuple(map(sum, zip(numbers, mates, strict=True)))
    found = {str(MOVES[index]) for index in best_moves(numbers, everybody, chosen)}
    assert found == oracle.best_replies(moves_of(numbers), chosen, moves_of(mates))


@settings(max_examples=form(100, in_all=200, in_long=400), deadline=None)
@given(rounds(most=30, least=1))
def test_arena_best_choice_is_best_against_those_one_would_battle(played: RoundInput) -> None:
    result = resolve(played)
    seen = [
        (str(result.moves[i]), result.teams[i])
        for i, how in enumerate(result.was_chosen)
        if how in (How.CHOSEN, How.RANDOM)
    ]
    for index, how in enumerate(result.was_chosen):
        if how == How.BEST:
            team = result.teams[index]
            opponents = [move for move, other in seen if team is None or other != team]
            mates = [move for move, other in seen if team is not None and other == team]
            best = oracle.best_replies(opponents, played.options, mates)
            assert str(result.moves[index]) in best


def test_arena_best_choices_count_in_both_teams_and_do_not_see_one_another() -> None:
    opponents, team_and_count = (0, 0, 2), RoundOptions(team=True, count=True)
    assert best_moves(opponents, opponents, team_and_count) == (2,)
    assert best_moves(opponents, (3, 0, 2), team_and_count) == (0,)
    players = on("rock", *[None] * 8, streak=-5)
    assert [str(move) for move in round_of(*players).moves[1:]] == ["paper"] * 8


@pytest.mark.parametrize(
    ("streak", "how"), [(-4, "random"), (-5, "best"), (-6, "best"), (5, "random")]
)
def test_arena_best_choice_from_minus_five_down_and_not_under_classic(streak, how) -> None:
    players = on("rock", None, streak=streak)
    assert round_of(*players).was_chosen[1] == how
    assert round_of(*players, classic=True).was_chosen[1] == "random"


def test_arena_ties_between_best_moves_are_broken_at_random() -> None:
    moves = Counter(
        str(round_of(*on(None, streak=-5), seed=str(seed)).moves[0]) for seed in range(300)
    )
    assert set(moves) == {"rock", "paper", "scissors"}
    assert min(moves.values()) > 60
    # Each of several breaks them alone.
    moves = round_of(*on(*[None] * 300, streak=-9)).moves
    assert min(moves.count(move) for move in MOVES) > 60


@settings(max_examples=form(20, in_all=40, in_long=60), deadline=None)
@given(seeds, st.integers(0, 200), st.integers(0, 200))
def test_arena_random_choices_are_the_head_of_one_stream(seed: str, few: int, more: int) -> None:
    few, more = sorted((few, more))
    assert random_choices(seed, more)[:few] == random_choices(seed, few)


def test_arena_random_choices_are_even() -> None:
    drawn = Counter(random_choices("even", 30_000))
    assert set(drawn) == {1, 2, 3}
    # Six standard deviations.
    assert all(abs(number - 10_000) < 490 for number in drawn.values())
