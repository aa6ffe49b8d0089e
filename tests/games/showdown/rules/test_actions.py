"""Actions and options on the wire: nothing is converted, nothing is ignored."""

from typing import Any

import msgspec
import pytest

from games.engine.choices import bounds_of, chosen_options, clean_options, site_numbers
from games.engine.errors import BadField, BadOption
from games.engine.structs import canonical, kind_of, plain
from games.showdown.rules.options import Options, fill_options
from games.showdown.testing import ACTIONS
from tests.games.showdown.rules.kit import KINDS

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
        ACTIONS.made_of(raw)
    assert refusal.value.code == "bad_field"
    return refusal.value.detail["field"]


def test_every_kind_of_action_has_an_example() -> None:
    assert [example["kind"] for example in EXAMPLES] == list(KINDS)


@pytest.mark.parametrize("raw", EXAMPLES)
def test_an_action_comes_back_from_the_wire(raw: dict[str, Any]) -> None:
    made = ACTIONS.made_of(raw)
    assert made.kind == raw["kind"]
    assert plain(made) == raw
    assert ACTIONS.given(canonical(raw)) == made


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
    assert field_refused(raw) in {"", "kind"}


@pytest.mark.parametrize("kind", [*KINDS.values(), Options])
def test_every_number_from_outside_has_bounds(kind: type[msgspec.Struct]) -> None:
    for field in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]
        for whole in whole_numbers(field.type):
            assert whole.ge is not None, field.name
            assert whole.le is not None, field.name


def whole_numbers(found: Any) -> list[msgspec.inspect.IntType]:
    """Return the whole numbers that a field can hold."""
    if isinstance(found, msgspec.inspect.Metadata):
        return whole_numbers(found.type)
    if isinstance(found, msgspec.inspect.UnionType):
        return [whole for kind in found.types for whole in whole_numbers(kind)]
    if isinstance(found, msgspec.inspect.IntType):
        return [found]
    # Nothing else that could hold a number: what is new must be added above.
    assert isinstance(
        found,
        msgspec.inspect.BoolType | msgspec.inspect.EnumType | msgspec.inspect.NoneType,
    )
    return []


def test_the_search_for_numbers_finds_those_there_are() -> None:
    found = {
        (kind_of(kind), field.name)
        for kind in KINDS.values()
        for field in msgspec.inspect.type_info(kind).fields  # type: ignore[attr-defined]
        if whole_numbers(field.type)
    }
    assert found == {("raise_by", "amount"), ("attack", "target"), ("mine", "target")}


#: The numbers of the options, as the rule book has them: name -> default, least, most.
NUMBERS = {
    "seats": (4, 2, 4),
    "ante": (5, 1, 1000),
    "target": (5, 3, 15),
    "betting_clock": (20, 5, 120),
    "round_clock": (30, 5, 120),
    "clock_times": (1, 1, 10),
    "largest_purse": (100, 1, 100_000),
    "tax_bp": (500, 0, 10_000),
    "win_bonus": (1, 0, 1000),
    "loser_bonus": (0, 0, 1000),
    "full_raises": (4, 0, 100),
    "dealt_percent": (60, 0, 1000),
    "dealt_least": (3, 1, 100),
}


def test_options_are_filled_in_and_stay_as_they_are() -> None:
    options = clean_options(Options, {"ante": 2})
    assert (options.ante, options.target, options.largest_purse) == (2, 5, 100)
    assert options.previous_dealer is None
    assert clean_options(Options, plain(options)) == options
    others = {"listed": True, "spectators": True, "previous_dealer": None}
    assert plain(Options()) == {**{name: n[0] for name, n in NUMBERS.items()}, **others}


@pytest.mark.parametrize("name", NUMBERS)
def test_an_option_out_of_range_or_of_another_type_is_refused(name: str) -> None:
    _, least, most = NUMBERS[name]
    assert bounds_of(Options, name) == {"least": least, "most": most}
    wrong: list[object] = [least - 1, most + 1, True, "5", None, 5.0]
    for value in wrong:
        with pytest.raises(BadOption) as refusal:
            clean_options(Options, {name: value})
        assert refusal.value.detail == {"option": name, "least": least, "most": most}
    for value in (least, most):
        cleaned = clean_options(Options, {"largest_purse": 100_000, "ante": 1, name: value})
        assert getattr(cleaned, name) == value


def test_who_chooses_which_option() -> None:
    assert chosen_options(Options) == {
        "seats", "ante", "target", "betting_clock", "round_clock", "largest_purse", "listed",
        "spectators",
    }  # fmt: skip
    renamed = {"ante": "ante_default", "clock_times": "bot_clock_times"}
    behind = set(NUMBERS) - {"seats"}
    assert site_numbers(Options) == {n: f"showdown.{renamed.get(n, n)}" for n in behind}


@pytest.mark.parametrize(
    ("site", "chosen", "largest"),
    [
        ({"ante": 1, "largest_purse": 100}, {"ante": 500}, 500),
        ({"ante": 1, "largest_purse": 100}, {"ante": 50}, 100),
        ({"ante": 1, "largest_purse": 100}, {"ante": 10, "largest_purse": 9}, 9),
        ({"ante": 7, "largest_purse": 3}, {}, 7),
        ({}, {"ante": 300}, 300),
        ({}, {}, 100),
        ({"largest_purse": 100}, {"ante": "500"}, 100),
    ],
)
def test_a_largest_purse_that_nobody_chose_gives_way_to_the_ante(
    site: dict[str, Any], chosen: dict[str, Any], largest: int
) -> None:
    filled = fill_options({**site, **chosen}, chosen)
    assert filled == {**site, **chosen, "largest_purse": largest}


@pytest.mark.parametrize(
    ("raw", "option"),
    [
        ({"colour": 1}, "colour"),
        ({"listed": 1}, "listed"),
        ({"spectators": None}, "spectators"),
        ({"previous_dealer": 4}, "previous_dealer"),
        ({"previous_dealer": -1}, "previous_dealer"),
        ({"previous_dealer": True}, "previous_dealer"),
        ({"ante": 10, "largest_purse": 9}, "largest_purse"),
    ],
)
def test_wrong_options_are_named(raw: dict[str, Any], option: str) -> None:
    with pytest.raises(BadOption) as refusal:
        clean_options(Options, raw)
    assert refusal.value.code == "action/bad_option"
    assert refusal.value.detail == {"option": option}
