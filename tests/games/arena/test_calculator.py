"""The calculator of the browser says what the engine says, in ten thousand random cases."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.arena.rules.moves import Move
from games.arena.rules.outcome import battles, signs, with_oneself, without_oneself
from tests.games.arena.calculator import Calculation, calculate

ROOT = Path(__file__).resolve().parents[3]
CASES = 10_000
#: The largest count that the page takes.
MOST = 94_906_266
NAMES = [move.value for move in Move]


def random_counts(chance: Random) -> tuple[int, int, int]:
    """Return small counts as often as large ones, with zeros and neighbours of doubles."""
    first = chance.choice((0, 1, 2, chance.randrange(10), chance.randrange(MOST + 1), MOST))
    second = min(MOST, max(0, chance.choice((1, 2)) * first + chance.randrange(-1, 2)))
    third = chance.choice((first, second, chance.randrange(10), chance.randrange(MOST + 1)))
    counts = [first, second, third]
    chance.shuffle(counts)
    return counts[0], counts[1], counts[2]


def cases() -> list[dict[str, Any]]:
    """Return the cases, the same ones every time."""
    chance = Random(266)
    return [
        {
            "counts": random_counts(chance),
            "inverted": chance.random() < 0.5,
            "count": chance.random() < 0.7,
        }
        for _ in range(CASES)
    ]


def in_the_browser(given: list[dict[str, Any]], directory: Path) -> list[dict[str, Any]]:
    """Return what the page's own module answers."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    asked = directory / "cases"
    lines = ({**case, "counts": [str(one) for one in case["counts"]]} for case in given)
    asked.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    scripts = ROOT / "tests/js"
    command = [node, "--import", str(scripts / "hooks.mjs"), str(scripts / "calculations.mjs")]
    with asked.open() as stdin:
        done = subprocess.run(
            command, stdin=stdin, capture_output=True, check=True, text=True, timeout=120
        )
    return [json.loads(line) for line in done.stdout.splitlines()]


def as_page(found: Calculation) -> dict[str, Any]:
    """Return a calculation of the engine's in the words of the page's module."""

    def sums(part: Any) -> dict[str, str]:
        return {name: str(getattr(part, name)) for name in ("wins", "losses", "ties")}

    moves = {
        name: {
            "players": str(one.count),
            "each": sums(one.each),
            "all": sums(one),
            "effect": str(one.each.score),
            "score": str(one.score),
        }
        for name, one in zip(NAMES, found.moves, strict=True)
    }
    players = found.totals.count
    return {
        "table": {
            name: dict(zip(NAMES, row, strict=True))
            for name, row in zip(NAMES, found.table, strict=True)
        },
        "moves": moves,
        "totals": {
            "players": str(players),
            "battles": str(players * (players - 1) // 2),
            **sums(found.totals),
            "score": str(found.totals.score),
        },
        "best": [move.value for move in found.best],
    }


def replies(case: dict[str, Any]) -> dict[str, str]:
    """Return what one player more would win less what would be lost, by the move."""
    found = {}
    for index, name in enumerate(NAMES):
        joined = with_oneself(case["counts"], index)
        table = signs(joined, inverted=case["inverted"], count=case["count"])
        fought = battles(table[index], without_oneself(joined, index))
        found[name] = str(fought.wins - fought.losses)
    return found


def test_arena_calculator_of_the_page_equals_the_engines(tmp_path: Path) -> None:
    given = cases()
    answers = in_the_browser(given, tmp_path)
    assert len(answers) == CASES
    for case, answer in zip(given, answers, strict=True):
        found = calculate(case["counts"], inverted=case["inverted"], count=case["count"])
        assert answer == {**as_page(found), "replies": replies(case)}, case


def test_arena_calculator_cases_reach_the_limit_and_every_rule_of_count() -> None:
    given = cases()
    assert any(MOST in case["counts"] for case in given)
    assert any(0 in case["counts"] for case in given)
    tables = {calculate(case["counts"], inverted=False, count=True).table[0][1] for case in given}
    assert tables == {"W", "L", "T"}


def test_arena_calculator_of_the_page_refuses_what_is_no_whole_number() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    given = ["0.5", "1.5", "0.500", "1.2.3", "12,34", "1,234.567", "1 234", "94.906.266", "7", ""]
    script = (
        'const { countOf } = await import("rr/arena/calculator");'
        f"console.log(JSON.stringify({json.dumps(given)}.map((each) => String(countOf(each)))));"
    )
    hooks = str(ROOT / "tests/js/hooks.mjs")
    command = [node, "--import", hooks, "--input-type=module", "--eval", script]
    done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
    assert json.loads(done.stdout) == [*["null"] * 6, "1234", "94906266", "7", "0"]
