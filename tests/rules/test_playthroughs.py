"""Recorded games with what every viewer sees after each step; a difference is a rule change.

To record again after a wanted change (and to look at the difference):
``manage.py referee showdown --record < tests/playthroughs/NAME.txt > NEW``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.rules import registry
from games.rules.referee import Referee, transcribe

FOLDER = Path(__file__).parents[1] / "playthroughs"
RECORDED = sorted(FOLDER.glob("showdown_*.txt"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_comes_out_the_same(path: Path) -> None:
    recorded = path.read_text(encoding="ascii")
    lines = transcribe(registry.get("showdown"), recorded.splitlines())
    assert "".join(f"{line}\n" for line in lines) == recorded


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_game_is_played_to_the_end_without_a_refusal(path: Path) -> None:
    judge = Referee(registry.get("showdown"))
    replies = [
        judge.answer(line)
        for line in path.read_text(encoding="ascii").splitlines()
        if line.startswith("{")
    ]
    assert not [reply for reply in replies if "error" in reply]
    assert replies[-1]["over"]


def test_what_is_recorded() -> None:
    assert [path.stem for path in RECORDED] == [
        "showdown_all_fold",
        "showdown_giving_up_and_void",
        "showdown_mines_and_stealing",
        "showdown_side_pots",
    ]
    everything = "".join(path.read_text(encoding="ascii") for path in RECORDED)
    kinds = {
        line.split()[0]
        for line in everything.splitlines()
        if line.startswith("    ") and " sees " not in line
    }
    assert kinds >= {
        "uncalled_returned",
        "tax_taken",
        "mine_exploded",
        "something_added",
        "absent_warned",
        "gave_up",
        "stake_refunded",
        "weapon_refunded",
    }
    first = json.loads(everything.splitlines()[0])
    assert set(first) == {"setup"}
