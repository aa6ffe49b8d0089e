"""Checks of every registered game."""

from importlib import import_module
from typing import get_args

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template
from django.utils.module_loading import import_string

from games import registry
from games.contract import Address
from games.engine.choices import bounds_of, chosen_options, clean_options, site_numbers
from games.engine.structs import kind_of, reader_of
from games.engine.table.actions import PERSON_KINDS
from games.engine.table.facts import TableFact
from games.testing.random_play import play_many
from games.testing.trials import player_of


@pytest.mark.parametrize("slug", registry.slugs())
def test_registry_a_game_plays_at_random_without_a_fault(slug: str) -> None:
    game = registry.get(slug)
    summary = play_many(slug, player_of(game.random_game, game.newest), 5, "catalog")
    assert (summary["ended"], summary["violations"]) == (5, [])


TABLE_SLUGS = [game.slug for game in registry.tables()]


@pytest.mark.parametrize("slug", TABLE_SLUGS)
def test_registry_a_game_goes_with_the_table(slug: str) -> None:
    rules = registry.rules_of(slug)
    options = clean_options(rules.Options, {})
    assert rules.min_seats <= options.seats <= rules.max_seats
    assert {"listed", "spectators"} <= chosen_options(rules.Options)
    kinds = {kind_of(action) for action in get_args(rules.Action)}
    assert kinds & PERSON_KINDS <= {"leave"}
    for kind in (rules.Options, rules.State, rules.Action, rules.Fact):
        reader_of(kind)


@pytest.mark.parametrize("slug", registry.slugs())
def test_registry_a_game_has_a_sentence_or_a_reason_for_none_for_every_fact(slug: str) -> None:
    game = registry.get(slug)
    facts = game.newest.Fact | (TableFact if slug in TABLE_SLUGS else game.newest.Fact)
    assert {kind_of(fact) for fact in get_args(facts)} <= game.speech.sentences.keys()


@pytest.mark.parametrize("slug", registry.slugs())
def test_registry_a_games_numbers_have_its_name_and_its_commands_one_meaning(slug: str) -> None:
    game = registry.get(slug)
    assert all(number.name.startswith(f"{slug}.") for number in game.numbers)
    names = [name for entry in game.typing.commands for name in entry.names]
    assert len(names) == len(set(names))
    assert {"help", "status"} <= set(names)


@pytest.mark.parametrize("slug", TABLE_SLUGS)
def test_registry_a_games_numbers_and_commands_are_what_its_options_and_lists_ask_for(
    slug: str,
) -> None:
    game = registry.table(slug)
    numbers = {number.name: number for number in game.numbers}
    for option, name in site_numbers(game.options).items():
        bounds = bounds_of(game.options, option)
        assert bounds["least"] <= numbers[name].least <= numbers[name].most <= bounds["most"]
    assert "ready" in {name for entry in game.typing.commands for name in entry.names}


@pytest.mark.parametrize("slug", registry.slugs())
def test_registry_what_a_game_names_by_dotted_text_is_there(slug: str) -> None:
    game = registry.get(slug)
    for name in (game.urls, game.admin):
        assert name is None or import_module(name)
    named = (*game.runners, *game.sweeps, *game.reactions)
    for name in (*filter(None, [game.sockets, game.random_game]), *named):
        assert import_string(name)


@pytest.mark.parametrize(
    "slug", [slug for slug in TABLE_SLUGS if registry.package(slug).startswith("games.")]
)
def test_registry_a_games_board_and_rules_are_there(slug: str) -> None:
    game = registry.table(slug)
    assert get_template(game.template)
    assert finders.find(game.script)
    assert game.how or game.address.rules != Address().rules


def test_registry_knows_no_other_game() -> None:
    with pytest.raises(KeyError):
        registry.get("chess")
