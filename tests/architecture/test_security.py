"""docs/security.md lists each of the 72 cases once, with tests that are there."""

import ast
import re
from functools import cache

from tests.architecture.code import ROOT

CASES = range(1, 73)
ROW = re.compile(r"^\| (\d+) \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"^test_hostile_((?:\d\d_)+)")


@cache
def rows() -> dict[int, list[str]]:
    """Return case -> the cells of its row."""
    found = ROW.findall((ROOT / "docs/security.md").read_text(encoding="utf-8"))
    assert [int(number) for number, *_ in found] == list(CASES), "each once, and in order"
    return {int(number): cells for number, *cells in found}


@cache
def files_of_cases() -> dict[int, set[str]]:
    """Return case -> the files in which a test is named after it."""
    files: dict[int, set[str]] = {case: set() for case in CASES}
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for number in _numbers(node.name):
                    files[number].add(path.relative_to(ROOT).as_posix())
    return files


def _numbers(name: str) -> list[int]:
    found = NAMED.match(name)
    assert found or not name.startswith("test_hostile"), f"{name} has no number of two digits"
    return [int(number) for number in found[1].split("_")[:-1]] if found else []


def test_security_each_case_names_all_files_that_try_it_or_says_what_it_waits_for() -> None:
    wrong = [case for case in CASES if not _is_told(case)]
    assert wrong == []


def _is_told(case: int) -> bool:
    attack, answer, tried = rows()[case]
    files = files_of_cases()[case]
    if not attack:
        return False
    if tried.startswith("waits for "):
        return answer == "not yet" and not files
    return answer != "not yet" and set(re.findall(r"`(tests/[^`]+)`", tried)) == files != set()
