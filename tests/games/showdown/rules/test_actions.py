"""Actions and options on the wire: nothing is converted, nothing is ignored."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel.errors import BadField, BadOption
from games.showdown.rules.actions import ACTIONS
from games.showdown.rules.options import NUMBERS
from tests.games.showdown.rules.kit import RULES

EXAMPLES = [
    {"kind": "call"},
    {"kind": "raise_by", "amount": 3},
    {"kind": "fold"},
    {"kind": "attack", "weapon": "twin_blades", "target": 0},
    {"kind": "reset"},
    {"kind": "combine", "first": "rock", "second": "paper"},
    {"kind": "add", "weapon": "scissors"},
    {"kind": "mine", "target": 3},
    {"kind": "lock"},
    {"kind": "unlock"},
    {"kind": "leave"},
]


def field_refused(raw: Any) -> object:
    with pytest.raises(BadField) as refusal:
        RULES.decode_action(raw)
    assert refusal.value.code == "bad_field"
    return refusal.value.detail["field"]


def test_every_kind_of_action_has_an_example() -> None:
    assert [example["kind"] for example in EXAMPLES] == list(ACTIONS)


@pytest.mark.parametrize("raw", EXAMPLES)
def test_an_action_comes_back_from_the_wire(raw: dict[str, Any]) -> None:
    assert RULES.encode_action(RULES.decode_action(raw)) == raw


@pytest.mark.parametrize("raw", EXAMPLES)
def test_unknown_and_missing_keys_are_bad_fields(raw: dict[str, Any]) -> None:
    assert field_refused({**raw, "seat": 2}) == "seat"
    for name in raw:
        assert field_refused({key: value for key, value in raw.items() if key != name}) == name


@pytest.mark.parametrize(
    "amount", [0, -50, True, 1.0, "5", None, 9007199254740993, 10**30, [1], 10**9 + 1]
)
def test_an_amount_is_a_whole_number_of_points(amount: object) -> None:
    assert field_refused({"kind": "raise_by", "amount": amount}) == "amount"


@pytest.mark.parametrize("target", [-1, True, 1.0, "1", None, 10**30])
def test_a_target_is_a_seat_number(target: object) -> None:
    assert field_refused({"kind": "mine", "target": target}) == "target"


@pytest.mark.parametrize("weapon", ["Rock", "r", "none", "landmine", "", None, 1, ["rock"], "ROCK"])
def test_a_weapon_is_named_exactly(weapon: object) -> None:
    assert field_refused({"kind": "attack", "weapon": weapon, "target": 1}) == "weapon"


@pytest.mark.parametrize("weapon", ["boulder", "mask"])
def test_only_basic_weapons_are_added_and_combined(weapon: str) -> None:
    assert field_refused({"kind": "add", "weapon": weapon}) == "weapon"
    assert field_refused({"kind": "combine", "first": "rock", "second": weapon}) == "second"


@pytest.mark.parametrize("raw", [None, [], "call", 1, {}, {"kind": "sit"}, {"kind": None}, {1: 2}])
def test_what_is_no_action_is_a_bad_field(raw: object) -> None:
    assert field_refused(raw) in {"action", "kind"}


def test_options_are_filled_in_and_stay_as_they_are() -> None:
    options = RULES.clean_options({"ante": 2})
    assert (options["ante"], options["target"], options["largest_purse"]) == (2, 5, 100)
    assert options["previous_dealer"] is None
    assert RULES.clean_options(options) == options


@pytest.mark.parametrize("name", NUMBERS)
def test_an_option_out_of_range_or_of_another_type_is_refused(name: str) -> None:
    limits = NUMBERS[name]
    wrong: list[object] = [limits.least - 1, limits.most + 1, True, "5", None, 5.0]
    for value in wrong:
        with pytest.raises(BadOption) as refusal:
            RULES.clean_options({name: value})
        assert refusal.value.detail["option"] == name
    for value in (limits.least, limits.most):
        cleaned = RULES.clean_options({"largest_purse": 100_000, "ante": 1, name: value})
        assert cleaned[name] == value


@pytest.mark.parametrize(
    ("raw", "option"),
    [
        ({"colour": 1}, "colour"),
        ({"listed": 1}, "listed"),
        ({"spectators": None}, "spectators"),
        ({"previous_dealer": 4}, "previous_dealer"),
        ({"previous_dealer": True}, "previous_dealer"),
        ({"ante": 10, "largest_purse": 9}, "largest_purse"),
    ],
)
def test_wrong_options_are_named(raw: dict[str, Any], option: str) -> None:
    with pytest.raises(BadOption) as refusal:
        RULES.clean_options(raw)
    assert refusal.value.code == "action/bad_option"
    assert refusal.value.detail["option"] == option
