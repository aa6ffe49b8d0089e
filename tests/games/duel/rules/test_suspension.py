"""Suspending by agreement, going on, and what happens when nobody comes back.

Source: docs/rules/duel.md "Suspension".
"""

import pytest

from games.duel.rules.actions import Resume
from games.engine.facts import Instant
from tests.games.duel.rules.kit import (
    DAY,
    NOON,
    RULES,
    A,
    B,
    code,
    duel,
    kinds,
    only,
    paid,
    play,
    view,
)


def suspended(*words: str, **options: object) -> object:
    """Return a duel that both have agreed to suspend after these words."""
    return duel(*words, "0 suspend", "1 suspend", **options)


def test_duel_one_asks_and_the_other_agrees() -> None:
    asking = play(duel(), "1 suspend")
    assert only(asking, "suspension_asked") == {"seat": 1}
    assert [seat["asks_suspension"] for seat in view(asking.state)["seats"]] == [False, True]
    agreed = play(asking.state, "0 suspend")
    assert kinds(agreed) == ["suspended"]
    assert view(agreed.state)["stage"] == "suspended"
    assert [seat["asks_suspension"] for seat in view(agreed.state)["seats"]] == [False, False]


def test_duel_asking_alone_suspends_nothing() -> None:
    state = duel("0 suspend", best_of=3)
    assert code(state, "0 suspend") == "action/already_asked"
    assert view(state)["stage"] == "throwing"
    going_on = play(state, "0r", "1p").state
    assert view(going_on)["throw"] == 2
    assert view(going_on)["seats"][0]["asks_suspension"]


def test_duel_asking_is_taken_back() -> None:
    state = play(duel("0 suspend"), "0 withdraw_suspend").state
    assert code(state, "0 withdraw_suspend") == "action/not_asked"
    assert view(play(state, "1 suspend").state)["stage"] == "throwing"


def test_duel_the_end_answers_who_asked() -> None:
    assert not view(duel("0 suspend", "1 resign"))["seats"][0]["asks_suspension"]


def test_duel_suspended_there_are_no_throws() -> None:
    state = suspended("0r")
    for word in ("0p", "1p", "0 suspend", "1 withdraw_suspend"):
        assert code(state, word) == "action/not_in_phase"
    for word in ("0 resume", "1 withdraw_resume"):
        assert code(duel(), word) == "action/not_in_phase"


def test_duel_a_hand_stays_in_secret_and_final() -> None:
    state = suspended("0r")
    assert view(state, 0)["you"]["hand"] == "rock"
    assert "rock" not in str(view(state, 1)) + str(view(state))
    assert [seat["hand_in"] for seat in view(state)["seats"]] == [True, False]
    state = play(state, "0 resume", "1 resume").state
    assert code(state, "0p") == "action/already_thrown"
    assert only(play(state, "1s"), "hands_revealed")["hands"] == ["rock", "scissors"]


def test_duel_goes_on_when_both_are_back_with_a_full_clock() -> None:
    state = suspended(clock_seconds=45, best_of=3)
    at = Instant(NOON + 3 * DAY)
    step = RULES.apply(state, B, Resume(), at)
    assert kinds(step) == ["resumption_ready"]
    assert view(step.state)["stage"] == "suspended"
    step = RULES.apply(step.state, A, Resume(), Instant(at + 5_000))
    assert kinds(step) == ["resumption_ready", "resumed"]
    assert only(step, "resumed") == {"due_at": at + 50_000} == {"due_at": step.state.due_at}
    assert [seat["is_back"] for seat in view(step.state)["seats"]] == [False, False]
    assert view(step.state)["throw"] == view(state)["throw"]


def test_duel_being_back_is_taken_back() -> None:
    state = play(suspended(), "0 resume").state
    assert code(state, "0 resume") == "action/already_asked"
    state = play(state, "0 withdraw_resume").state
    assert code(state, "0 withdraw_resume") == "action/not_asked"
    assert view(play(state, "1 resume").state)["stage"] == "suspended"


def test_duel_a_suspension_lasts_seven_days() -> None:
    state = suspended()
    assert RULES.clock_limit(state) == 7 * DAY
    assert state.due_at == NOON + 29_000 + 7 * DAY
    assert RULES.clock_limit(duel(clock_seconds=30)) == 30_000


@pytest.mark.parametrize("back", [0, 1])
def test_duel_only_who_is_back_after_seven_days_wins(back: int) -> None:
    step = play(suspended("0r", "1p", best_of=5, stake=10), f"{back} resume", "late")
    assert only(step, "game_ended") == {"winners": [back], "reason": "suspension"}
    assert paid(step) == [("pot_awarded", back, 19), ("tax_taken", None, 1)]
    assert RULES.outcome(step.state)[(A, B)[back]].result == "won"


def test_duel_nobody_back_after_seven_days_abandons_it() -> None:
    state = suspended("0r", "1p", best_of=5, stake=10)
    step = play(state, "1 resume", "1 withdraw_resume", "late")
    assert only(step, "game_ended") == {"winners": [], "reason": "abandoned"}
    assert paid(step) == [("stake_refunded", 0, 10), ("stake_refunded", 1, 10)]


def test_duel_waits_for_hands_answers_and_coming_back() -> None:
    assert RULES.pending_seats(duel()) == (A, B)
    assert RULES.pending_seats(duel("0r")) == (B,)
    assert RULES.pending_seats(duel("0r", "1 suspend")) == (A, B)
    assert RULES.pending_seats(duel("0r", "0 suspend")) == (B,)
    assert RULES.pending_seats(suspended("0r")) == (A, B)
    assert RULES.pending_seats(play(suspended(), "1 resume").state) == (A,)
    assert RULES.pending_seats(duel("0r", "1p")) == ()
