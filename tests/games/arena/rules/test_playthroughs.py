from pathlib import Path

import pytest

from tests.games.arena.rules.kit import RULES
from tests.games.recorded import lines_of, recorded_kinds, recordings
from tools.referee.pipe import Referee, transcribe

GAME = "arena"
RECORDED = recordings(GAME)


@pytest.mark.plain
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_arena_recorded_rounds_come_out_the_same(path: Path) -> None:
    lines = transcribe(RULES, lines_of(path))
    assert "".join(f"{line}\n" for line in lines) == path.read_text(encoding="ascii")
    # They are played without a refusal.
    judge = Referee(RULES)
    replies = [judge.answer(line) for line in lines_of(path) if line.startswith("{")]
    assert not [reply for reply in replies if "error" in reply]
    assert all(reply["over"] is False and reply["outcome"] is None for reply in replies)


def test_arena_what_is_recorded() -> None:
    assert [path.stem for path in RECORDED] == [
        "coming_and_going",
        "count_and_team",
        "streaks_and_grants",
        "survivor",
    ]
    assert recorded_kinds(GAME) == {
        *("round_started", "choice_made", "preference_set", "leaving_asked", "leaving_withdrawn"),
        *("reset_asked", "player_joined", "player_left", "figures_reset", "round_fought"),
        *("round_ended", "health_refilled", "arena_rested"),
    }
