from itertools import permutations

import pytest

from games.engine.facts import Instant, Points, SeatNo
from games.showdown.rules.actions import RaiseBy
from tests.games.contract.kit import heard, viewers
from tests.games.judging import is_accepted
from tests.games.showdown.rules.kit import RULES, first_round, new_game, play, view
from tools.referee.showdown import TRIAL
from tools.referee.trials import steps


@pytest.mark.plain
def test_showdown_exactly_the_raises_that_the_view_promises_are_accepted() -> None:
    for number in range(8):
        for state, _, _ in steps(RULES, TRIAL.play(f"universe/{number}")):
            at = Instant((state.due_at or 0) - 1)
            for seat in RULES.pending_seats(state)[:1]:
                you = view(state, seat)["you"]
                least, most = you["raise_min"] or 1, you["raise_max"] or 0
                for amount in {least - 1, least, most, most + 1} - {-1, 0}:
                    is_taken = is_accepted(RULES, state, seat, RaiseBy(Points(amount)), at)
                    assert is_taken == (least <= amount <= most)


def test_showdown_all_raises_are_listed_up_to_forty_then_a_few_between() -> None:
    def raises(purse: int) -> list[int]:
        legal = RULES.legal_actions(new_game(purse, 2000).state, SeatNo(0))
        return [action.amount for action in legal if isinstance(action, RaiseBy)]

    assert raises(41) == list(range(1, 41))
    many = raises(1001)
    assert (many[0], many[-1]) == (1, 1000)
    assert 4 < len(many) < 10
    assert many == sorted(set(many))


def test_showdown_a_round_does_not_depend_on_who_locks_last() -> None:
    chosen = play(first_round(4), "0 attack rock 1", "2 attack paper 3", "3 mine 0").state
    orders = permutations(range(4))
    ends = [play(chosen, *[f"{no} lock" for no in order]).state for order in orders]
    assert all(end == ends[0] for end in ends)


@pytest.mark.parametrize("rest", [("0 attack rock 1",), ()])
def test_showdown_two_games_that_differ_in_a_mine_look_the_same_until_it_goes_off(rest) -> None:
    """Also for one who did nothing but plant it: the warning of an absence is private."""
    game = first_round(3)
    first = (*rest, "1 attack rock 2", "2 lock")
    second = ("0 lock", "1 attack rock 2", "1 lock", "2 lock")
    rounds = [[play(game, *first, *mine, "deadline")] for mine in (["0 mine 1"], [])]
    for steps_ in rounds:
        steps_.append(play(steps_[0].state, *second))
    for with_mine, without in zip(*rounds, strict=True):
        for viewer in viewers(game):
            if viewer.seat != 0:
                assert heard(with_mine, viewer) == heard(without, viewer)
                assert RULES.view(with_mine.state, viewer) == RULES.view(without.state, viewer)
