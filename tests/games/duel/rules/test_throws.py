"""Throws: what beats what, what counts, the clock, and when a duel is decided.

Source: docs/rules/duel.md "A throw", "The clock", "The end", "Stakes".
"""

from itertools import product

import pytest

from games.duel.rules.actions import Resign, Suspend
from games.engine.errors import NotInPhase, NotSeated, StaleAction, TooEarly
from games.engine.facts import SPECTATOR, Instant, SeatNo, Viewer
from games.engine.protocols import Outcome, Result
from tests.games.duel.rules.kit import (
    ACTIONS,
    NOON,
    RULES,
    A,
    B,
    code,
    duel,
    kinds,
    new_duel,
    only,
    paid,
    play,
    view,
    wins,
)

BEATS = {("r", "s"), ("s", "p"), ("p", "r")}


@pytest.mark.parametrize(("first", "second"), list(product("rps", repeat=2)))
def test_duel_rock_blunts_scissors_cut_paper_wraps(first: str, second: str) -> None:
    shown = only(play(duel(best_of=99), f"0{first}", f"1{second}"), "hands_revealed")
    expected = [0] if (first, second) in BEATS else [1] if (second, first) in BEATS else [0, 1]
    assert shown["winners"] == expected
    assert shown["counted"]


def test_duel_both_hands_are_shown_in_one_event() -> None:
    step = play(duel(best_of=3), "1p", "0s")
    assert kinds(step) == [
        *("hand_chosen", "hand_in", "hand_chosen", "hand_in", "hands_revealed", "throw_started"),
    ]
    assert only(step, "hands_revealed") == {
        "throw": 1,
        "hands": ["scissors", "paper"],
        "winners": [0],
        "counted": True,
        "wins": [1, 0],
    }


def test_duel_matched_hands_are_a_win_for_both() -> None:
    assert wins(duel("0r", "1r", best_of=3)) == [1, 1]


def test_duel_both_enough_at_once_is_a_draw() -> None:
    step = play(new_duel(stake=10).state, "0r", "1r")
    assert only(step, "game_ended") == {"winners": [], "reason": "draw"}
    assert paid(step) == [("purse_returned", 0, 10), ("purse_returned", 1, 10)]
    assert RULES.outcome(step.state) == {
        A: Outcome(Result.DRAWN, 0),
        B: Outcome(Result.DRAWN, 0),
    }


def test_duel_more_wins_win_when_a_matched_throw_ends_it() -> None:
    step = play(duel("0r", "1s", "0r", "1r", best_of=5), "0p", "1p")
    assert wins(step.state) == [3, 2]
    assert only(step, "game_ended") == {"winners": [0], "reason": "wins"}


def test_duel_no_ties_throws_again() -> None:
    step = play(duel(no_ties=True), "0r", "1r")
    assert only(step, "hands_revealed")["counted"] is False
    assert only(step, "hands_revealed")["winners"] == []
    assert only(step, "throw_started")["throw"] == 2
    assert wins(step.state) == [0, 0]
    assert RULES.is_over(play(step.state, "0r", "1s").state)


@pytest.mark.parametrize(("best_of", "needed"), [(1, 1), (3, 2), (5, 3), (99, 50)])
def test_duel_ends_with_more_wins_than_half(best_of: int, needed: int) -> None:
    state = duel(best_of=best_of)
    assert view(state)["wins_needed"] == needed
    for _ in range(needed):
        assert not RULES.is_over(state)
        state = play(state, "0p", "1r").state
    assert RULES.is_over(state)


def test_duel_a_hand_that_is_in_stays() -> None:
    state = duel("0r")
    assert code(state, "0p") == code(state, "0r") == "action/already_thrown"
    assert view(state, 0)["you"] == {"hand": "rock", "legal": ["suspend", "resign", "leave"]}


def test_duel_each_throw_starts_a_full_clock_at_the_reveal() -> None:
    state = new_duel(best_of=3, clock_seconds=5).state
    assert state.due_at == NOON + 5_000
    throw = ACTIONS.made_of({"kind": "throw", "hand": "rock"})
    state = RULES.apply(state, A, throw, Instant(NOON + 1_000)).state
    assert state.due_at == NOON + 5_000
    state = RULES.apply(state, B, throw, Instant(NOON + 4_000)).state
    assert state.due_at == NOON + 9_000
    late = RULES.on_deadline(state, Instant(NOON + 9_700)).state
    assert late.due_at == NOON + 14_700


def test_duel_alone_in_time_wins_the_throw() -> None:
    step = play(duel(best_of=3, no_ties=True), "1s", "late")
    assert only(step, "hands_revealed") == {
        "throw": 1,
        "hands": [None, "scissors"],
        "winners": [1],
        "counted": True,
        "wins": [0, 1],
    }
    assert only(play(step.state, "1r", "late"), "game_ended")["winners"] == [1]


def test_duel_three_void_throws_abandon_it() -> None:
    state = duel("late", "late", stake=20)
    assert (view(state)["voids"], view(state)["uncounted"]) == (2, 2)
    step = play(state, "late")
    assert kinds(step)[:2] == ["throw_voided", "game_ended"]
    assert only(step, "game_ended") == {"winners": [], "reason": "abandoned"}
    assert paid(step) == [("stake_refunded", 0, 20), ("stake_refunded", 1, 20)]
    assert RULES.outcome(step.state)[A] == Outcome(Result.NONE, 0)


def test_duel_a_throw_that_counts_begins_the_count_anew() -> None:
    state = duel("late", "late", "0r", "late", best_of=5)
    assert (view(state)["voids"], view(state)["uncounted"]) == (0, 0)
    state = play(state, "late", "late").state
    assert not RULES.is_over(state)
    assert RULES.is_over(play(state, "late").state)


def test_duel_a_matched_throw_does_not_forgive_void_ones() -> None:
    state = duel("late", "0r", "1r", "late", "0p", "1p", no_ties=True)
    assert (view(state)["voids"], view(state)["uncounted"]) == (2, 4)
    assert only(play(state, "late"), "game_ended")["reason"] == "abandoned"


def test_duel_twenty_uncounted_throws_running_abandon_it() -> None:
    state = duel(*["0s", "1s"] * 19, no_ties=True, stake=1)
    assert view(state)["uncounted"] == 19
    step = play(state, "1r", "0r")
    assert only(step, "game_ended")["reason"] == "abandoned"
    assert paid(step) == [("stake_refunded", 0, 1), ("stake_refunded", 1, 1)]


def test_duel_uncounted_throws_add_up_between_counted_ones_only() -> None:
    state = duel(*["0s", "1s"] * 19, "0r", "1s", *["0s", "1s"] * 19, no_ties=True, best_of=3)
    assert not RULES.is_over(state)
    assert view(state)["throw"] == 40


@pytest.mark.parametrize(
    ("stake", "tax_bp", "won", "tax"),
    [(50, 500, 95, 5), (9, 500, 18, 0), (10, 500, 19, 1), (1, 10_000, 0, 2), (100, 0, 200, 0)],
)
def test_duel_winner_gets_both_stakes_less_the_tax_rounded_down(
    stake: int, tax_bp: int, won: int, tax: int
) -> None:
    step = play(new_duel(stake=stake, tax_bp=tax_bp).state, "0r", "1p")
    award = [("pot_awarded", 1, won)] if won else []
    assert paid(step) == award + ([("tax_taken", None, tax)] if tax else [])
    assert view(step.state)["result"] == {
        "winners": [1],
        "reason": "wins",
        "awards": [0, won],
        "tax": tax,
    }
    outcome = RULES.outcome(step.state)
    assert [outcome[no].result for no in (A, B)] == [Result.LOST, Result.WON]
    assert [outcome[no].net for no in (A, B)] == [-stake, won - stake]


def test_duel_without_a_stake_moves_nothing() -> None:
    for words in (("0r", "1p"), ("0r", "1r"), ("late", "late", "late"), ("0 resign",)):
        assert paid(play(new_duel().state, *words)) == []
    assert paid(RULES.void(duel())) == []


@pytest.mark.parametrize("kind", ["resign", "leave"])
@pytest.mark.parametrize("words", [(), ("0r",), ("1r",), ("0 suspend", "1 suspend", "0 resume")])
def test_duel_who_gives_up_loses_at_any_time(words: tuple[str, ...], kind: str) -> None:
    state = duel("0r", "1p", *words, best_of=5, stake=10)
    step = play(state, f"1 {kind}")
    assert kinds(step) == ["game_ended", "pot_awarded", "tax_taken"]
    assert only(step, "game_ended") == {"winners": [0], "reason": "resigned"}
    assert view(step.state, 0)["you"]["legal"] == []


def test_duel_a_hand_that_was_not_shown_stays_hidden_at_the_end() -> None:
    over = duel("0r", "1 resign")
    assert view(over, 0)["you"]["hand"] == "rock"
    assert view(over, 1) | {"you": None} == view(over)
    assert "rock" not in str(view(over))


def test_duel_void_gives_the_stakes_back() -> None:
    step = RULES.void(duel("0r", best_of=3, stake=40))
    assert kinds(step) == ["game_voided", "stake_refunded", "stake_refunded"]
    assert view(step.state)["result"]["reason"] == "void"
    assert RULES.outcome(step.state)[B] == Outcome(Result.NONE, 0)
    with pytest.raises(NotInPhase):
        RULES.void(step.state)


def test_duel_nothing_goes_on_when_it_is_over() -> None:
    over = duel("0r", "1p")
    for word in ("0r", "1 resign", "0 leave", "0 suspend", "1 resume"):
        assert code(over, word) == "action/not_in_phase"
    assert RULES.deadline(over) is None
    assert RULES.clock_limit(over) is None
    assert RULES.postpone(over, NOON).events == ()
    with pytest.raises(NotInPhase):
        RULES.on_deadline(over, NOON)


def test_duel_the_clock_acts_neither_early_nor_twice() -> None:
    state = duel()
    assert state.due_at is not None
    with pytest.raises(TooEarly):
        RULES.on_deadline(state, Instant(state.due_at - 1))
    with pytest.raises(StaleAction):
        RULES.apply(state, A, Suspend(), state.due_at)


def test_duel_an_outage_is_repaid_in_every_stage() -> None:
    for state in (duel(), duel("0r"), duel("0 suspend", "1 suspend")):
        assert state.due_at is not None
        later = Instant(state.due_at + 60_000)
        step = RULES.postpone(state, later)
        assert only(step, "clock_postponed") == {"due_at": later}
        assert RULES.deadline(step.state) == later
        assert RULES.deadline(RULES.postpone(state, NOON).state) == state.due_at
        assert RULES.phase(step.state) == RULES.phase(state)


def test_duel_phase_counts_throws_suspensions_resumptions_and_the_end() -> None:
    words = ["0r", "1r", "0 suspend", "1 suspend", "0 resume", "1 resume", "1s", "late"]
    state, phases = duel(no_ties=True), []
    for word in words:
        state = play(state, word).state
        phases.append(RULES.phase(state))
    assert phases == [1, 2, 2, 3, 3, 4, 4, 5]


def test_duel_the_view_remembers_twenty_throws() -> None:
    state = duel(*["0r", "1p", "0p", "1r"] * 15, best_of=99)
    shown = view(state)["throws"]
    assert [throw["throw"] for throw in shown] == list(range(11, 31))
    assert shown[0] == {"throw": 11, "hands": ["rock", "paper"], "winners": [1], "counted": True}


def test_duel_only_its_two_seats_act() -> None:
    throw = ACTIONS.made_of({"kind": "throw", "hand": "rock"})
    for no in (2, 7):
        assert RULES.legal_actions(duel(), SeatNo(no)) == []
        with pytest.raises(NotSeated):
            RULES.apply(duel(), SeatNo(no), throw, NOON)


def test_duel_walking_out_resigns_it() -> None:
    for state in (duel("0r", stake=10), duel("0 suspend", "1 suspend", stake=10)):
        at = Instant((state.due_at or 0) - 1)
        left, resigned = RULES.leave(state, B, at), RULES.apply(state, B, Resign(), at)
        assert left == resigned
        assert only(left, "game_ended") == {"winners": [0], "reason": "resigned"}
    with pytest.raises(NotSeated):
        RULES.leave(duel(), SeatNo(2), NOON)
    with pytest.raises(NotInPhase):
        RULES.leave(duel("0 resign"), A, NOON)


def test_duel_nobody_takes_over_and_all_may_talk_beside_it() -> None:
    state = duel("0r")
    assert RULES.open_seats(state) == ()
    assert RULES.shown_deadline(state) == RULES.deadline(state)
    assert set(RULES.rooms(state, Viewer(A))) == {"table"}
    spectator = RULES.rooms(state, SPECTATOR)
    assert {name for name, room in spectator.items() if room.may_speak} == {"spectators"}
