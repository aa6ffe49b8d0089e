"""Actions and options from outside, as ``said.txt`` of each game says; all has bounds."""

import doctest
import json
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from games.engine.choices import bounds_of, clean_options, site_numbers
from games.engine.errors import BadField
from games.engine.structs import canonical, kind_of, plain, reader_of
from tests.forms import form
from tests.games.contract.kit import Tried
from tests.games.struct_strategies import well_formed
from tests.refusals import refuses


def refused_field(game: Tried, raw: Any) -> object:
    with pytest.raises(BadField) as refusal:
        reader_of(game.rules.Action).made_of(raw)
    assert refusal.value.code == "bad_field"
    return refusal.value.detail["field"]


@pytest.mark.plain
def test_contract_an_action_is_read_as_written_and_needs_all_of_its_fields(game: Tried) -> None:
    reader, kinds = reader_of(game.rules.Action), set()
    for (line,) in game.said("actions"):
        raw = json.loads(line)
        made = reader.made_of(raw)
        kinds.add(made.kind)
        assert (plain(made), reader.given(canonical(raw))) == (raw, made)
        assert refused_field(game, {**raw, "another": 2}) == "another"
        for name in raw:
            rest = {key: value for key, value in raw.items() if key != name}
            assert refused_field(game, rest) == name
    assert kinds == {kind_of(kind) for kind in get_args(game.rules.Action)}
    for line, field in game.said("no actions"):
        assert refused_field(game, json.loads(line)) == field, line
    for raw in (None, [], "call", 1, {}, {"kind": "sit"}, {"kind": None}, {"kind": []}, {1: 2}):
        assert refused_field(game, raw) in {"", "kind"}


@settings(max_examples=form(30, in_all=60, in_long=100), deadline=None)
@given(st.data())
def test_contract_every_action_comes_back_from_its_text(game: Tried, data: st.DataObject) -> None:
    action = data.draw(well_formed(game.rules.Action))
    raw = plain(action)
    if "\0" in "".join(map(str, raw.values())):
        assert refused_field(game, raw) == ""
    else:
        assert reader_of(game.rules.Action).made_of(raw) == action


def has_bounds(found: Any) -> bool:
    """Whether each number and text that a field can hold has bounds."""
    match found:
        case inspect.Metadata():
            return has_bounds(found.type)
        case inspect.UnionType():
            return all(map(has_bounds, found.types))
        case inspect.IntType():
            return None not in (found.ge, found.le)
        case inspect.StrType():
            return found.max_length is not None
    bounded = (inspect.BoolType, inspect.EnumType, inspect.LiteralType, inspect.NoneType)
    return isinstance(found, bounded)


def test_contract_every_number_and_text_from_outside_has_bounds(game: Tried) -> None:
    for kind in (*get_args(game.rules.Action), game.game.options):
        for field in inspect.type_info(kind).fields:  # type: ignore[attr-defined]
            assert has_bounds(field.type), field.name


@pytest.mark.plain
def test_contract_options_are_filled_in_and_one_out_of_range_is_refused(game: Tried) -> None:
    for raw in ({}, *(json.loads(line) for (line,) in game.said("options"))):
        options = clean_options(game.game.options, raw)
        assert raw.items() <= plain(options).items()
        assert clean_options(game.game.options, plain(options)) == options
    for name, default in plain(clean_options(game.game.options, {})).items():
        bounds = bounds_of(game.game.options, name)
        beyond = [bounds["least"] - 1, bounds["most"] + 1, True] if bounds else []
        beyond += [1, 0, None] if isinstance(default, bool) else []
        for value in (*beyond, "5", 5.0, [default], {}):
            with refuses("action/bad_option") as refusal:
                clean_options(game.game.options, {name: value})
            assert refusal.value.detail == {"option": name, **bounds}
    for line, option in game.said("no options"):
        with refuses("action/bad_option") as refusal:
            clean_options(game.game.options, json.loads(line))
        assert (refusal.value.code, refusal.value.detail["option"]) == ("action/bad_option", option)


def test_contract_every_number_of_a_game_is_behind_an_option_or_contest_term(game: Tried) -> None:
    terms = game.game.contest.settings.values() if game.game.contest else ()
    of_contests = {name for term in terms for name in (term.least, term.most)}
    numbers = {number.name for number in game.game.numbers} - of_contests
    assert set(site_numbers(game.game.options).values()) - numbers == set()
    if game.game.contest:
        assert numbers == set(site_numbers(game.game.options).values())


def test_contract_examples_in_docstrings_hold(game: Tried) -> None:
    package = import_module(game.package)
    for found in walk_packages(package.__path__, f"{game.package}."):
        if ".migrations" not in found.name:
            assert not doctest.testmod(import_module(found.name)).failed
