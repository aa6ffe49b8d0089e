import pytest

from games.arena.rules.moves import Move
from games.arena.rules.scores import Bonus, bonus_of, streak_after, streaks_after
from tests.games.arena.rules.by_player import Player
from tests.games.arena.rules.kit import round_of

WIN, LOSS, TIE = (Move.PAPER, Move.ROCK), (Move.SCISSORS, Move.ROCK), (Move.ROCK, Move.ROCK)


def one_round(moves: tuple[Move, Move], streak: int, *, classic: bool = False) -> tuple[int, int]:
    players = Player(0, moves[0], streak=streak, score=10), Player(1, moves[1])
    result = round_of(*players, classic=classic)
    assert result.score[0] == 10 + result.score_delta[0]
    return result.streak[0], result.score_delta[0]


#: Streak, and what a win brings without Classic; with it one.
GAINS = {-9: 1, -1: 1, 0: 1, 1: 1, 2: 2, 3: 3, 4: 4, 99: 99}


@pytest.mark.parametrize(
    ("moves", "streak", "after", "change"),
    [
        *((WIN, streak, max(streak, 0) + 1, gain) for streak, gain in GAINS.items()),
        *((LOSS, *each, -1) for each in ((9, -1), (1, -1), (0, -1), (-1, -2), (-5, -6))),
        *((TIE, streak, streak, 0) for streak in (-7, -1, 0, 1, 2, 7)),
    ],
)
def test_arena_a_win_has_a_multiplier_a_loss_costs_one_and_a_tie_nothing(
    moves: tuple[Move, Move], streak: int, after: int, change: int
) -> None:
    assert one_round(moves, streak) == (after, change)
    assert one_round(moves, streak, classic=True) == (after, min(change, 1))


@pytest.mark.parametrize("streak", [-6, -5, -4, -3, -2, 0, 1, 2, 3, 4, 5, 6])
def test_arena_what_a_streak_gives(streak: int) -> None:
    sees, multiplier = streak <= -3 or streak >= 5, streak if streak >= 2 else None
    assert bonus_of(streak, classic=False) == Bonus(sees, multiplier, streak <= -5)
    assert bonus_of(streak, classic=True) == Bonus(False, None, False)
    # The multiplier is what a win would bring: its new streak counts.
    assert one_round(WIN, streak)[1] == (multiplier or 1)


def test_arena_streaks_of_all_are_those_of_each() -> None:
    for verdict in range(4):
        streaks = list(range(-9, 10))
        found = streaks_after(streaks, bytes([verdict]) * len(streaks))
        assert found == [streak_after(streak, verdict) for streak in streaks]
