import pytest
from hypothesis import given, settings

from games.arena.rules.columns import Columns, resolve_arrays
from games.arena.rules.moves import MOVES, Move
from games.arena.rules.options import RoundOptions
from games.arena.rules.resolve import How
from games.arena.rules.scores import Verdict
from tests.forms import form
from tests.games.arena.rules import oracle
from tests.games.arena.rules.by_player import Player, RoundInput, resolve
from tests.games.arena.rules.kit import SEED, on, round_of, rounds

A_MILLION = 1_000_000


@settings(max_examples=form(100, in_all=200, in_long=400), deadline=None)
@given(rounds())
def test_arena_counting_equals_fighting_pair_by_pair(played: RoundInput) -> None:
    result = resolve(played)
    there = [index for index, move in enumerate(result.moves) if move is not None]
    fighting = [oracle.Fighter(str(result.moves[i]), result.teams[i]) for i in there]
    found = oracle.fight(fighting, played.options)
    fought = [*zip(result.wins, result.losses, result.ties, strict=True)]
    assert [fought[i] for i in there] == [(each["W"], each["L"], each["T"]) for each in found]
    for index, each in zip(there, found, strict=True):
        player = played.players[index]
        expected = oracle.after(player.streak, player.score, each, played.options)
        assert (result.streak[index], result.score[index]) == expected
        assert result.score_delta[index] == result.score[index] - player.score
    assert result.counts == tuple(result.moves.count(move) for move in MOVES)
    columns = (result.wins, result.losses, result.ties, result.score_delta)
    for move, totals in zip(MOVES, result.per_move, strict=True):
        who = [index for index, each in enumerate(result.moves) if each == move]
        sums = [sum(column[i] for i in who) for column in columns]
        assert [totals.wins, totals.losses, totals.ties, totals.score] == sums
        assert totals.players == len(who)


@settings(max_examples=form(50, in_all=100, in_long=200), deadline=None)
@given(rounds())
def test_arena_an_explicit_choice_is_fought_with_by_whoever_does_not_sit_out(played) -> None:
    result = resolve(played)
    assert result == resolve(played), "a round follows from its seed alone"
    for index, player in enumerate(played.players):
        if played.options.survivor and not player.health:
            assert (result.moves[index], result.was_chosen[index]) == (None, How.NONE)
            assert (result.result[index], result.score_delta[index]) == (Verdict.NONE, 0)
            assert (result.streak[index], result.teams[index]) == (player.streak, None)
        elif player.choice is not None:
            assert (result.moves[index], result.was_chosen[index]) == (player.choice, How.CHOSEN)
        else:
            is_best = player.streak <= -5 and not played.options.classic
            assert result.was_chosen[index] == (How.BEST if is_best else How.RANDOM)


def test_arena_a_round_of_nobody_and_of_one_changes_nothing() -> None:
    assert round_of().counts == (0, 0, 0)
    for options in (RoundOptions(), RoundOptions(team=True), RoundOptions(count=True)):
        alone = resolve(RoundInput(options, SEED, [Player(3, Move.ROCK, streak=4, score=9)]))
        assert alone.result == (Verdict.NONE,)
        assert (alone.streak, alone.score, alone.score_delta) == ((4,), (9,), (0,))
        assert alone.counts == (1, 0, 0)


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("moves", ["rock scissors", "scissors paper", "paper rock"])
def test_arena_damage_and_its_inversion(moves: str, inverted: bool) -> None:
    result = round_of(*on(*moves.split()), inverted=inverted)
    assert result.wins == ((0, 1) if inverted else (1, 0))


@pytest.mark.parametrize(
    ("rocks", "papers", "expected"),
    [(2, 2, "L"), (3, 2, "T"), (4, 2, "W"), (5, 2, "W"), (1, 2, "L"), (2, 1, "W"), (3, 1, "W")],
)
def test_arena_count_as_in_the_rule_book(rocks: int, papers: int, expected: str) -> None:
    result = round_of(*on(*["rock"] * rocks, *["paper"] * papers), count=True)
    assert result.table[0][1] == expected
    assert result.table[1][0] == {"W": "L", "L": "W", "T": "T"}[expected]


def test_arena_columns_are_equally_long() -> None:
    for streaks, scores, survivor in (([0], [0, 0], 0), ([0, 0], [0], 0), ([0, 0], [0, 0], 1)):
        options = RoundOptions(survivor=bool(survivor))
        with pytest.raises(ValueError, match="equally long"):
            resolve_arrays(Columns(b"\1\1", streaks, scores), options, SEED)


def test_arena_a_million_players_are_a_round_like_any_other() -> None:
    columns = Columns(b"\0\1\2\3" * (A_MILLION // 4), [0] * A_MILLION, [0] * A_MILLION)
    found = resolve_arrays(columns, RoundOptions(team=True), SEED)
    wins, losses, ties = found.battles()
    assert (sum(found.counts), sum(wins)) == (A_MILLION, sum(losses))
    assert sum(wins) + sum(losses) + sum(ties) == 2 * (A_MILLION // 2) ** 2
    assert found.teams.count(0) == found.teams.count(1)
