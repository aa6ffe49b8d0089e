"""Recorded games with what every viewer sees after each step; a difference is a rule change.

To record again after a wanted change (and to look at the difference):
``manage.py referee GAME --record < tests/playthroughs/GAME_NAME.txt > NEW``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.rules import registry
from games.rules.referee import Referee, transcribe

FOLDER = Path(__file__).parents[1] / "playthroughs"
RECORDED = sorted(FOLDER.glob("*.txt"))


def game_of(path: Path) -> str:
    """Return the slug of the game that was recorded."""
    return path.stem.partition("_")[0]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_comes_out_the_same(path: Path) -> None:
    recorded = path.read_text(encoding="ascii")
    lines = transcribe(registry.get(game_of(path)), recorded.splitlines())
    assert "".join(f"{line}\n" for line in lines) == recorded


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_is_played_to_the_end_without_a_refusal(path: Path) -> None:
    judge = Referee(registry.get(game_of(path)))
    replies = [
        judge.answer(line)
        for line in path.read_text(encoding="ascii").splitlines()
        if line.startswith("{")
    ]
    assert not [reply for reply in replies if "error" in reply]
    assert replies[-1]["over"]


def recorded_kinds(game: str) -> set[str]:
    """Return the kinds of all events in a game's recordings."""
    return {
        line.split()[0]
        for path in RECORDED
        if game_of(path) == game
        for line in path.read_text(encoding="ascii").splitlines()
        if line.startswith("    ") and " sees " not in line
    }


def test_what_is_recorded() -> None:
    assert [path.stem for path in RECORDED] == [
        "duel_late_throw",
        "duel_left_while_suspended",
        "duel_quick",
        "duel_resigned",
        "duel_stake_with_tax",
        "duel_suspended_and_resumed",
        "duel_suspension_ran_out_for_both",
        "duel_suspension_ran_out_for_one",
        "duel_three_void_throws",
        "duel_ties_count_to_a_draw",
        "duel_ties_count_to_a_win",
        "duel_twenty_uncounted_throws",
        "duel_voided",
        "showdown_all_fold",
        "showdown_giving_up_and_void",
        "showdown_mines_and_stealing",
        "showdown_side_pots",
    ]
    assert recorded_kinds("showdown") >= {
        "uncalled_returned",
        "tax_taken",
        "mine_exploded",
        "something_added",
        "absent_warned",
        "gave_up",
        "stake_refunded",
        "weapon_refunded",
    }
    for path in RECORDED:
        first = json.loads(path.read_text(encoding="ascii").splitlines()[0])
        assert set(first) == {"setup"}


def test_recorded_duels_show_every_kind_of_event() -> None:
    assert recorded_kinds("duel") == {
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
