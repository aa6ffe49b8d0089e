"""Properties of every game of Showdown, for random actions.

SHOWDOWN_GAMES sets how many random games are played whole (80; 160 in ./run test --all, 10,000 in
--long).
"""

import json
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.facts import Instant, Points, SeatNo, Told
from games.engine.pots import Pot
from games.engine.structs import canonical
from games.showdown.rules.actions import (
    Add,
    Attack,
    Call,
    Combine,
    Fold,
    Leave,
    Lock,
    Mine,
    RaiseBy,
    Reset,
    ShowdownAction,
    Unlock,
)
from games.showdown.rules.facts import PotsFormed
from games.showdown.rules.state import Reason, TableState
from games.showdown.rules.weapons import ALL, BasicWeapon
from games.showdown.testing import FACTS, STATES, play_random, random_game, violations
from games.testing.random_play import play_many
from games.testing.trials import replay, steps
from tests.forms import form
from tests.games.judging import is_accepted
from tests.games.recorded import run_with_hash_seed
from tests.games.showdown.rules.kit import (
    NOON,
    RULES,
    action,
    first_round,
    new_game,
    play,
    seat,
    view,
)

ROOT = Path(__file__).parents[4]
USUAL_GAMES = form(80, in_all=160, in_long=10_000)
GAMES = int(os.environ.get("SHOWDOWN_GAMES", USUAL_GAMES))

#: Everything anybody could ask for, except larger raises.
UNIVERSE: list[ShowdownAction] = [
    *(kind() for kind in (Call, Fold, Reset, Lock, Unlock, Leave)),
    *(RaiseBy(amount) for amount in range(1, 70)),
    *(Attack(weapon, target) for weapon, target in product(ALL, range(5))),
    *(Combine(first, second) for first, second in product(BasicWeapon, repeat=2)),
    *(Add(weapon) for weapon in BasicWeapon),
    *(Mine(target) for target in range(5)),
]


def test_showdown_random_games_end_conserve_points_and_replay_to_the_same_bytes() -> None:
    summary = play_many("showdown", random_game, GAMES, "properties")
    assert summary["violations"] == []
    assert summary["ended"] == GAMES
    assert set(summary["reasons"]) >= {"target", "folds", "last_left"}


@settings(max_examples=form(15, in_all=30, in_long=50), deadline=None)
@given(st.text(max_size=20))
def test_showdown_any_game_keeps_its_promises(seed: str) -> None:
    assert violations(play_random(seed)) == []


def test_showdown_the_trial_notices_what_is_wrong() -> None:
    played = next(p for p in map(play_random, map(str, range(99))) if lost_something(p.state))
    kept = played.events
    played.events = [event for event in kept if event.kind != "pot_awarded"]
    assert any("escrow" in violation for violation in violations(played))
    played.events = kept
    played.inputs.pop()
    assert any("replay" in violation for violation in violations(played))


def test_showdown_the_trial_notices_what_its_text_does_not_give_back() -> None:
    played = play_random("odd")
    formed = Told(PotsFormed([Pot(Points(1), (SeatNo(0),))]))  # type: ignore[arg-type]
    played.events.append(formed)
    assert violations(played) == ["pots_formed is another one in its text"]


def test_showdown_a_random_game_in_figures() -> None:
    played, figures = play_random("figures"), random_game("figures")
    assert played.state.result is not None
    assert (figures.inputs, figures.rounds) == (len(played.inputs), played.state.round)
    assert figures.reason == played.state.result.reason.value
    assert figures.violations == []


def lost_something(state: TableState) -> bool:
    return state.result is not None and state.result.reason != Reason.VOID


@pytest.mark.parametrize("game", range(8))
def test_showdown_exactly_the_legal_actions_are_accepted(game: int) -> None:
    for before, _, _ in steps(RULES, play_random(f"universe/{game}")):
        text = canonical(before)
        at = Instant((before.due_at or 0) - 1)
        for seat_no in map(SeatNo, range(5)):
            accepted = [a for a in UNIVERSE if is_accepted(RULES, before, seat_no, a, at)]
            legal = RULES.legal_actions(before, seat_no)
            assert plain(accepted) == plain(legal)
            assert raises(accepted) == raise_range(before, seat_no)
            assert set(raises(legal)) <= set(raises(accepted))
        assert canonical(before) == text


def plain(actions: object) -> set[object]:
    return {a for a in actions if not isinstance(a, RaiseBy)}  # type: ignore[attr-defined]


def raises(actions: object) -> list[int]:
    return [a.amount for a in actions if isinstance(a, RaiseBy)]  # type: ignore[attr-defined]


def raise_range(state: TableState, no: SeatNo) -> list[int]:
    """Return the amounts that the seat's own view promises."""
    you = view(state, no)["you"]
    if you is None or you["raise_min"] is None:
        return []
    return list(range(you["raise_min"], you["raise_max"] + 1))


def test_showdown_all_raises_are_listed_up_to_forty_then_a_few_between() -> None:
    few = RULES.legal_actions(new_game(41, 50).state, SeatNo(0))
    assert raises(few) == list(range(1, 41))
    many = raises(RULES.legal_actions(new_game(1001, 2000).state, SeatNo(0)))
    assert (many[0], many[-1]) == (1, 1000)
    assert 4 < len(many) < 10
    assert many == sorted(set(many))


def test_showdown_every_state_round_trips_through_its_text() -> None:
    for n in range(15):
        for _, _, step in steps(RULES, play_random(f"text/{n}")):
            text = canonical(step.state)
            assert shape(STATES.stored(text)) == shape(step.state)
            assert canonical(STATES.stored(text)) == text


def shape(value: Any) -> Any:
    """Return a value with the types of all its parts, so that 1 is not True and a list no tuple."""
    if isinstance(value, tuple):
        return (tuple, *map(shape, value))
    if isinstance(value, msgspec.Struct):
        return (type(value), *map(shape, msgspec.structs.astuple(value)))
    return type(value), value


def test_showdown_every_fact_round_trips_through_its_text() -> None:
    for n in range(15):
        for told in play_random(f"facts/{n}").events:
            assert FACTS.stored(canonical(told.fact)) == told.fact
            assert json.loads(canonical(told.fact)) == {"kind": told.kind, **told.data}


@pytest.mark.parametrize("text", ["{}", "[]", "1", "x", '"x"', '{"seed":"0"}', ""])
def test_showdown_what_is_no_state_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"missing|Expected|malformed|truncated"):
        STATES.stored(text)


def test_showdown_a_state_with_another_field_is_no_state() -> None:
    raw = json.loads(canonical(first_round(2)))
    with pytest.raises(ValueError, match="unknown field"):
        STATES.stored(canonical({**raw, "schema": 1}))


CHOICES = {
    0: ["0 attack rock 1", "0 combine rock paper", "0 attack sling 2", "0 mine 1", "0 lock"],
    1: ["1 add rock", "1 attack scissors 0", "1 attack paper 2", "1 reset", "1 mine 2"],
    2: ["2 mine 1", "2 attack scissors 0", "2 leave"],
}


@settings(max_examples=60, deadline=None)
@given(st.permutations([0] * 5 + [1] * 5 + [2] * 3))
def test_showdown_a_round_does_not_depend_on_the_order_of_arrival(order: list[int]) -> None:
    waiting: dict[int, Iterator[str]] = {no: iter(lines) for no, lines in CHOICES.items()}
    arrived = [next(waiting[no]) for no in order]
    apart = [line for lines in CHOICES.values() for line in lines]
    state = first_round(3)
    assert canonical(play(state, *arrived, "deadline").state) == canonical(
        play(state, *apart, "deadline").state
    )


@given(st.permutations([0, 1, 2, 3]))
def test_showdown_who_locks_last_does_not_matter(order: list[int]) -> None:
    chosen = play(first_round(4), "0 attack rock 1", "2 attack paper 3", "3 mine 0").state
    step = play(chosen, *[f"{no} lock" for no in order])
    expected = play(chosen, "0 lock", "1 lock", "2 lock", "3 lock")
    assert step.state == expected.state


def test_showdown_replay_gives_the_same_bytes_under_two_hash_seeds() -> None:
    program = (
        "import hashlib\n"
        "from games.testing.trials import replay\n"
        "from games.showdown.rules.engine import Showdown\n"
        "from games.showdown.testing import play_random\n"
        "texts = [replay(Showdown(), play_random(f'hash/{n}')) for n in range(12)]\n"
        "print(hashlib.sha256('\\n'.join(texts).encode()).hexdigest())\n"
    )
    found = {run_with_hash_seed(program, hash_seed) for hash_seed in ("1", "4242")}
    assert len(found) == 1
    assert len(found.pop()) == 64


def test_showdown_a_used_state_is_left_as_it_was() -> None:
    state = first_round(3)
    text = canonical(state)
    RULES.apply(state, SeatNo(0), action("mine 1"), NOON)
    RULES.void(state)
    RULES.postpone(state, NOON)
    assert canonical(state) == text
    assert seat(state, 0).mines == ()


def test_showdown_replay_of_a_prefix_gives_each_state_in_between() -> None:
    played = play_random("prefix")
    texts = [canonical(step.state) for _, _, step in steps(RULES, played)]
    while played.inputs:
        assert replay(RULES, played) == texts[len(played.inputs) - 1]
        played.inputs.pop()
