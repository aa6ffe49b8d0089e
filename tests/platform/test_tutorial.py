"""The tutorial ``docs/tutorials/coin.md``, carried out literally in a copy of the repository."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.fault_profile, pytest.mark.slow]

ROOT = Path(__file__).resolve().parent.parent.parent
TUTORIAL = ROOT / "docs/tutorials/coin.md"
#: What a copy does not need.  Its bytecode it needs: each of its processes would compile the site.
LEFT_OUT = (".git", ".venv", "var", ".pytest_cache", ".mypy_cache", ".ruff_cache")
#: The most lines of Python of the game.
MOST_LINES = 150
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def write(home: Path, paragraph: str, code: str) -> None:
    """Carry out "Write `a` (empty) and `b`:" or "Add a line to `NAME` in `a`:"."""
    *empty, path = [home / name for name in re.findall(r"`([\w/]+\.py)`", paragraph)]
    for each in (*empty, path):
        each.parent.mkdir(parents=True, exist_ok=True)
        each.touch()
    if added := re.search(r"Add a line to `(\w+)`", paragraph):
        text = path.read_text()
        begin = re.search(rf"^{added[1]}\b.*= \(\n", text, re.MULTILINE)
        assert begin is not None
        path.write_text(text[: begin.end()] + code + text[begin.end() :])
    else:
        path.write_text(code)


def run(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(command, cwd=home, env=kept, capture_output=True, text=True, check=False)


def test_tutorial_game_is_played_by_the_referee_and_passes_all_tests(tmp_path):
    """Page, socket, typed command and bot play it; it is short and has no script."""
    home = tmp_path / "site"
    shutil.copytree(ROOT, home, ignore=shutil.ignore_patterns(*LEFT_OUT))
    subprocess.run(["git", "init", "-q"], cwd=home, check=True)
    (home / ".venv").symlink_to(ROOT / ".venv")
    printed = []
    text, before = TUTORIAL.read_text(), 0
    for block in BLOCK.finditer(text):
        language, code = block.groups()
        paragraph = text[before : block.start()].strip().split("\n\n")[-1]
        before = block.end()
        if language in ("python", "text"):
            write(home, paragraph, code)
        elif "run site" not in code:
            ran = run(home, "bash", "-ec", code)
            assert ran.returncode == 0, f"{code}\n{ran.stdout[-4000:]}{ran.stderr[-4000:]}"
            printed.append(ran.stdout)
    at_random, by_hand, *_, tested = printed
    summary = json.loads(at_random.splitlines()[-1])
    assert (summary["ended"], summary["violations"]) == (200, [])
    view = json.loads(by_hand.splitlines()[-1])["view"]
    assert view["you"]["moves"][0]["label"] == "Call heads"
    assert "heads" not in json.dumps(view["seats"])
    assert re.search(r"\d+ passed, 0 failed", tested)
    ran = run(home, sys.executable, "-m", "pytest", "-q", "tests/platform/play_coin.py")
    assert "3 passed" in ran.stdout, ran.stdout[-4000:]
    lines = [line for path in (home / "games/coin").glob("*.py") for line in path.open()]
    assert len(lines) <= MOST_LINES
    assert not (home / "static/js/coin").exists()
    assert not (home / "templates/games/coin").exists()
