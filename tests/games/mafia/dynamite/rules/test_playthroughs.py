"""Recorded games; see ``tests.games.recorded``."""

from pathlib import Path
from typing import get_args

import pytest

from games.engine.structs import kind_of
from games.mafia.dynamite.rules.engine import Dynamite
from tests.games.recorded import assert_same, assert_whole, recorded_kinds, recordings

GAME = "dynamite"
RECORDED = recordings(GAME)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_comes_out_the_same(path: Path) -> None:
    assert_same(GAME, path)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_is_played_to_the_end_without_a_refusal(path: Path) -> None:
    assert_whole(GAME, path)


def test_what_is_recorded() -> None:
    assert {path.stem for path in RECORDED} == {
        *(f"players_{number}" for number in (4, 7, 8, 11, 15, 20, 40)),
        *("quiet", "stapler", "voided", "wills"),
    }
    # The table asks for the end of a game among bots, which the referee does not.
    assert recorded_kinds(GAME) == {kind_of(fact) for fact in get_args(Dynamite.Fact)} - {
        "played_out"
    }
