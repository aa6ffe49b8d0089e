"""The runner of the cases: each case is tried, and what does not come out as written fails."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.games.jsonrpc.exchanges import fits, outcome, read_cases

ROOT = Path(__file__).resolve().parents[3]


def test_each_rule_is_tried_once_over_each_of_its_transports() -> None:
    paths = list((ROOT / "tests").rglob("cases/*.txt"))
    for path in paths:
        whole = path.read_text(encoding="utf-8")
        titles = re.findall(r"^## (.+) \[(.*)\]$", whole, re.MULTILINE)
        wanted = [(rule, each) for rule, transports in titles for each in transports.split(", ")]
        found = read_cases(path)
        assert [(case.rule, case.transport) for case in found] == wanted
        assert len(wanted) == len(set(wanted)) > 3
        lines = {number for case in found for number, _ in case.lines}
        assert len(lines) == len(re.findall(r"^[^#\n]", whole, re.MULTILINE))
    assert len(paths) > 4


@pytest.mark.parametrize(
    "text",
    [
        "ann: sit",
        "## A rule [socket]",
        "## A rule [pigeon]\nann: sit",
        "## A rule [socket]\nann: sit\n\n## A rule without a transport\nann: sit",
        "## A rule [socket]\ncid: sit",
        "## A rule [socket]\nann hopes [1]",
        '## A rule [socket]\nann: sit\nduel {"best_of": 3}',
        '## A rule [http]\nduel {"best_of": 3}\nann: sit',
    ],
)
def test_case_that_nobody_would_execute_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "cases.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="nobody executes"):
        read_cases(path)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        *((1, True), (1, 1.0), ([1], [1, 2]), (["<name>", "<name>"], ["x", "y"])),
        *(({"a": 1}, {"a": 1, "b": 2}), ({"a": 1, "…": 0}, {"b": 2})),
    ],
)
def test_other_answer_than_expected_does_not_fit(pattern: Any, found: Any) -> None:
    assert not fits(pattern, found, {})


def test_answer_with_more_or_less_than_the_standards_members_is_none() -> None:
    for more in ({}, {"result": 1, "error": {}}, {"result": 1, "more": 2}):
        with pytest.raises(AssertionError):
            outcome({"jsonrpc": "2.0", "id": 1, **more})
