"""The end, giving up and voiding, by rule.  Source: docs/rules/showdown.md, "Settling"."""

import pytest

from games.engine.errors import NotInPhase
from games.engine.facts import Instant, Points, SeatNo, Step
from games.engine.structs import plain, replace
from games.showdown.rules.state import TableState
from tests.games.showdown.rules.kit import (
    NOON,
    RULES,
    amounts,
    code,
    events,
    first_round,
    new_game,
    only,
    play,
    pots,
    seat,
    view,
)

LAST_LEFT = {"reason": "last_left"}


def awards(step: Step[TableState]) -> list[tuple[int, int, int]]:
    return [(e.data["pot"], e.data["seat"], e.data["amount"]) for e in events(step, "pot_awarded")]


def with_points(state: TableState, *points: int) -> TableState:
    seats = tuple(replace(s, points=p) for s, p in zip(state.seats, points, strict=True))
    return replace(state, seats=seats)


def weapons(step: Step[TableState], kind: str) -> dict[tuple[int, str], int]:
    """Return how many of which weapon of each seat the facts of a kind name."""
    return {(e.data["seat"], e.data["weapon"]): e.data["count"] for e in events(step, kind)}


def side_pots() -> TableState:
    """Seats 0, 1, 2 all in with 10, 20, 40, seat 3 with 40: pots of 40, 30 and 40."""
    lines = ("0 raise_by 9", "1 raise_by 10", "2 raise_by 20", "3 call")
    return play(new_game(10, 20, 40, 40, target=3).state, *lines).state


def test_showdown_each_pot_goes_to_the_best_of_its_claimants() -> None:
    state = side_pots()
    assert [pot.amount for pot in state.pots] == [40, 30, 40]
    step = play(with_points(state, 2, 1, 0, 0), "0 attack rock 1", "deadline")
    assert only(step, "game_ended")["winners"] == [0]
    assert awards(step) == [(0, 0, 38), (1, 1, 29), (2, 2, 19), (2, 3, 19)]
    assert [e.data["amount"] for e in events(step, "tax_taken")] == [2, 1, 2]
    result = view(step.state)["result"]
    assert result["pots"][1] == {"amount": 30, "tax": 1, "shares": {"1": 29}}
    assert result["seats"]["2"] == {"paid_in": 40, "paid_out": 19, "net": -21}


@pytest.mark.parametrize(("previous", "first"), [(0, 2), (1, 0), (2, 1)])
def test_showdown_odd_points_go_to_winners_starting_left_of_the_dealer(previous: int, first: int):
    state = new_game(9, 9, 9, previous_dealer=previous, tax_bp=0, target=3).state
    for _ in range(3):
        state = play(state, f"{state.turn} call").state
    state = replace(state, pots=(replace(state.pots[0], amount=Points(7)),))
    circle = ("0 attack rock 1", "1 attack rock 2", "2 attack rock 0")  # one battle won each
    step = play(with_points(state, 5, 5, 5), *circle, "0 leave", "1 leave", "2 leave")
    unlucky = only(step, "mine_exploded")["seat"]  # one point less: the others share the pot
    best = [no for no in (first, (first + 1) % 3, (first + 2) % 3) if no != unlucky]
    assert amounts(step, "pot_awarded") == {best[0]: 4, best[1]: 3}


WON = ("0 attack rock 1", "1 attack scissors 0", "deadline")
IDLE = ("0 attack rock 1", "1 lock", "deadline")


def test_showdown_bonus_needs_three_rounds_of_everybody() -> None:
    assert not amounts(play(first_round(2, target=3), *WON * 2), "bonus_earned")
    assert amounts(play(first_round(2, target=5), *WON * 3), "bonus_earned") == {0: 1}
    # One still in acted too rarely, or nobody in a round.
    rarely = play(first_round(2, target=5), *IDLE * 2, "0 attack rock 1", "0 reset", "deadline")
    assert not amounts(rarely, "bonus_earned")
    assert not amounts(play(new_game(9, 9).state, "0 fold"), "bonus_earned")
    # One for who was in at the end and lost is an option.
    step = play(first_round(2, target=5, loser_bonus=2, win_bonus=3), *IDLE * 3)
    assert amounts(step, "bonus_earned") == {0: 3, 1: 2}


def test_showdown_leaving_counts_from_the_end_of_the_round_and_takes_all_away() -> None:
    step = play(first_round(3), "0 attack rock 1", "0 leave")
    assert only(step, "gave_up") == {"seat": 0, "reason": "left"}
    gone = view(step.state)["seats"][0]
    assert (gone["status"], gone["leaving"]) == ("in", True)
    assert view(step.state, 1)["you"]["targets"] == [0, 2]
    assert view(step.state, 0)["you"]["may"] == []
    assert code(step.state, "0 lock") == "action/out"
    after = play(step.state, "1 attack paper 0", "1 lock", "2 lock")
    assert only(after, "round_resolved")["battles"][0]["winner"] == 1
    assert view(after.state)["seats"][0]["status"] == "gave_up"
    assert view(after.state, 1)["you"]["targets"] == [2]
    assert code(after.state, "0 leave") == "action/out"
    lines = ("1 mine 0", "0 mine 2", "0 leave", "2 attack rock 1", "1 lock", "2 lock")
    state = play(first_round(3), *lines).state
    assert not any(seat(state, 0).stock)
    assert seat(state, 1).mines == ()
    assert seat(state, 0).mines == ((2, 1),)  # planted by who has gone, it still lies there
    assert only(play(state, "deadline"), "mine_exploded") == {"round": 2, "seat": 2, "count": 1}
    step = play(side_pots(), "2 leave", "3 leave", "0 lock", "1 lock")
    assert pots(step) == [(40, [0, 1]), (70, [1])]
    assert [pot["amount"] for pot in view(step.state)["pots"]] == [40, 70]


def test_showdown_reaching_the_target_while_leaving_does_not_count_unless_all_give_up() -> None:
    state = with_points(first_round(3, target=3), 2, 0, 0)
    step = play(state, "0 attack rock 1", "0 attack rock 2", "0 leave", "1 lock", "2 lock")
    assert only(step, "round_resolved")["points"] == {"0": 2}
    assert not RULES.is_over(step.state)
    state = with_points(first_round(3), 1, 2, 0)
    step = play(state, "2 attack rock 0", "2 attack rock 1", "0 leave", "1 leave", "2 leave")
    assert only(step, "game_ended") == {"winners": [1, 2], "reason": "all_gave_up"}
    assert [e.data["reason"] for e in events(step, "gave_up")] == ["left"] * 3


def test_showdown_two_absent_rounds_are_giving_up_unless_one_acts_between() -> None:
    all_absent = play(first_round(4), "deadline", "deadline")
    assert only(all_absent, "game_ended")["reason"] == "all_gave_up"
    state = play(first_round(3), "0 lock", "1 lock", "deadline").state
    state = play(state, "0 lock", "1 lock", "2 mine 0", "deadline").state
    assert not view(state, 2)["you"]["warned"]
    state = play(state, "0 lock", "1 lock", "deadline").state
    assert seat(state, 2).is_in


def test_showdown_a_round_without_a_choice_or_in_an_outage_is_no_absence() -> None:
    state = first_round(3)
    empty = replace(seat(state, 2), stock=(0,) * 9)
    state = replace(state, seats=(*state.seats[:2], empty))
    state = play(state, *("0 attack rock 1", "1 attack rock 0", "deadline") * 3).state
    assert (seat(state, 2).is_in, seat(state, 2).absences) == (True, 0)
    state = RULES.postpone(first_round(2), Instant(NOON + 60_000)).state
    states = [play(state, *["deadline"] * count).state for count in (1, 2)]
    assert [[s.absences for s in after.seats] for after in states] == [[0, 0], [1, 1]]


@pytest.mark.parametrize(
    "lines",
    [(), ("0 raise_by 9",), ("0 raise_by 9", "1 raise_by 10", "2 fold"), ("0 leave", "1 leave")],
)
def test_showdown_voiding_returns_everything_while_betting(lines: tuple[str, ...]) -> None:
    step = RULES.void(play(new_game(10, 20, 40, 40).state, *lines).state)
    assert amounts(step, "stake_refunded") == {0: 10, 1: 20, 2: 40, 3: 40}
    assert {(r.result, r.net) for r in RULES.outcome(step.state).values()} == {("", 0)}


def test_showdown_voiding_returns_stakes_weapons_and_mines_untaxed() -> None:
    step = RULES.void(play(side_pots(), "0 add rock", "0 add rock").state)
    assert weapons(step, "weapon_refunded") == {(0, "rock"): 2}
    with pytest.raises(NotInPhase):
        RULES.leave(step.state, SeatNo(1), NOON)
    # After an uncalled bet it returns only what is still held.
    step = RULES.void(play(new_game(50, 20).state, "0 raise_by 49", "1 call").state)
    assert amounts(step, "stake_refunded") == {0: 20, 1: 20}
    assert RULES.outcome(step.state)[SeatNo(0)].paid_out == 50


def test_showdown_an_outcome_says_what_the_game_was_for_each_seat() -> None:
    state = play(new_game(9, 9, 9).state, "0 raise_by 3", "1 fold").state
    assert RULES.outcome(state) == {}
    outcomes = RULES.outcome(play(state, "2 fold").state)
    lost = {"result": "lost", "status": "folded", "points": 0, "paid_in": 9}
    assert [plain(outcome) for outcome in outcomes.values()] == [
        {**lost, "result": "won", "status": "in", "net": 2, "paid_out": 11},
        *[{**lost, "net": -1, "paid_out": 8}] * 2,
    ]


def test_showdown_leaving_is_the_same_by_action_and_by_the_house() -> None:
    for state in (new_game(9, 9, 9).state, first_round(3)):
        assert RULES.leave(state, SeatNo(1), NOON) == play(state, "1 leave")


def test_showdown_leaving_ends_a_game_of_two_at_once() -> None:
    state = play(first_round(2), "0 attack rock 1", "0 mine 1", "1 attack paper 0", "1 lock").state
    step = play(state, "0 leave")
    assert not events(step, "round_resolved")
    assert only(step, "weapons_used") == {"seat": 0, "weapon": "landmine", "count": 1}
    over = view(step.state, 0)
    shown = [(s["status"], s["leaving"], s["locked"]) for s in over["seats"]]
    assert shown == [("gave_up", False, False), ("in", False, False)]
    assert (over["you"]["attacks"], over["you"]["may"], over["due_at"]) == ({}, [], None)
    # Who is ahead loses all the same.
    state = with_points(first_round(2, target=5), 4, 0)
    step = play(state, "0 attack rock 1", "0 lock", "0 leave")
    assert only(step, "game_ended") == LAST_LEFT | {"winners": [1]}
    assert awards(step) == [(0, 1, 2)]


def test_showdown_leaving_ends_a_game_of_three_of_whom_one_is_out_at_once_else_with_the_round():
    folded = play(new_game(9, 9, 9).state, "0 fold", "1 call", "2 call").state
    assert only(play(folded, "1 leave"), "game_ended") == LAST_LEFT | {"winners": [2]}
    gone = play(side_pots(), "2 leave", "3 leave", "deadline").state
    together = play(side_pots(), "1 leave", "2 leave", "3 leave", "deadline")
    for step in (play(gone, "1 leave"), together):
        assert only(step, "game_ended") == LAST_LEFT | {"winners": [0]}
        assert {no for _, no, _ in awards(step)} == {0}
        assert sum(amount for _, _, amount in awards(step)) == 110 - 5
        assert step.state.round == 2 - (step is together)
    step = play(first_round(3), "0 leave", "1 leave")
    assert not RULES.is_over(step.state)
    assert view(step.state, 2)["you"]["targets"] == [0, 1]
    step = play(step.state, "2 lock")
    assert events(step, "round_resolved")
    assert only(step, "game_ended") == LAST_LEFT | {"winners": [2]}


def test_showdown_leaving_pays_the_other_a_bonus_after_three_rounds_in_which_they_acted() -> None:
    state = play(first_round(2, target=9), *IDLE * 2).state
    assert not events(play(state, "1 leave"), "bonus_earned")
    assert only(play(state, "0 lock", "1 leave"), "bonus_earned") == {"seat": 0, "amount": 1}


@pytest.mark.parametrize("seat", [0, 1])  # seat 0 bets first
def test_showdown_leaving_during_the_betting_of_two_ends_the_game_at_once(seat: int) -> None:
    step = play(new_game(9, 9).state, f"{seat} leave")
    assert only(step, "game_ended") == {"winners": [1 - seat], "reason": "folds"}
