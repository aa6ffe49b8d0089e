"""Recorded games of Showdown; see ``tests.games.recorded``."""

from pathlib import Path

import pytest

from tests.games.recorded import assert_same, assert_whole, recorded_kinds, recordings

GAME = "showdown"
RECORDED = recordings(GAME)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_comes_out_the_same(path: Path) -> None:
    assert_same(GAME, path)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_is_played_to_the_end_without_a_refusal(path: Path) -> None:
    assert_whole(GAME, path)


def test_what_is_recorded() -> None:
    assert [path.stem for path in RECORDED] == [
        "all_fold",
        "giving_up_and_void",
        "leaving_of_two",
        "mines_and_stealing",
        "side_pots",
    ]
    assert recorded_kinds(GAME) >= {
        "uncalled_returned",
        "tax_taken",
        "mine_exploded",
        "something_added",
        "absent_warned",
        "gave_up",
        "stake_refunded",
        "weapon_refunded",
    }
