from importlib import import_module
from typing import get_args

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template
from django.utils.module_loading import import_string

from economy.parts import given
from games import registry
from games.contract import Address, TableGame
from games.engine.choices import bounds_of, chosen_options, clean_options, site_numbers
from games.engine.structs import kind_of, reader_of
from games.engine.table.actions import PERSON_KINDS
from games.engine.table.facts import TableFact

TABLE_SLUGS = [game.slug for game in registry.tables()]


@pytest.mark.plain
@pytest.mark.parametrize("slug", registry.slugs())
def test_registry_what_a_game_names_and_says_is_there(slug: str) -> None:
    """A sentence for each fact, or a reason for none; one meaning for each command."""
    game = registry.get(slug)
    if isinstance(game, TableGame):
        facts = get_args(game.newest.Fact | TableFact)
        assert {kind_of(fact) for fact in facts} <= game.speech.sentences.keys()
    assert all(number.name.startswith(f"{slug}.") for number in game.numbers)
    names = [name for entry in game.typing.commands for name in entry.names]
    assert len(names) == len(set(names))
    assert {"help", "status"} <= set(names)
    if game.urls:
        assert import_module(game.urls)
    for name in filter(None, (game.sockets, game.figures)):
        assert import_string(name)


@pytest.mark.plain
@pytest.mark.parametrize("slug", TABLE_SLUGS)
def test_registry_a_game_goes_with_the_table_and_has_a_board_and_rules(slug: str) -> None:
    game, rules = registry.table(slug), registry.rules_of(slug)
    assert rules.min_seats <= clean_options(rules.Options, {}).seats <= rules.max_seats
    assert {"listed", "spectators"} <= chosen_options(rules.Options)
    kinds = {kind_of(action) for action in get_args(rules.Action)}
    assert kinds & PERSON_KINDS <= {"leave"}
    for kind in (rules.Options, rules.State, rules.Action, rules.Fact):
        reader_of(kind)
    numbers = {number.name: number for number in game.numbers}
    for option, name in site_numbers(game.options).items():
        bounds = bounds_of(game.options, option)
        assert bounds["least"] <= numbers[name].least <= numbers[name].most <= bounds["most"]
    assert "ready" in {name for entry in game.typing.commands for name in entry.names}
    if registry.package(slug).startswith("games."):
        assert get_template(game.template)
        assert finders.find(game.script)
        assert game.how or game.address.rules != Address().rules


@pytest.mark.plain
def test_reactions_refuse_and_write_in_this_order() -> None:
    names = ["Looks", "Substitutes", "Mutes", "FairPlay", "Ratings", "Awards"]
    names += ["Goals", "Reminders"]
    if registry.find("duel"):
        names += ["CountedHabits"]
    assert [reaction.__name__ for reaction in given("reactions")] == names


def test_registry_knows_no_other_game() -> None:
    with pytest.raises(KeyError):
        registry.get("chess")
