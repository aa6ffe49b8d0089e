"""Recorded duels; see ``tests.games.recorded``."""

from pathlib import Path

import pytest

from tests.games.recorded import assert_same, assert_whole, recorded_kinds, recordings

GAME = "duel"
RECORDED = recordings(GAME)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_comes_out_the_same(path: Path) -> None:
    assert_same(GAME, path)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_is_played_to_the_end_without_a_refusal(path: Path) -> None:
    assert_whole(GAME, path)


def test_what_is_recorded() -> None:
    assert [path.stem for path in RECORDED] == [
        "late_throw",
        "left_while_suspended",
        "quick",
        "resigned",
        "stake_with_tax",
        "suspended_and_resumed",
        "suspension_ran_out_for_both",
        "suspension_ran_out_for_one",
        "three_void_throws",
        "ties_count_to_a_draw",
        "ties_count_to_a_win",
        "twenty_uncounted_throws",
        "voided",
    ]
    assert recorded_kinds(GAME) == {
        "game_started",
        "throw_started",
        "hand_chosen",
        "hand_in",
        "hands_revealed",
        "throw_voided",
        "suspension_asked",
        "suspension_withdrawn",
        "suspended",
        "resumption_ready",
        "resumption_withdrawn",
        "resumed",
        "game_ended",
        "pot_awarded",
        "tax_taken",
        "purse_returned",
        "stake_refunded",
        "game_voided",
        "clock_postponed",
    }
