"""Betting and the largest purse, by rule.  Source: docs/rules/showdown.md "Betting"."""

import pytest

from games.engine.facts import Points, SeatNo, SeatSetup
from games.showdown.rules.state import Options, fill_options
from tests.games.showdown.rules.kit import (
    NOON,
    RULES,
    SEED,
    code,
    events,
    kinds,
    new_game,
    only,
    play,
    pots,
    refused,
    seat,
    view,
)


def test_showdown_everybody_posts_the_ante_and_the_seat_left_of_the_dealer_begins() -> None:
    step = new_game(50, 50, 50, ante=2)
    assert kinds(step) == ["game_started", *["ante_posted"] * 3, "turn_passed"]
    dealt = {"rock": 6, "paper": 6, "scissors": 6}
    assert only(step, "game_started") == {"dealer": 2, "seats": [0, 1, 2], "dealt": dealt}
    assert only(step, "turn_passed") == {"seat": 0}
    assert (view(step.state)["pot"], seat(step.state, 1).purse) == (6, 48)
    assert RULES.deadline(step.state) == NOON + 20_000


@pytest.mark.parametrize(("target", "players", "dealt"), [(3, 2, 3), (6, 2, 4), (15, 4, 27)])
def test_showdown_deals_by_target_and_players(target: int, players: int, dealt: int) -> None:
    started = only(new_game(*[9] * players, target=target), "game_started")
    assert started["dealt"] == dict.fromkeys(("rock", "paper", "scissors"), dealt)


def test_showdown_the_deal_moves_to_the_next_seat_and_the_phase_counts_turns_and_rounds() -> None:
    dealers = [new_game(9, 9, 9, previous_dealer=previous).state.dealer for previous in range(4)]
    assert dealers == [1, 2, 0, 0]
    lines = ["0 call", "1 call", "deadline"]
    games = [play(new_game(50, 50).state, *lines[:count]).state for count in range(4)]
    assert [RULES.phase(state) for state in games] == [1, 2, 3, 4]


def test_showdown_call_with_nothing_to_match_is_a_check_and_all_checks_end_the_betting() -> None:
    step = play(new_game(50, 50, 50).state, "0 call")
    assert only(step, "called") == {"seat": 0, "amount": 0, "all_in": False}
    assert only(step, "turn_passed") == {"seat": 1}
    step = play(step.state, "1 call", "2 call")
    back = ["purse_returned"] * 3
    assert kinds(step)[-6:] == ["betting_ended", *back, "pots_formed", "round_started"]
    assert (pots(step), view(step.state)["stage"]) == ([(3, [0, 1, 2])], "round")


def test_showdown_raise_is_from_the_last_one_to_what_is_left_after_matching() -> None:
    state = play(new_game(50, 50).state, "0 raise_by 5").state
    small, large = refused(state, "1 raise_by 4"), refused(state, "1 raise_by 45")
    assert (small.code, small.detail) == ("action/raise_too_small", {"least": 5})
    assert (large.code, large.detail) == ("action/raise_too_large", {"most": 44})
    assert not only(play(state, "1 raise_by 5"), "raised")["all_in"]
    assert only(play(state, "1 raise_by 44"), "raised")["all_in"]


#: Purses | what was done | what is refused | its code.
REFUSED = """
    50 50 50 | | 1 call | not_your_turn
    50 50 50 | | 2 raise_by 1 | not_your_turn
    50 50 50 | | 1 fold | not_your_turn
    50 50 50 | | 3 call | not_seated
    50 50 50 | | 0 attack rock 1 | not_in_phase
    50 50 50 | | 0 lock | not_in_phase
    50 50 50 | deadline | 0 call | out
    50 10 50 | 0 raise_by 20 | 1 raise_by 1 | must_call_or_fold
    50 21 50 | 0 raise_by 20 | 1 raise_by 1 | must_call_or_fold
    50 50 15 | 0 raise_by 10, 1 call | 2 raise_by 3 | raise_too_small
    50 50 15 | 0 raise_by 10, 1 call, 2 raise_by 4 | 0 raise_by 20 | must_call_or_fold
    90 90 | 0 raise_by 1, 1 raise_by 1, 0 raise_by 1, 1 raise_by 1 | 0 raise_by 1 | too_many_raises
    90 20 20 | 0 call, 1 raise_by 19, 2 call | 0 raise_by 19 | nobody_can_call
    30 90 20 | 0 raise_by 29 | 1 raise_by 29 | nobody_can_call
"""


@pytest.mark.parametrize("case", [*map(str.strip, REFUSED.strip().splitlines())])
def test_showdown_betting_refuses(case: str) -> None:
    purses, done, line, why = (part.strip() for part in case.split("|"))
    state = play(new_game(*map(int, purses.split())).state, *filter(None, done.split(", "))).state
    assert code(state, line) == f"action/{why}"


def test_showdown_who_cannot_match_calls_all_in_and_who_can_only_just_match_too() -> None:
    step = play(new_game(50, 10, 50).state, "0 raise_by 20", "1 call")
    assert only(step, "called") == {"seat": 1, "amount": 9, "all_in": True}
    assert view(step.state)["seats"][1]["status"] == "all_in"
    assert only(play(new_game(50, 21, 50).state, "0 raise_by 20", "1 call"), "called")["all_in"]


def test_showdown_short_all_in_raise_is_allowed_and_does_not_reopen() -> None:
    # All in with 15: 4 above the bet of 11.
    short = play(new_game(50, 50, 15).state, "0 raise_by 10", "1 call", "2 raise_by 4").state
    assert "raise_by" not in view(short, 0)["you"]["may"]
    assert view(short, 0)["you"]["call_amount"] == 4
    assert pots(play(short, "0 call", "1 call")) == [(45, [0, 1, 2])]
    # It leaves the raise open to who has not acted.
    state = play(new_game(50, 15, 50).state, "0 raise_by 10", "1 raise_by 4").state
    assert view(state, 2)["you"]["raise_min"] == 10
    assert "raise_by" in view(play(state, "2 raise_by 10").state, 0)["you"]["may"]
    # Several never add up to a full one.
    lines = ("0 raise_by 10", "1 call", "2 raise_by 6", "3 raise_by 6")
    state = play(new_game(60, 60, 17, 23).state, *lines).state
    assert view(state)["bet"] == {"to_match": 23, "smallest_raise": 10, "raises_left": 3}
    for refusing, line in (
        (state, "0 raise_by 12"),
        (play(state, "0 call").state, "1 raise_by 12"),
    ):
        assert code(refusing, line) == "action/must_call_or_fold"


def test_showdown_betting_takes_as_many_full_raises_as_the_option_says_or_four() -> None:
    state = play(new_game(90, 90).state, *["0 raise_by 1", "1 raise_by 1"] * 2).state
    assert view(state)["bet"]["raises_left"] == 0
    # Nor may anybody raise when no other player could call.
    alone = play(new_game(90, 20, 20).state, "0 call", "1 raise_by 19", "2 call").state
    for over in (state, alone):
        assert view(over, 0)["you"]["may"] == ["call", "fold", "leave"]
    assert code(new_game(90, 90, full_raises=0).state, "0 raise_by 1") == "action/too_many_raises"


def test_showdown_betting_ends_as_soon_as_one_is_left_who_has_matched() -> None:
    step = new_game(1, 1, 50)
    assert kinds(step)[4:] == ["betting_ended", "purse_returned", "pots_formed", "round_started"]
    assert only(step, "purse_returned") == {"seat": 2, "amount": 49}
    assert RULES.phase(step.state) == 1
    # Who is left but has not matched still decides.
    state = play(new_game(10, 50).state, "0 raise_by 9").state
    assert view(state)["turn"] == 1
    assert "betting_ended" in kinds(play(state, "1 call"))


def test_showdown_an_all_in_player_has_no_more_turns_and_stays_in() -> None:
    step = play(new_game(50, 5, 50).state, "0 raise_by 10", "1 call", "2 raise_by 10", "0 call")
    assert [dict(e.data)["seat"] for e in events(step, "turn_passed")] == [1, 2, 0]
    assert pots(step) == [(15, [0, 1, 2]), (32, [0, 2])]


def test_showdown_a_passed_clock_folds() -> None:
    step = play(new_game(50, 50, 50).state, "deadline")
    assert only(step, "folded") == {"seat": 0, "late": True}
    assert (only(step, "turn_passed"), step.state.due_at) == ({"seat": 1}, NOON + 40_000)


def test_showdown_leaving_folds_at_once_whoevers_turn_it_is() -> None:
    state = new_game(50, 50, 50).state
    step = play(state, "2 leave")
    assert (kinds(step), only(step, "folded")) == (["folded"], {"seat": 2, "late": False})
    assert (step.state.turn, step.state.due_at) == (0, state.due_at)
    assert RULES.phase(step.state) == RULES.phase(state)
    assert kinds(play(state, "0 leave")) == ["folded", "turn_passed"]
    # The bet of one who leaves still has to be matched.
    state = play(state, "0 raise_by 10", "0 leave").state
    assert view(state, 1)["you"]["call_amount"] == 10
    # Leaving can end the betting.
    state = new_game(1, 50, 50).state
    assert state.turn == 1
    step = play(state, "2 leave")
    assert "betting_ended" in kinds(step)
    assert view(step.state)["stage"] == "round"


def test_showdown_uncalled_bet_goes_back_if_its_owner_is_in() -> None:
    step = play(new_game(50, 20, 30).state, "0 raise_by 49", "1 call", "2 call")
    assert only(step, "uncalled_returned") == {"seat": 0, "amount": 20}
    assert pots(step) == [(60, [0, 1, 2]), (20, [0, 2])]
    # Who folded is never paid back.
    step = play(new_game(50, 20, 30).state, "0 raise_by 40", "0 leave", "1 call", "2 call")
    assert not events(step, "uncalled_returned")
    assert pots(step) == [(60, [1, 2]), (31, [2])]
    # Folded stakes are looked at too.
    step = play(new_game(50, 50, 10).state, "0 raise_by 20", "1 raise_by 29", "2 call", "0 fold")
    assert only(step, "uncalled_returned") == {"seat": 1, "amount": 29}
    assert pots(step) == [(30, [1, 2]), (22, [1])]


def test_showdown_seats_that_cannot_play_or_that_the_table_does_not_have_are_a_mistake() -> None:
    for purses in ((50,), (1, 1, 1, 1, 1), (50, 0), (50, 100_001)):
        with pytest.raises(ValueError, match=r"seat|purse|game"):
            new_game(*purses, previous_dealer=0)
    for numbers in ((-1, 0), (0, 4), (-1, 4), (1, 1)):
        seats = [SeatSetup(SeatNo(number), Points(50)) for number in numbers]
        with pytest.raises(ValueError, match="seat"):
            RULES.setup(Options(), seats, SEED, NOON)


SITE = {"ante": 1, "largest_purse": 100}


@pytest.mark.parametrize(
    ("site", "chosen", "largest"),
    [
        *((SITE, {"ante": 500}, 500), (SITE, {"ante": 50}, 100), (SITE, {"ante": "500"}, 100)),
        (SITE, {"ante": 10, "largest_purse": 9}, 9),
        *(({"ante": 7, "largest_purse": 3}, {}, 7), ({}, {"ante": 300}, 300), ({}, {}, 100)),
        ({"largest_purse": 100}, {"ante": "500"}, 100),
    ],
)
def test_a_largest_purse_that_nobody_chose_gives_way_to_the_ante(site, chosen, largest) -> None:
    filled = fill_options({**site, **chosen}, chosen)
    assert filled == {**site, **chosen, "largest_purse": largest}
