import ast
import json
from pathlib import Path

import pytest

from tests import durations
from tests.durations import Row, Table
from tools import changed

#: Maximum seconds of the first form, and of one of its tests, on the machine of the table.
MOST, LONGEST = 90.0, 1.0
MARK = f"mark.{durations.PLAIN}"


def test_first_form_is_recorded_and_takes_no_longer_than_it_may() -> None:
    table, marked = durations.recorded(), set[str]()
    for path in sorted((durations.ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if MARK in text and path != Path(__file__):
            names = {
                f"{path.relative_to(durations.ROOT)}::{node.name}"
                for node in ast.parse(text).body
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                and any(MARK in ast.unparse(each) for each in node.decorator_list)
            }
            assert names, f"{path}: the marker stands on no function"
            marked |= names
    assert marked
    assert marked - table.rows.keys() == set()
    files = {name.partition("::")[0] for name in table.rows}
    assert [file for file in files if not (durations.ROOT / file).exists()] == []
    rows = {name: row for name, row in table.rows.items() if table.is_cheap(name)}
    rows |= {name: table.rows[name] for name in marked}
    assert sum(row.seconds for row in rows.values()) <= MOST
    assert [name for name, row in rows.items() if row.seconds / row.cases > LONGEST] == []


def test_a_slow_machine_chooses_the_same_tests() -> None:
    rows = {"quick": Row(durations.CHEAP, 3), "slow": Row(2 * durations.CHEAP, 1)}
    doubled = {name: Row(2 * row.seconds, row.cases) for name, row in rows.items()}
    here, there = Table(durations.QUIET, rows), Table(2 * durations.QUIET, doubled)
    for table in (here, there):
        assert [name for name in ("quick", "slow", "new") if table.is_cheap(name)] == ["quick"]


def test_record_writes_a_table_that_it_reads_and_keeps_the_rows_of_other_files(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(durations, "ROOT", tmp_path)
    monkeypatch.setattr(durations, "TABLE", tmp_path / "durations.txt")
    monkeypatch.setattr(durations, "calibration", lambda: speed)
    monkeypatch.setattr(durations, "recorded", durations.recorded.__wrapped__)
    one, two = (f"tests/test_{name}.py" for name in ("one", "two"))
    (tmp_path / "tests").mkdir()
    for name in (one, two):
        (tmp_path / name).touch()

    def record(*, is_whole: bool, **spent: float) -> Table:
        (tmp_path / "1.json").write_text(json.dumps(spent))
        durations.write(tmp_path, is_whole=is_whole)
        return durations.recorded()

    speed = 0.2
    first = record(is_whole=True, **{f"{one}::test_a[1]": 0.5, "tests/test_gone.py::test_z": 3})
    assert first == Table(0.2, {f"{one}::test_a": Row(0.5, 1)})
    speed = 0.4
    second = record(is_whole=False, **{f"{two}::test_b[x::y]": 1, f"{two}::test_b[z]": 2})
    assert second == Table(0.2, first.rows | {f"{two}::test_b": Row(1.5, 2)})


@pytest.mark.parametrize(
    ("name", "found", "left_out"),
    [
        ("economy/shop.py", "tests/economy/test_shop.py", "tests/games/arena/rules/test_engine.py"),
        ("games/duel/game.py", "tests/games/duel/test_play.py", "tests/economy/test_shop.py"),
        ("templates/games/duel/board.html", "tests/games/duel/test_play.py", "tests/economy"),
        ("tests/games/table_kit.py", "tests/games/api/test_reading.py", "tests/accounts/test_to"),
        ("tests/economy/test_shop.py", "tests/economy/test_shop.py", "tests/economy/test_audit.py"),
    ],
)
def test_what_changed_names_its_tests(monkeypatch, name, found, left_out):
    def ask_git(*words):
        return name if words[:3] == ("diff", "--name-only", "HEAD~3") else ""

    monkeypatch.setattr(changed, "ask_git", ask_git)
    files = changed.tests_since("HEAD~3")
    assert found in files
    assert not any(file.startswith(left_out) for file in files)
