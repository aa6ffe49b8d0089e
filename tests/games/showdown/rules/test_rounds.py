"""Rounds, by rule.  Source: docs/rules/showdown.md, "A round", "Battles and scores"."""

import pytest

from games.engine.facts import Instant
from games.engine.structs import replace
from games.showdown.rules.state import TableState
from games.showdown.rules.weapons import EMPTY_STOCK
from tests.games.showdown.rules.kit import (
    NOON,
    RULES,
    code,
    events,
    first_round,
    kinds,
    only,
    play,
    refused,
    seat,
    stock,
    view,
)


def with_stocks(state: TableState, *stocks: tuple[int, ...]) -> TableState:
    """Give the seats these numbers of rock, paper and scissors, and nothing else."""
    seats = tuple(
        replace(s, stock=(*counts, *EMPTY_STOCK[3:]))
        for s, counts in zip(state.seats, stocks, strict=True)
    )
    return replace(state, seats=seats)


def test_showdown_round_ends_with_its_clock_or_when_all_have_locked() -> None:
    state = first_round(3)
    assert state.due_at == NOON + 30_000
    assert "round_resolved" in kinds(play(state, "deadline"))
    locked = play(state, "0 lock", "2 lock").state
    assert [s["locked"] for s in view(locked)["seats"]] == [True, False, True]
    assert RULES.pending_seats(locked) == (1,)
    step = play(locked, "1 lock", at=Instant(NOON + 500))
    assert kinds(step) == ["locked", "round_resolved", "mine_exploded", "round_started"]
    assert step.state.due_at == NOON + 30_500


def test_showdown_attack_sets_the_weapon_aside_until_the_round_ends() -> None:
    state = with_stocks(first_round(3), (1, 1, 0), (3, 3, 3), (3, 3, 3))
    chosen = play(state, "0 attack rock 1").state
    assert view(chosen, 0)["you"]["stock"]["rock"] == 0
    for line in ("0 attack rock 2", "0 combine rock paper"):
        assert code(chosen, line) == "action/not_in_stock"
    assert stock(play(chosen, "deadline").state, 0) == {"paper": 1}
    # A new choice takes the old weapon back.
    step = play(state, "0 attack rock 1", "0 attack rock 1", "0 attack paper 1")
    you = view(step.state, 0)["you"]
    assert (you["attacks"], you["stock"]["rock"]) == ({"1": "paper"}, 1)
    assert all(event.audience == {0} for event in step.events)
    # Taking all attacks back leaves combined weapons.
    lines = ("0 combine rock rock", "0 attack boulder 1", "0 attack paper 2", "0 reset")
    state = play(first_round(3), *lines).state
    you = view(state, 0)["you"]
    assert (you["attacks"], you["stock"]["boulder"]) == ({}, 1)
    assert code(state, "0 reset") == "action/nothing_to_reset"


@pytest.mark.parametrize(
    "line",
    ["rock rock boulder", "paper paper wall", "scissors scissors twin_blades",
     "paper rock sling", "scissors paper mask", "rock scissors shuriken"],
)  # fmt: skip
def test_showdown_combining_spends_two_free_weapons_and_makes_one(line: str) -> None:
    first, second, made = line.split()
    state = with_stocks(first_round(2), (2, 2, 2), (3, 3, 3))
    step = play(state, f"0 combine {first} {second}")
    told = {"seat": 0, "first": first, "second": second, "made": made}
    assert (only(step, "weapons_combined"), sum(stock(step.state, 0).values())) == (told, 5)
    assert stock(step.state, 0)[made] == 1
    assert made not in stock(play(step.state, "deadline").state, 0)
    poor = with_stocks(first_round(2), (1, 0, 0), (3, 3, 3))
    assert code(poor, f"0 combine {first} {second}") == "action/not_in_stock"


def test_showdown_while_locked_only_unlocking_and_leaving_are_open() -> None:
    state = play(first_round(2), "0 attack rock 1", "0 lock").state
    for act in ("attack paper 1", "reset", "combine rock rock", "add rock", "mine 1", "lock"):
        assert code(state, f"0 {act}") == "action/locked"
    assert code(state, "1 unlock") == "action/not_locked"
    play(state, "0 unlock", "0 attack paper 1")
    play(state, "0 leave")
    for act in ("call", "raise_by 1", "fold"):  # the betting is closed
        assert code(first_round(2), f"0 {act}") == "action/not_in_phase"


@pytest.mark.parametrize("line", ["0 attack rock {}", "0 mine {}"])
@pytest.mark.parametrize("target", [0, 2, 3, 99])
def test_showdown_a_target_is_an_opponent_who_is_still_in(line: str, target: int) -> None:
    state = play(first_round(3), "2 leave", "deadline").state
    refusal = refused(state, line.format(target))
    assert (refusal.code, refusal.detail) == ("action/bad_target", {"target": target})


def test_showdown_an_empty_stock_counts_as_locked_unless_something_is_added() -> None:
    state = with_stocks(first_round(3), (0, 0, 0), (3, 3, 3), (3, 3, 3))
    assert RULES.pending_seats(state) == (1, 2)
    assert not view(state)["seats"][0]["locked"]  # it would tell the stock
    assert "round_resolved" in kinds(play(state, "1 lock", "2 lock"))
    waiting = play(state, "0 add rock", "1 lock", "2 lock")
    assert "round_resolved" not in kinds(waiting)
    assert RULES.pending_seats(waiting.state) == (0,)
    # The last weapon, once chosen, does not count as an empty stock.
    state = with_stocks(first_round(2), (1, 0, 0), (3, 3, 3))
    assert RULES.pending_seats(play(state, "0 attack rock 1", "1 lock").state) == (0,)
    state = with_stocks(first_round(2, target=5), (1, 0, 0), (0, 0, 1))
    step = play(state, "0 attack rock 1", "1 attack scissors 0", "0 lock", "1 lock")
    assert RULES.is_over(step.state)
    assert step.state.round <= 2 * 4 + 1
    assert max(s.points for s in step.state.seats) >= 5


def test_showdown_each_pair_fights_once_and_the_score_goes_to_one_alone_ahead() -> None:
    state = first_round(3)
    step = play(state, "0 attack rock 1", "0 attack rock 2", "1 attack scissors 0", "deadline")
    resolved = only(step, "round_resolved")
    battles = [(b["a"], b["b"], b["winner"]) for b in resolved["battles"]]
    assert battles == [(0, 1, 0), (0, 2, 0), (1, 2, None)]
    assert (resolved["wins"], resolved["points"]) == ({"0": 2, "1": 0, "2": 0}, {"0": 2})
    assert view(step.state)["last_round"]["mine"] is None
    assert [s["fresh"] for s in view(step.state)["seats"]] == [True, False, False]
    # Several who share the most get one each.
    step = play(state, "0 attack rock 2", "1 attack rock 2", "deadline")
    assert only(step, "round_resolved")["points"] == {"0": 1, "1": 1}
    assert not events(step, "mine_exploded")


def test_showdown_round_tie_sets_off_a_mine() -> None:
    step = play(first_round(4), "deadline")
    exploded = only(step, "mine_exploded")
    assert exploded["count"] == 0
    others = {str(no): 1 for no in range(4) if no != exploded["seat"]}
    assert only(step, "round_resolved")["points"] == others
    state = play(first_round(3), "0 mine 1", "2 mine 1", "0 mine 2").state
    step = play(state, "deadline")
    assert only(step, "mine_exploded") == {"round": 1, "seat": 1, "count": 2}
    assert only(step, "round_resolved")["points"] == {"0": 1, "2": 1}
    assert seat(step.state, 0).mines == ((2, 1),)  # those under seat 1 are used up
    assert seat(step.state, 2).mines == ()
    assert only(play(step.state, "0 lock", "1 lock", "2 lock"), "mine_exploded")["seat"] == 2


def test_showdown_equally_many_mines_draw_one_of_them_and_one_stays_until_there_is_a_tie() -> None:
    fallen = set()
    for n in range(40):
        state = replace(first_round(3), seed=f"{n:064x}")
        step = play(state, "0 mine 1", "0 mine 2", "deadline")
        exploded = only(step, "mine_exploded")
        assert (exploded["count"], len(seat(step.state, 0).mines)) == (1, 1)
        fallen.add(exploded["seat"])
    assert fallen == {1, 2}
    state = play(first_round(2), "0 mine 1", "0 attack rock 1", "deadline").state
    assert view(state, 0)["you"]["mines"] == {"1": 1}
    assert view(state)["last_round"]["mine"] is None


def test_showdown_the_game_ends_after_a_round_in_which_the_target_is_reached() -> None:
    step = play(first_round(2, target=3), *("0 attack rock 1", "1 lock", "deadline") * 2)
    state = step.state
    assert only(step, "game_ended") == {"winners": [0], "reason": "target"}
    assert (RULES.deadline(state), RULES.pending_seats(state)) == (None, ())
    assert code(state, "0 lock") == "action/not_in_phase"
    # Two who reach it together both win.
    lines = ("0 attack rock 2", "1 attack rock 2", "2 lock", "deadline")
    assert only(play(first_round(3, target=3), *lines * 3), "game_ended")["winners"] == [0, 1]


def test_showdown_a_postponed_clock_keeps_the_later_end() -> None:
    state = first_round(2)
    step = RULES.postpone(state, Instant(NOON + 90_000))
    assert step.state.due_at == NOON + 90_000
    assert only(step, "clock_postponed") == {"due_at": NOON + 90_000}
    assert RULES.postpone(state, NOON).state.due_at == NOON + 30_000


def test_showdown_one_attack_makes_what_is_missing_and_may_be_against_everyone() -> None:
    state = with_stocks(first_round(3), (2, 2, 0), (3, 3, 3), (3, 3, 3))
    step = play(state, "0 attack sling 1 make")
    assert kinds(step) == ["weapons_combined", "attack_chosen"]
    assert all(event.audience == {0} for event in step.events)
    assert stock(step.state, 0) == {"rock": 1, "paper": 1, "sling": 1}
    # Of what is free, or would be free again, nothing is made.
    assert kinds(play(step.state, "0 attack sling 1 make")) == ["attack_chosen"]
    both = play(step.state, "0 attack sling 2 make everyone")
    assert kinds(both) == ["attack_chosen", "weapons_combined", "attack_chosen"]
    assert view(both.state, 0)["you"]["attacks"] == {"1": "sling", "2": "sling"}
    changed = play(both.state, "0 attack sling 2", "0 reset", "0 attack sling 1 everyone").state
    assert changed.seats[0].attacks == both.state.seats[0].attacks


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0 attack sling 1", "action/not_in_stock"),
        ("0 attack sling 2 make everyone", "action/not_in_stock"),  # one would be made
        ("0 attack rock 1 everyone", "action/not_in_stock"),
        ("0 attack rock 1 make everyone", "action/not_in_stock"),
        ("0 attack boulder 1 make", "action/not_in_stock"),
        ("0 attack paper 0 everyone", "action/bad_target"),
    ],
)
def test_showdown_attack_that_is_not_possible_wholly_changes_nothing(
    line: str, expected: str
) -> None:
    assert code(with_stocks(first_round(3), (1, 2, 0), (3,) * 3, (3,) * 3), line) == expected
