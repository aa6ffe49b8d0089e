"""Throws, suspensions, the end and its stakes.  Source: docs/rules/duel.md."""

from itertools import product

import pytest

from games.duel.rules.actions import Resign, Resume
from games.duel.rules.state import DuelState
from games.engine.facts import SPECTATOR, Instant, SeatNo, Viewer
from games.engine.protocols import Outcome, Result
from tests.games.duel.rules.kit import (
    ACTIONS,
    DAY,
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
from tests.refusals import refuses

BEATS = {("r", "s"), ("s", "p"), ("p", "r")}
ROCK = ACTIONS.made_of({"kind": "throw", "hand": "rock"})


def suspended(*words: str, **options: object) -> DuelState:
    return duel(*words, "0 suspend", "1 suspend", **options)


def seats(state: DuelState, key: str) -> list[bool]:
    return [seat[key] for seat in view(state)["seats"]]


@pytest.mark.parametrize(("first", "second"), list(product("rps", repeat=2)))
def test_duel_rock_blunts_scissors_cut_paper_wraps(first: str, second: str) -> None:
    shown = only(play(duel(best_of=99), f"0{first}", f"1{second}"), "hands_revealed")
    expected = [0] if (first, second) in BEATS else [1] if (second, first) in BEATS else [0, 1]
    assert (shown["winners"], shown["counted"]) == (expected, True)


def test_duel_both_enough_at_once_is_a_draw_unless_one_has_more_wins() -> None:
    step = play(new_duel(stake=10).state, "0r", "1r")
    assert only(step, "game_ended") == {"winners": [], "reason": "draw"}
    assert paid(step) == [("purse_returned", 0, 10), ("purse_returned", 1, 10)]
    assert RULES.outcome(step.state) == dict.fromkeys((A, B), Outcome(Result.DRAWN, 0))
    step = play(duel("0r", "1s", "0r", "1r", best_of=5), "0p", "1p")
    assert wins(step.state) == [3, 2]
    assert only(step, "game_ended") == {"winners": [0], "reason": "wins"}


@pytest.mark.parametrize(("best_of", "needed"), [(1, 1), (3, 2), (5, 3), (99, 50)])
def test_duel_ends_with_more_wins_than_half(best_of: int, needed: int) -> None:
    state = duel(best_of=best_of)
    assert view(state)["wins_needed"] == needed
    for _ in range(needed):
        assert not RULES.is_over(state)
        state = play(state, "0p", "1r").state
    assert RULES.is_over(state)


def test_duel_each_throw_starts_a_full_clock_at_the_reveal() -> None:
    state = new_duel(best_of=3, clock_seconds=5).state
    assert state.due_at == NOON + 5_000
    state = RULES.apply(state, A, ROCK, Instant(NOON + 1_000)).state
    assert state.due_at == NOON + 5_000
    state = RULES.apply(state, B, ROCK, Instant(NOON + 4_000)).state
    assert state.due_at == NOON + 9_000
    assert RULES.on_deadline(state, Instant(NOON + 9_700)).state.due_at == NOON + 14_700
    # An outage is repaid, to the later end.
    later = Instant(NOON + 60_000)
    assert only(RULES.postpone(state, later), "clock_postponed") == {"due_at": later}
    assert RULES.deadline(RULES.postpone(state, NOON).state) == state.due_at


def test_duel_void_and_uncounted_throws_running_abandon_it_until_one_counts():
    state = duel("late", "late", "0r", "late", best_of=5)
    assert (view(state)["voids"], view(state)["uncounted"]) == (0, 0)
    state = play(state, "late", "late").state
    assert not RULES.is_over(state)
    assert RULES.is_over(play(state, "late").state)
    state = duel("late", "0r", "1r", "late", "0p", "1p", no_ties=True)
    assert (view(state)["voids"], view(state)["uncounted"]) == (2, 4)
    assert only(play(state, "late"), "game_ended")["reason"] == "abandoned"
    state = duel(*["0s", "1s"] * 19, no_ties=True, stake=1)
    assert view(state)["uncounted"] == 19
    step = play(state, "1r", "0r")
    assert only(step, "game_ended")["reason"] == "abandoned"
    assert paid(step) == [("stake_refunded", 0, 1), ("stake_refunded", 1, 1)]
    # They add up between counted ones only.
    state = duel(*["0s", "1s"] * 19, "0r", "1s", *["0s", "1s"] * 19, no_ties=True, best_of=3)
    assert (RULES.is_over(state), view(state)["throw"]) == (False, 40)


@pytest.mark.parametrize(
    ("stake", "tax_bp", "won", "tax"),
    [(50, 500, 95, 5), (9, 500, 18, 0), (10, 500, 19, 1), (1, 10_000, 0, 2), (100, 0, 200, 0)],
)
def test_duel_winner_gets_both_stakes_less_the_tax_rounded_down(stake, tax_bp, won, tax) -> None:
    step = play(new_duel(stake=stake, tax_bp=tax_bp).state, "0r", "1p")
    award = [("pot_awarded", 1, won)] if won else []
    assert paid(step) == award + ([("tax_taken", None, tax)] if tax else [])
    result = {"winners": [1], "reason": "wins", "awards": [0, won], "tax": tax}
    assert view(step.state)["result"] == result
    outcome = RULES.outcome(step.state)
    assert [outcome[no].result for no in (A, B)] == [Result.LOST, Result.WON]
    assert [outcome[no].net for no in (A, B)] == [-stake, won - stake]


def test_duel_without_a_stake_moves_nothing() -> None:
    for words in (("0r", "1p"), ("0r", "1r"), ("late", "late", "late"), ("0 resign",)):
        assert paid(play(new_duel().state, *words)) == []
    assert paid(RULES.void(duel())) == []


@pytest.mark.parametrize("kind", ["resign", "leave"])
@pytest.mark.parametrize("words", [("0r",), ("0 suspend",), ("0 suspend", "1 suspend", "0 resume")])
def test_duel_who_gives_up_loses_at_any_time(words: tuple[str, ...], kind: str) -> None:
    state = duel("0r", "1p", *words, best_of=5, stake=10)
    step = play(state, f"1 {kind}")
    assert kinds(step) == ["game_ended", "pot_awarded", "tax_taken"]
    assert only(step, "game_ended") == {"winners": [0], "reason": "resigned"}
    assert view(step.state, 0)["you"]["legal"] == []
    assert code(step.state, f"0 {kind}") == code(step.state, "1r") == "action/not_in_phase"
    assert seats(step.state, "asks_suspension") == [False, False]
    at = Instant((state.due_at or 0) - 1)
    assert RULES.leave(state, B, at) == RULES.apply(state, B, Resign(), at), "walking out too"


def test_duel_void_gives_the_stakes_back_and_a_hand_that_was_not_shown_stays_hidden() -> None:
    over = duel("0r", "1 resign")
    assert view(over, 0)["you"]["hand"] == "rock"
    assert "rock" not in str(view(over)) + str(view(over, 1))
    assert RULES.outcome(RULES.void(duel("0r", stake=40)).state)[B] == Outcome(Result.NONE, 0)


def test_duel_the_view_remembers_twenty_throws_and_the_phase_counts_what_happened() -> None:
    words = ["0r", "1r", "0 suspend", "1 suspend", "0 resume", "1 resume", "1s", "late"]
    states = [duel(*words[:count], no_ties=True) for count in range(1, 9)]
    assert [RULES.phase(state) for state in states] == [1, 2, 2, 3, 3, 4, 4, 5]
    shown = view(duel(*["0r", "1p", "0p", "1r"] * 15, best_of=99))["throws"]
    assert [throw["throw"] for throw in shown] == list(range(11, 31))
    assert shown[0] == {"throw": 11, "hands": ["rock", "paper"], "winners": [1], "counted": True}


def test_duel_only_its_two_seats_act_and_all_may_talk_beside_it() -> None:
    for no in map(SeatNo, (2, 7)):
        assert RULES.legal_actions(duel(), no) == []
        for act in (lambda no=no: RULES.apply(duel(), no, ROCK, NOON),
                    lambda no=no: RULES.leave(duel(), no, NOON)):  # fmt: skip
            with refuses("action/not_seated"):
                act()
    state = duel("0r")
    assert RULES.shown_deadline(state) == RULES.deadline(state)
    assert set(RULES.rooms(state, Viewer(A))) == {"table"}
    spectator = RULES.rooms(state, SPECTATOR)
    assert {name for name, room in spectator.items() if room.may_speak} == {"spectators"}


def test_duel_asking_alone_suspends_nothing_and_is_taken_back() -> None:
    state = duel("0 suspend", best_of=3)
    assert code(state, "0 suspend") == "action/already_asked"
    assert view(state)["stage"] == "throwing"
    going_on = play(state, "0r", "1p").state
    assert (view(going_on)["throw"], seats(going_on, "asks_suspension")) == (2, [True, False])
    state = play(state, "0 withdraw_suspend").state
    assert code(state, "0 withdraw_suspend") == "action/not_asked"
    assert view(play(state, "1 suspend").state)["stage"] == "throwing"


def test_duel_suspended_a_hand_stays_in_secret_and_final_and_there_are_no_throws() -> None:
    state = suspended("0r")
    for word in ("0p", "1p", "0 suspend", "1 withdraw_suspend"):
        assert code(state, word) == "action/not_in_phase"
    for word in ("0 resume", "1 withdraw_resume"):
        assert code(duel(), word) == "action/not_in_phase"
    state = play(state, "0 resume", "1 resume").state
    assert code(state, "0p") == "action/already_thrown"
    assert only(play(state, "1s"), "hands_revealed")["hands"] == ["rock", "scissors"]


def test_duel_goes_on_when_both_are_back_with_a_full_clock_within_seven_days() -> None:
    state = suspended(clock_seconds=45, best_of=3)
    at = Instant(NOON + 3 * DAY)
    step = RULES.apply(state, B, Resume(), at)
    assert view(step.state)["stage"] == "suspended"
    step = RULES.apply(step.state, A, Resume(), Instant(at + 5_000))
    assert kinds(step) == ["resumption_ready", "resumed"]
    assert only(step, "resumed") == {"due_at": at + 50_000} == {"due_at": step.state.due_at}
    assert seats(step.state, "is_back") == [False, False]
    assert RULES.clock_limit(suspended()) == 7 * DAY
    assert RULES.clock_limit(duel(clock_seconds=30)) == 30_000
    state = play(suspended(), "0 resume").state
    assert code(state, "0 resume") == "action/already_asked"
    state = play(state, "0 withdraw_resume").state
    assert code(state, "0 withdraw_resume") == "action/not_asked"
    assert view(play(state, "1 resume").state)["stage"] == "suspended"


def test_duel_waits_for_hands_answers_and_coming_back() -> None:
    hands = [duel(), duel("0r"), duel("0r", "1p")]
    assert [RULES.pending_seats(state) for state in hands] == [(A, B), (B,), ()]
    asked = [duel("0r", "1 suspend"), duel("0r", "0 suspend"), suspended("0r")]
    assert [RULES.pending_seats(state) for state in asked] == [(A, B), (B,), (A, B)]
    assert RULES.pending_seats(play(suspended(), "1 resume").state) == (A,)
