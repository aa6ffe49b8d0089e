import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.arena.rules.columns import best_moves
from games.arena.rules.moves import (
    Battles,
    Move,
    battles,
    letters,
    signs,
    with_oneself,
    without_oneself,
)
from games.arena.rules.options import RoundOptions
from tests.games.arena.rules import oracle
from tests.games.arena.rules.kit import moves_of

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
    chance = Random(266)
    found = [(random_counts(chance), chance.random(), chance.random()) for _ in range(CASES)]
    return [{"counts": each, "inverted": a < 0.5, "count": b < 0.7} for each, a, b in found]


def in_node(*arguments: str, lines: str = "") -> str:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    command = [node, "--import", str(ROOT / "tests/js/hooks.mjs"), *arguments]
    return subprocess.run(
        command, input=lines, capture_output=True, check=True, text=True, timeout=120
    ).stdout


def by_the_engine(case: dict[str, Any]) -> dict[str, Any]:
    """Return what the page's module is to answer, from the engine's own functions."""
    counts, players = case["counts"], sum(case["counts"])
    options = RoundOptions(inverted=case["inverted"], count=case["count"])

    def signs_of(numbers: Any) -> Any:
        return signs(numbers, inverted=case["inverted"], count=case["count"])

    def sums(found: Battles, times: int = 1) -> dict[str, str]:
        numbers = {"wins": found.wins, "losses": found.losses, "ties": found.ties}
        return {name: str(number * times) for name, number in numbers.items()}

    moves, replies, of_all = {}, {}, Counter[str]()
    for index, name in enumerate(NAMES):
        number, joined = counts[index], with_oneself(counts, index)
        found = battles(signs_of(counts)[index], without_oneself(counts, index))
        found = found if number else Battles(0, 0, 0)
        moves[name] = {
            "players": str(number), "each": sums(found), "all": sums(found, number),
            "effect": str(found.sign), "score": str(number * found.sign),
        }  # fmt: skip
        of_all.update({key: int(value) for key, value in moves[name]["all"].items()})
        of_all["score"] += number * found.sign
        fought = battles(signs_of(joined)[index], without_oneself(joined, index))
        replies[name] = str(fought.wins - fought.losses)
    rows = zip(NAMES, letters(signs_of(counts)), strict=True)
    return {
        "table": {name: dict(zip(NAMES, row, strict=True)) for name, row in rows},
        "moves": moves,
        "totals": {
            "players": str(players),
            "battles": str(players * (players - 1) // 2),
            **{name: str(of_all[name]) for name in ("wins", "losses", "ties", "score")},
        },
        "best": [NAMES[index] for index in best_moves(counts, counts, options)],
        "replies": replies,
    }


def test_arena_calculator_of_the_page_equals_the_engines() -> None:
    given = cases()
    asked = [{**case, "counts": [str(one) for one in case["counts"]]} for case in given]
    lines = "".join(f"{json.dumps(line)}\n" for line in asked)
    answers = in_node(str(ROOT / "tests/js/calculations.mjs"), lines=lines).splitlines()
    for case, answer in zip(given, answers, strict=True):
        assert json.loads(answer) == by_the_engine(case), case


def test_arena_calculator_cases_reach_the_limit_and_every_rule_of_count() -> None:
    given = cases()
    assert any(MOST in case["counts"] for case in given)
    assert any(0 in case["counts"] for case in given)
    tables = [by_the_engine({**case, "inverted": False, "count": True}) for case in given]
    assert {each["table"]["rock"]["paper"] for each in tables} == {"W", "L", "T"}
    seeds_own = by_the_engine({"counts": (1, 2, 3), "inverted": False, "count": False})
    told = [(*one["all"].values(), one["score"]) for one in seeds_own["moves"].values()]
    assert told == [("3", "2", "0", "1"), ("2", "6", "2", "-2"), ("6", "3", "6", "3")]
    for case in [case for case in given if max(case["counts"]) < 15]:
        options = RoundOptions(inverted=case["inverted"], count=case["count"])
        best = oracle.best_replies(moves_of(case["counts"]), options)
        assert set(by_the_engine(case)["best"]) == best


def test_arena_calculator_of_the_page_refuses_what_is_no_whole_number() -> None:
    given = ["0.5", "1.5", "0.500", "1.2.3", "12,34", "1,234.567", "1 234", "94.906.266", "7", ""]
    script = (
        'const { countOf } = await import("rr/arena/calculator");'
        f"console.log(JSON.stringify({json.dumps(given)}.map((each) => String(countOf(each)))));"
    )
    said = in_node("--input-type=module", "--eval", script)
    assert json.loads(said) == [*["null"] * 6, "1234", "94906266", "7", "0"]
