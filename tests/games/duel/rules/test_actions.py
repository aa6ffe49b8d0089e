"""Hands by their first letter, actions on the wire, options and their ranges.

Source: docs/rules/duel.md "Naming a hand", "Options".
"""

import doctest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.duel.rules import hands
from games.duel.rules.actions import ACTIONS
from games.duel.rules.hands import BadHand, hand_named
from games.duel.rules.options import QUICK, Options
from games.engine.choices import chosen_options, clean_options, site_numbers
from games.engine.errors import BadField, BadOption
from games.engine.facts import SeatNo, SeatSetup
from games.engine.structs import plain
from tests.games.duel.rules.kit import ACTIONS as READER
from tests.games.duel.rules.kit import NOON, RULES


@pytest.mark.parametrize(
    ("text", "hand"),
    [
        ("r", "rock"),
        ("Rock", "rock"),
        ("P", "paper"),
        ("paper plane", "paper"),
        ("s", "scissors"),
        ("SPOCK", "scissors"),
        ("r\x00", "rock"),
    ],
)
def test_duel_a_hand_is_known_by_its_first_letter(text: str, hand: str) -> None:
    assert hand_named(text).value == hand


@given(st.text())
def test_duel_any_other_text_is_no_hand(text: str) -> None:
    if text[:1] in tuple("rpsRPS"):
        assert hand_named(text).value[0] == text[0].lower()
        return
    with pytest.raises(BadHand) as refusal:
        hand_named(text)
    assert refusal.value.code == "action/bad_hand"


@pytest.mark.parametrize("text", ["", " rock", "lizard", "\u017f", "\uff52", "1"])
def test_duel_looking_alike_is_not_enough(text: str) -> None:
    with pytest.raises(BadHand):
        hand_named(text)


def test_duel_examples_in_docstrings_hold() -> None:
    assert doctest.testmod(hands) == (0, 1)


def test_duel_actions_come_back_from_the_wire() -> None:
    for kind in ACTIONS:
        fields = [{"hand": h} for h in ("rock", "paper", "scissors")] if kind == "throw" else [{}]
        for rest in fields:
            raw = {"kind": kind, **rest}
            assert plain(READER.made_of(raw)) == raw


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({}, "kind"),
        ({"kind": None}, "kind"),
        ({"kind": ["throw"]}, "kind"),
        ({"kind": "Throw"}, "kind"),
        ({"kind": "choose_hand", "hand": "rock"}, "kind"),
        ({"kind": "throw"}, "hand"),
        ({"kind": "throw", "hand": "r"}, "hand"),
        ({"kind": "throw", "hand": "Rock"}, "hand"),
        ({"kind": "throw", "hand": "rock "}, "hand"),
        ({"kind": "throw", "hand": ["rock"]}, "hand"),
        ({"kind": "throw", "hand": None}, "hand"),
        ({"kind": "throw", "hand": "rock", "seat": 1}, "seat"),
        ({"kind": "resign", "hand": "rock"}, "hand"),
        ({"kind": "suspend", "x": 1}, "x"),
    ],
)
def test_duel_anything_else_is_a_bad_field(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(BadField) as refusal:
        READER.made_of(raw)
    assert refusal.value.detail == {"field": field}


def test_duel_defaults() -> None:
    assert plain(clean_options(Options, {})) == {
        "seats": 2,
        "no_ties": False,
        "best_of": 1,
        "clock_seconds": 30,
        "clock_times": 1,
        "stake": 0,
        "rated": False,
        "listed": True,
        "spectators": True,
        "largest_stake": 100,
        "tax_bp": 500,
        "void_limit": 3,
        "uncounted_limit": 20,
        "suspension_days": 7,
    }
    seven = clean_options(Options, {"stake": 7})
    assert clean_options(Options, plain(seven)) == seven


def test_duel_people_do_not_choose_the_sites_numbers() -> None:
    assert chosen_options(Options) == {
        *("no_ties", "best_of", "clock_seconds", "stake", "rated", "listed", "spectators"),
    }
    assert site_numbers(Options) == {
        "clock_seconds": "duel.clock",
        "clock_times": "duel.bot_clock_times",
        "largest_stake": "duel.largest_stake",
        "tax_bp": "duel.tax_bp",
        "uncounted_limit": "duel.uncounted_limit",
        "suspension_days": "duel.suspension_days",
    }


@pytest.mark.parametrize(
    ("raw", "option"),
    [
        ({"best_of": 0}, "best_of"),
        ({"best_of": -1}, "best_of"),
        ({"best_of": 2}, "best_of"),
        ({"best_of": 98}, "best_of"),
        ({"best_of": 101}, "best_of"),
        ({"best_of": 1.0}, "best_of"),
        ({"best_of": True}, "best_of"),
        ({"best_of": "3"}, "best_of"),
        ({"no_ties": 1}, "no_ties"),
        ({"no_ties": None}, "no_ties"),
        ({"clock_seconds": 4}, "clock_seconds"),
        ({"clock_seconds": 86_401}, "clock_seconds"),
        ({"stake": -1}, "stake"),
        ({"stake": 101}, "stake"),
        ({"stake": 11, "largest_stake": 10}, "stake"),
        ({"largest_stake": 0}, "largest_stake"),
        ({"tax_bp": 10_001}, "tax_bp"),
        ({"seats": 3}, "seats"),
        ({"seats": 1}, "seats"),
        ({"rated": True, "stake": 1}, "rated"),
        ({"ante": 1}, "ante"),
    ],
)
def test_duel_options_out_of_range_are_refused_by_name(raw: dict[str, Any], option: str) -> None:
    with pytest.raises(BadOption) as refusal:
        clean_options(Options, raw)
    assert refusal.value.detail["option"] == option


@pytest.mark.parametrize(
    "raw", [{"best_of": 99}, {"clock_seconds": 5}, {"clock_seconds": 86_400}, {"stake": 100}]
)
def test_duel_options_at_their_bounds_are_taken(raw: dict[str, Any]) -> None:
    assert raw.items() <= plain(clean_options(Options, raw)).items()


def test_duel_a_quick_duel() -> None:
    options = clean_options(Options, QUICK)
    assert (options.best_of, options.no_ties) == (5, True)
    assert (options.stake, options.rated) == (0, True)
    assert options.clock_seconds == 30


@pytest.mark.parametrize("stake", [0, 40])
def test_duel_one_sits_down_with_the_stake(stake: int) -> None:
    assert RULES.purse_limits(clean_options(Options, {"stake": stake})) == (stake, stake)


@pytest.mark.parametrize(
    "seats", [[], [(0, 5)], [(0, 5), (0, 5)], [(0, 5), (2, 5)], [(0, 5), (1, 4)], [(0, 6), (1, 5)]]
)
def test_duel_other_seats_or_purses_cannot_play(seats: list[tuple[int, int]]) -> None:
    setups = [SeatSetup(SeatNo(no), purse) for no, purse in seats]  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"duel|purse"):
        RULES.setup(clean_options(Options, {"stake": 5}), setups, "s", NOON)


def test_duel_the_next_game_keeps_the_configuration() -> None:
    options = clean_options(Options, {"best_of": 7})
    seats = [SeatSetup(SeatNo(no)) for no in (1, 0)]
    assert RULES.carry_over(RULES.setup(options, seats, "s", NOON).state) == {}
