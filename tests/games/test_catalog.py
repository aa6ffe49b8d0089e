"""What every game of the site brings along."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

from games import catalog
from games.kernel.choices import chosen_options, clean_options
from games.kernel.random_play import play_many
from games.kernel.structs import kind_of, reader_of
from games.kernel.table.actions import PERSON_KINDS


@pytest.mark.parametrize("slug", catalog.slugs())
def test_catalog_a_game_plays_at_random_without_a_fault(slug: str) -> None:
    trial = import_module(f"games.{slug}.rules.trial")
    summary = play_many(slug, trial.random_game, 5, "catalog")
    assert (summary["ended"], summary["violations"]) == (5, [])


@pytest.mark.parametrize("slug", catalog.slugs())
def test_catalog_a_game_goes_with_the_table(slug: str) -> None:
    rules = catalog.get(slug)
    options = clean_options(rules.Options, {})
    assert rules.min_seats <= options.seats <= rules.max_seats
    assert {"listed", "spectators"} <= chosen_options(rules.Options)
    kinds = {kind_of(action) for action in get_args(rules.Action)}
    assert kinds & PERSON_KINDS <= {"leave"}
    for kind in (rules.Options, rules.State, rules.Action, rules.Fact):
        reader_of(kind)


def test_catalog_knows_no_other_game() -> None:
    with pytest.raises(KeyError):
        catalog.get("chess")
