"""The modules of the boards pass their own tests, in Node, with the games' real words."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from games import registry
from games.arena import words as arena
from games.duel import words as duel
from games.mafia.agora import words as agora
from games.mafia.dynamite import words as dynamite
from games.showdown import words as showdown
from tests.boot import PATIENCE

HERE = Path(__file__).resolve().parent
#: The words of all boards, as the pages have them.
WORDS: Final = {
    "showdown": showdown.BOARD,
    "duel": duel.BOARD,
    "arena": arena.BOARD,
    **agora.BOARD,
    **dynamite.BOARD,
}


def test_boards_have_the_words_of_their_modules_tests() -> None:
    for game in registry.tables():
        for name, words in game.board.get("words", {}).items():
            assert words is WORDS[name]


@pytest.mark.slow
def test_board_modules_pass_their_own_tests() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.lstrip("v").split(".")[0]) < 20:
        pytest.skip("needs node 20 or newer")
    suites = [str(path) for path in sorted(HERE.glob("*.test.mjs"))]
    command = [node, "--import", str(HERE / "hooks.mjs"), "--test", "--test-reporter=spec", *suites]
    done = subprocess.run(
        command,
        capture_output=True,
        check=False,
        text=True,
        timeout=5 * PATIENCE,
        cwd=HERE.parents[1],
        env=os.environ | {"CONFIG": json.dumps({"words": WORDS})},
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
