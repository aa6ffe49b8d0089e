"""Recorded games come out the same, and hold every fact; see ``tests.games.recorded``."""

from pathlib import Path
from typing import get_args

import pytest

from games.engine.structs import kind_of
from tests.games.contract.kit import SLUGS, Tried
from tests.games.recorded import assert_same, assert_whole, recorded_kinds, recordings

RECORDED = [(slug, path) for slug in SLUGS for path in recordings(slug)]


@pytest.mark.parametrize(("slug", "path"), RECORDED, ids=lambda part: getattr(part, "stem", part))
def test_contract_recorded_game_comes_out_the_same_and_whole(slug: str, path: Path) -> None:
    assert_same(slug, path)
    assert_whole(slug, path)


def test_contract_every_fact_is_in_a_recorded_game(game: Tried) -> None:
    if game.is_of_the_site:
        facts = {kind_of(fact) for fact in get_args(game.rules.Fact)}
        assert recorded_kinds(game.slug) == facts - game.data.unrecorded
