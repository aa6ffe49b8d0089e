"""Recorded games with what every viewer sees after each step; a difference is a rule change.

To record again after a wanted change (and to look at the difference):
``manage.py referee GAME --record < tests/games/GAME/playthroughs/NAME.txt > NEW``.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from games import registry
from tools.referee.pipe import Referee, transcribe

ROOT = Path(__file__).parents[2]


def recordings(game: str) -> list[Path]:
    return sorted(ROOT.glob(f"tests/games/**/{game}/playthroughs/*.txt"))


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="ascii").splitlines()


def assert_same(game: str, path: Path) -> None:
    lines = transcribe(registry.rules_of(game), lines_of(path))
    assert "".join(f"{line}\n" for line in lines) == path.read_text(encoding="ascii")


def run_with_hash_seed(program: str, hash_seed: str) -> str:
    """Run a program in a Python whose hashes have this seed, and return what it says."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout.strip()


def assert_whole(game: str, path: Path) -> None:
    """A recording begins with a set-up and is played to the end without a refusal."""
    judge = Referee(registry.rules_of(game))
    replies = [judge.answer(line) for line in lines_of(path) if line.startswith("{")]
    assert set(json.loads(lines_of(path)[0])) == {"setup"}
    assert not [reply for reply in replies if "error" in reply]
    assert replies[-1]["over"]


def recorded_kinds(game: str) -> set[str]:
    return {
        line.split()[0]
        for path in recordings(game)
        for line in lines_of(path)
        if line.startswith("    ") and " sees " not in line
    }
