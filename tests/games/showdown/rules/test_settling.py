"""The end, giving up and voiding, by rule.  Source: docs/rules/showdown.md, "Settling"."""

import pytest

from games.engine.errors import NotInPhase
from games.engine.facts import Instant, Points, SeatNo, Step
from games.engine.structs import plain, replace
from games.showdown.rules.state import TableState
from tests.games.showdown.rules.kit import (
    NOON,
    RULES,
    code,
    events,
    first_round,
    kinds,
    new_game,
    only,
    play,
    seat,
    view,
)


def awards(step: Step[TableState]) -> list[tuple[int, int, int]]:
    return [(e.data["pot"], e.data["seat"], e.data["amount"]) for e in events(step, "pot_awarded")]


def with_points(state: TableState, *points: int) -> TableState:
    seats = tuple(replace(s, points=p) for s, p in zip(state.seats, points, strict=True))
    return replace(state, seats=seats)


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


@pytest.mark.parametrize(("previous", "odd"), [(0, [2]), (1, [0]), (2, [1])])
def test_showdown_odd_points_go_to_winners_starting_left_of_the_dealer(
    previous: int, odd: list[int]
) -> None:
    state = new_game(9, 9, 9, previous_dealer=previous, tax_bp=0, target=3).state
    for _ in range(3):
        state = play(state, f"{state.turn} call").state
    state = replace(state, pots=(replace(state.pots[0], amount=Points(7)),))
    circle = ("0 attack rock 1", "1 attack rock 2", "2 attack rock 0")  # one battle won each
    step = play(with_points(state, 5, 5, 5), *circle, "0 leave", "1 leave", "2 leave")
    paid = {no: amount for _, no, amount in awards(step)}
    unlucky = only(step, "mine_exploded")["seat"]  # one point less: the others share the pot
    best = [no for no in (odd[0], (odd[0] + 1) % 3, (odd[0] + 2) % 3) if no != unlucky]
    assert paid == {best[0]: 4, best[1]: 3}


def test_showdown_bonus_needs_three_rounds_of_everybody() -> None:
    state = first_round(2, target=3)
    for _ in range(2):
        step = play(state, "0 attack rock 1", "1 attack scissors 0", "deadline")
        state = step.state
    assert not events(step, "bonus_earned")
    state = first_round(2, target=5)
    for _ in range(3):
        step = play(state, "0 attack rock 1", "1 attack scissors 0", "deadline")
        state = step.state
    assert only(step, "bonus_earned") == {"seat": 0, "amount": 1}


def test_showdown_no_bonus_while_one_still_in_acted_too_rarely() -> None:
    state = first_round(2, target=5)
    for line in ("1 lock", "1 lock", "0 lock"):
        step = play(state, "0 attack rock 1", line.replace("0 lock", "0 reset"), "deadline")
        state = step.state
    assert not events(step, "bonus_earned")


def test_showdown_loser_bonus_is_an_option_for_who_was_in_at_the_end() -> None:
    state = first_round(2, target=5, loser_bonus=2, win_bonus=3)
    for _ in range(3):
        step = play(state, "0 attack rock 1", "1 lock", "deadline")
        state = step.state
    earned = {e.data["seat"]: e.data["amount"] for e in events(step, "bonus_earned")}
    assert earned == {0: 3, 1: 2}


def test_showdown_no_bonus_without_a_round() -> None:
    assert not events(play(new_game(9, 9).state, "0 fold"), "bonus_earned")


def test_showdown_everything_is_revealed_at_the_end() -> None:
    state = play(first_round(3, target=3), "0 mine 1", "2 mine 1", "2 add rock", "deadline").state
    state = with_points(state, 2, 0, 0)
    step = play(state, "0 mine 2", "0 attack rock 1", "0 attack rock 2", "deadline")
    revealed = only(step, "revealed")
    planted = [
        {"owner": 0, "target": 1, "count": 1},
        {"owner": 0, "target": 2, "count": 1},
        {"owner": 2, "target": 1, "count": 1},
    ]
    assert revealed["mines"] == view(step.state)["result"]["mines"] == planted
    assert revealed["stocks"]["2"]["rock"] == 7
    used = {
        (e.data["seat"], e.data["weapon"]): e.data["count"] for e in events(step, "weapons_used")
    }
    assert used == {(0, "landmine"): 2, (2, "rock"): 1, (2, "landmine"): 1}


def test_showdown_leaving_counts_from_the_end_of_the_round() -> None:
    state = play(first_round(3), "0 attack rock 1").state
    step = play(state, "0 leave")
    assert only(step, "gave_up") == {"seat": 0, "reason": "left"}
    assert view(step.state)["seats"][0]["status"] == "in"
    assert view(step.state)["seats"][0]["leaving"]
    assert view(step.state, 1)["you"]["targets"] == [0, 2]
    assert view(step.state, 0)["you"]["may"] == []
    assert code(step.state, "0 lock") == "action/out"
    after = play(step.state, "1 attack paper 0", "1 lock", "2 lock")
    assert only(after, "round_resolved")["battles"][0]["winner"] == 1
    assert view(after.state)["seats"][0]["status"] == "gave_up"
    assert view(after.state, 1)["you"]["targets"] == [2]
    assert code(after.state, "0 leave") == "action/out"


def test_showdown_stock_and_mines_under_who_gave_up_are_gone() -> None:
    lines = ("1 mine 0", "0 mine 2", "0 leave", "2 attack rock 1", "1 lock", "2 lock")
    state = play(first_round(3), *lines).state
    assert not any(seat(state, 0).stock)
    assert seat(state, 1).mines == ()
    assert seat(state, 0).mines == ((2, 1),)  # planted by who has gone, it still lies there
    assert only(play(state, "deadline"), "mine_exploded") == {"round": 2, "seat": 2, "count": 1}


def test_showdown_the_last_one_left_wins_every_pot() -> None:
    state = side_pots()
    step = play(state, "1 leave", "2 leave", "3 leave", "deadline")
    assert only(step, "game_ended") == {"winners": [0], "reason": "last_left"}
    assert {no for _, no, _ in awards(step)} == {0}
    assert sum(amount for _, _, amount in awards(step)) == 110 - 5


def test_showdown_a_side_pot_whose_claimants_gave_up_joins_the_one_below() -> None:
    state = side_pots()
    step = play(state, "2 leave", "3 leave", "0 lock", "1 lock")
    assert only(step, "pots_formed")["pots"] == [
        {"amount": 40, "claimants": [0, 1]},
        {"amount": 70, "claimants": [1]},
    ]
    assert [pot["amount"] for pot in view(step.state)["pots"]] == [40, 70]


def test_showdown_reaching_the_target_while_leaving_does_not_count() -> None:
    state = with_points(first_round(3, target=3), 2, 0, 0)
    step = play(state, "0 attack rock 1", "0 attack rock 2", "0 leave", "1 lock", "2 lock")
    assert only(step, "round_resolved")["points"] == {"0": 2}
    assert not RULES.is_over(step.state)


def test_showdown_when_the_last_ones_give_up_together_points_decide() -> None:
    state = with_points(first_round(3), 1, 2, 0)
    step = play(state, "2 attack rock 0", "2 attack rock 1", "0 leave", "1 leave", "2 leave")
    assert only(step, "game_ended") == {"winners": [1, 2], "reason": "all_gave_up"}
    assert [e.data["reason"] for e in events(step, "gave_up")] == ["left"] * 3


def test_showdown_two_absent_rounds_are_giving_up_after_a_private_warning() -> None:
    state = first_round(3)
    step = play(state, "0 attack rock 1", "1 lock", "deadline")
    (warning,) = events(step, "absent_warned")
    assert (dict(warning.data), warning.audience) == ({"seat": 2}, {2})
    assert view(step.state, 2)["you"]["warned"]
    assert not view(step.state, 1)["you"]["warned"]
    step = play(step.state, "0 attack rock 1", "1 lock", "deadline")
    assert only(step, "gave_up") == {"seat": 2, "reason": "absent"}
    assert view(step.state)["seats"][2]["status"] == "gave_up"


def test_showdown_any_accepted_action_ends_a_row_of_absences() -> None:
    state = play(first_round(3), "0 lock", "1 lock", "deadline").state
    state = play(state, "0 lock", "1 lock", "2 mine 0", "deadline").state
    assert not view(state, 2)["you"]["warned"]
    state = play(state, "0 lock", "1 lock", "deadline").state
    assert seat(state, 2).is_in


def test_showdown_a_round_without_a_choice_is_no_absence() -> None:
    state = first_round(3)
    empty = replace(seat(state, 2), stock=(0,) * 9)
    state = replace(state, seats=(*state.seats[:2], empty))
    for _ in range(3):
        state = play(state, "0 attack rock 1", "1 attack rock 0", "deadline").state
    assert seat(state, 2).is_in
    assert seat(state, 2).absences == 0


def test_showdown_absences_do_not_count_when_an_outage_was_repaid() -> None:
    state = RULES.postpone(first_round(2), Instant(NOON + 60_000)).state
    state = play(state, "deadline").state
    assert [s.absences for s in state.seats] == [0, 0]
    assert [s.absences for s in play(state, "deadline").state.seats] == [1, 1]


def test_showdown_all_absent_ends_the_game() -> None:
    step = play(first_round(4), "deadline", "deadline")
    assert only(step, "game_ended")["reason"] == "all_gave_up"


@pytest.mark.parametrize(
    "lines",
    [(), ("0 raise_by 9",), ("0 raise_by 9", "1 raise_by 10", "2 fold"), ("0 leave", "1 leave")],
)
def test_showdown_voiding_returns_everything_while_betting(lines: tuple[str, ...]) -> None:
    step = RULES.void(play(new_game(10, 20, 40, 40).state, *lines).state)
    refunds = {e.data["seat"]: e.data["amount"] for e in events(step, "stake_refunded")}
    assert refunds == {0: 10, 1: 20, 2: 40, 3: 40}
    assert {(r.result, r.net) for r in RULES.outcome(step.state).values()} == {("", 0)}


def test_showdown_voiding_returns_stakes_weapons_and_mines_untaxed() -> None:
    state = play(side_pots(), "0 add rock", "0 add rock", "1 mine 2", "deadline").state
    step = RULES.void(state)
    assert kinds(step)[0] == "game_voided"
    back = {
        (e.data["seat"], e.data["weapon"]): e.data["count"] for e in events(step, "weapon_refunded")
    }
    assert back == {(0, "rock"): 2, (1, "landmine"): 1}
    assert {e.data["seat"]: e.data["amount"] for e in events(step, "stake_refunded")} == {
        0: 10,
        1: 20,
        2: 40,
        3: 40,
    }
    assert view(step.state)["result"]["reason"] == "void"
    with pytest.raises(NotInPhase):
        RULES.void(step.state)


def test_showdown_voiding_after_an_uncalled_bet_returns_only_what_is_still_held() -> None:
    state = play(new_game(50, 20).state, "0 raise_by 49", "1 call").state
    step = RULES.void(state)
    assert {e.data["seat"]: e.data["amount"] for e in events(step, "stake_refunded")} == {
        0: 20,
        1: 20,
    }
    assert RULES.outcome(step.state)[SeatNo(0)].paid_out == 50


def test_showdown_an_outcome_says_what_the_game_was_for_each_seat() -> None:
    state = play(new_game(9, 9, 9).state, "0 raise_by 3", "1 fold").state
    assert RULES.outcome(state) == {}
    step = play(state, "2 fold")
    assert [plain(outcome) for outcome in RULES.outcome(step.state).values()] == [
        {
            "result": "won" if no == 0 else "lost",
            "net": net,
            "status": "in" if no == 0 else "folded",
            "points": 0,
            "paid_in": 9,
            "paid_out": 9 + net,
        }
        for no, net in enumerate((2, -1, -1))
    ]


def test_showdown_leaving_is_the_same_by_action_and_by_the_house() -> None:
    for state in (new_game(9, 9, 9).state, first_round(3)):
        assert RULES.leave(state, SeatNo(1), NOON) == play(state, "1 leave")
    with pytest.raises(NotInPhase):
        RULES.leave(RULES.void(state).state, SeatNo(1), NOON)


def test_showdown_leaving_ends_a_game_of_two_at_once() -> None:
    state = play(first_round(2), "0 attack rock 1", "0 mine 1", "1 attack paper 0", "1 lock").state
    step = play(state, "0 leave")
    assert only(step, "gave_up") == {"seat": 0, "reason": "left"}
    assert only(step, "game_ended") == {"winners": [1], "reason": "last_left"}
    assert not events(step, "round_resolved")
    assert awards(step) == [(0, 1, 2)]
    assert only(step, "weapons_used") == {"seat": 0, "weapon": "landmine", "count": 1}
    over = view(step.state, 0)
    assert [(s["status"], s["leaving"], s["locked"]) for s in over["seats"]] == [
        ("gave_up", False, False),
        ("in", False, False),
    ]
    assert (over["you"]["attacks"], over["you"]["may"], over["due_at"]) == ({}, [], None)
    assert {o.result for o in RULES.outcome(step.state).values()} == {"lost", "won"}
    assert RULES.deadline(step.state) is None


def test_showdown_leaving_of_who_is_ahead_loses_all_the_same() -> None:
    state = with_points(first_round(2, target=5), 4, 0)
    step = play(state, "0 attack rock 1", "0 lock", "0 leave")
    assert only(step, "game_ended") == {"winners": [1], "reason": "last_left"}
    assert awards(step) == [(0, 1, 2)]


def test_showdown_leaving_ends_a_game_of_three_of_whom_one_is_out_at_once() -> None:
    folded = play(new_game(9, 9, 9).state, "0 fold", "1 call", "2 call").state
    step = play(folded, "1 leave")
    assert only(step, "game_ended") == {"winners": [2], "reason": "last_left"}
    gone = play(side_pots(), "2 leave", "3 leave", "deadline").state
    step = play(gone, "1 leave")
    assert only(step, "game_ended") == {"winners": [0], "reason": "last_left"}
    assert sum(amount for _, _, amount in awards(step)) == 110 - 5
    assert step.state.round == 2


def test_showdown_leaving_of_two_among_three_waits_for_the_end_of_the_round() -> None:
    step = play(first_round(3), "0 leave", "1 leave")
    assert not RULES.is_over(step.state)
    assert view(step.state, 2)["you"]["targets"] == [0, 1]
    step = play(step.state, "2 lock")
    assert events(step, "round_resolved")
    assert only(step, "game_ended") == {"winners": [2], "reason": "last_left"}


def test_showdown_leaving_pays_the_other_a_bonus_after_three_rounds_in_which_they_acted() -> None:
    state = first_round(2, target=9)
    for _ in range(2):
        state = play(state, "0 attack rock 1", "1 lock", "deadline").state
    assert not events(play(state, "1 leave"), "bonus_earned")
    assert only(play(state, "0 lock", "1 leave"), "bonus_earned") == {"seat": 0, "amount": 1}


def test_showdown_leaving_during_the_betting_of_two_ends_the_game_at_once() -> None:
    for line in ("0 leave", "1 leave"):  # seat 0 bets first
        step = play(new_game(9, 9).state, line)
        winner = 1 - int(line[0])
        assert only(step, "game_ended") == {"winners": [winner], "reason": "folds"}
