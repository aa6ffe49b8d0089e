from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.arena.rules.columns import draw_teams
from games.arena.rules.moves import Move
from games.arena.rules.options import RoundOptions
from games.arena.rules.scores import Verdict, is_refill_due, turns_on
from tests.games.arena.rules.by_player import Player, RoundInput, resolve
from tests.games.arena.rules.kit import on, round_of, rounds, seeds

PLAIN, SURVIVOR = RoundOptions(), RoundOptions(survivor=True)


@given(seeds, st.integers(0, 120))
def test_arena_teams_are_as_equal_as_possible(seed: str, players: int) -> None:
    teams = draw_teams(seed, players)
    assert len(teams) == players
    assert set(teams) <= {0, 1}
    assert (abs(teams.count(0) - teams.count(1)), draw_teams(seed, players)) == (players % 2, teams)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_arena_every_split_is_as_likely(players: int) -> None:
    number = 2_000
    found = Counter(draw_teams(str(seed), players) for seed in range(number))
    ways = {2: 2, 3: 6, 4: 6, 5: 20}[players]
    assert len(found) == ways
    expected = number / ways
    # Chi-square, far in its tail.
    assert sum((each - expected) ** 2 / expected for each in found.values()) < 4 * ways + 10


@given(rounds())
def test_arena_sat_out_players_are_on_no_team_and_count_nowhere(played: RoundInput) -> None:
    options = RoundOptions(survivor=True, team=True, count=True)
    result = resolve(RoundInput(options, played.seed, played.players))
    healthy = [player for player in played.players if player.health]
    without = resolve(RoundInput(options, played.seed, healthy))
    assert (result.counts, result.table) == (without.counts, without.table)
    assert tuple(move for move in result.moves if move is not None) == without.moves
    assert tuple(team for team in result.teams if team is not None) == without.teams


def health_after(*given: tuple[str | None, int], at: int = 1) -> tuple[int, ...]:
    players = [
        Player(index, None if move is None else Move(move), health=health)
        for index, (move, health) in enumerate(given)
    ]
    return round_of(*players, at=at, survivor=True).health


@pytest.mark.parametrize(("at", "left"), [(9, 3), (10, 2), (11, 2)])
def test_arena_from_the_tenth_round_on_not_winning_costs_one(at: int, left: int) -> None:
    tied = ("rock", 3)
    assert health_after(tied, tied, tied, at=at) == (left,) * 3
    losing = ("rock", 3), ("paper", 3), ("paper", 3)
    assert health_after(*losing, at=at) == (2, 3, 3)
    assert health_after(*losing[:2], ("rock", 2), (None, 0), at=at) == (2, 3, 1, 0)


def test_arena_survivor_turns_on_when_it_was_off_and_at_most_one_with_health_refills_all() -> None:
    assert [turns_on(before, SURVIVOR) for before in (None, PLAIN, SURVIVOR)] == [True, True, False]
    assert not turns_on(SURVIVOR, PLAIN)
    assert [is_refill_due(number) for number in range(4)] == [True, True, False, False]
    result = round_of(*on("rock", "paper", health=2))
    assert result.health == (0, 0), "there is none without Survivor"
    assert Verdict.WON in result.result
