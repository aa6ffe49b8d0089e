"""The table of durations, the choice of the first form, and the tests of what changed."""

import ast
from pathlib import Path

import pytest

from tests import durations
from tests.durations import Row, Table
from tools import changed

#: Maximum seconds of the first form, and of one of its tests, on the machine of the table.
MOST, LONGEST = 90.0, 1.0
MARK = f"mark.{durations.PLAIN}"


def marked_tests() -> set[str]:
    """Return the tests whose decorators, or those of one of their cases, have the marker."""
    found: set[str] = set()
    for path in sorted((durations.ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if MARK in text and path != Path(__file__):
            marked = {
                f"{path.relative_to(durations.ROOT)}::{node.name}"
                for node in ast.parse(text).body
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                and any(MARK in ast.unparse(each) for each in node.decorator_list)
            }
            assert marked, f"{path}: the marker stands on no function"
            found |= marked
    return found


def test_first_form_is_recorded_and_takes_no_longer_than_it_may() -> None:
    table = durations.recorded()
    marked = marked_tests()
    assert marked
    assert marked - table.rows.keys() == set()
    rows = {name: row for name, row in table.rows.items() if table.is_cheap(name)}
    rows |= {name: table.rows[name] for name in marked}
    assert sum(row.seconds for row in rows.values()) <= MOST
    assert [name for name, row in rows.items() if row.seconds / row.cases > LONGEST] == []


def test_no_row_is_left_of_a_file_that_is_gone() -> None:
    files = {name.partition("::")[0] for name in durations.recorded().rows}
    assert [file for file in files if not (durations.ROOT / file).exists()] == []


def test_a_slow_machine_chooses_the_same_tests() -> None:
    rows = {"quick": Row(durations.CHEAP, 3), "slow": Row(2 * durations.CHEAP, 1)}
    doubled = {name: Row(2 * row.seconds, row.cases) for name, row in rows.items()}
    here, there = Table(durations.QUIET, rows), Table(2 * durations.QUIET, doubled)
    for table in (here, there):
        assert [name for name in ("quick", "slow", "new") if table.is_cheap(name)] == ["quick"]


def test_record_writes_a_table_that_it_reads_and_keeps_the_rows_of_other_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(durations, "ROOT", tmp_path)
    monkeypatch.setattr(durations, "TABLE", tmp_path / "durations.txt")
    monkeypatch.setattr(durations, "calibration", lambda: speed)
    speed = 0.2
    (tmp_path / "tests").mkdir()
    for name in ("one", "two"):
        (tmp_path / f"tests/test_{name}.py").touch()
    noted = tmp_path / "noted"
    noted.mkdir()

    def record(text: str, *, is_whole: bool) -> dict[str, Row]:
        durations.recorded.cache_clear()
        (noted / "1.json").write_text(text)
        durations.write(noted, is_whole=is_whole)
        durations.recorded.cache_clear()
        return durations.recorded().rows

    try:
        gone = '"tests/test_gone.py::test_z": 3'
        first = record(f'{{"tests/test_one.py::test_a[1]": 0.5, {gone}}}', is_whole=True)
        assert first == {"tests/test_one.py::test_a": Row(0.5, 1)}
        assert durations.recorded().calibration == 0.2
        speed = 0.4
        cases = '"tests/test_two.py::test_b[x::y]": 1, "tests/test_two.py::test_b[z]": 2'
        second = record(f"{{{cases}}}", is_whole=False)
        assert second == first | {"tests/test_two.py::test_b": Row(1.5, 2)}
        assert durations.recorded().calibration == 0.2
    finally:
        durations.recorded.cache_clear()


@pytest.mark.parametrize(
    ("name", "found", "left_out"),
    [
        ("economy/shop.py", "tests/economy/test_shop.py", "tests/games/arena/rules/test_engine.py"),
        ("games/duel/bot.py", "tests/games/duel/test_play.py", "tests/economy/test_shop.py"),
        ("templates/games/duel/board.html", "tests/games/duel/test_play.py", "tests/economy"),
        (
            "tests/games/table_kit.py",
            "tests/games/api/test_reading.py",
            "tests/accounts/test_tokens.py",
        ),
        ("tests/economy/test_shop.py", "tests/economy/test_shop.py", "tests/economy/test_audit.py"),
    ],
)
def test_what_changed_names_its_tests(
    monkeypatch: pytest.MonkeyPatch, name: str, found: str, left_out: str
) -> None:
    asked: list[tuple[str, ...]] = []

    def ask_git(*words: str) -> str:
        asked.append(words)
        return name if words[0] == "diff" else ""

    monkeypatch.setattr(changed, "ask_git", ask_git)
    files = changed.tests_since("HEAD~3")
    assert found in files
    assert not any(file.startswith(left_out) for file in files)
    assert asked[0][:3] == ("diff", "--name-only", "HEAD~3")
