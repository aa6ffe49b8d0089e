import json
import os
import sys

import pytest

from tests import forms, own_tests
from tools import long, progress, runs, suite
from tools.runs import Tally


class Started(list):
    """The commands that would be run; none is, but each ends with this code."""

    code = runs.NOTHING_SELECTED


@pytest.fixture
def started(monkeypatch):
    commands = Started()

    def note(title, command, cwd, environment):
        commands.append(command)
        assert "PYTHONDONTWRITEBYTECODE" not in environment
        return commands.code

    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(progress, "call", note)
    return commands


def test_files_are_read_by_check_unless_they_are_named(started):
    suite.run_more([], Tally())
    suite.run_more(["tests/architecture"], Tally())
    suite.run_turn([], Tally())
    assert ["--ignore=tests/architecture" in command for command in started] == [True, False, True]
    assert f"--without={suite.game_of_this_commit()}" in started[-1]


def test_help_names_every_form_and_runs_nothing(started, capsys):
    assert suite.main(["--all", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"./run test {form}" in told for form in suite.FORMS)
    assert started == []


def test_failed_tests_of_the_first_form_run_again_with_what_they_compared(started):
    started.code, tally = 1, Tally()
    assert not suite.run_minute([], tally)
    first, again = started
    assert "--assert=plain" in first
    assert "--last-failed" in again
    assert "--assert=plain" not in again
    assert tally.failed == 1


def test_a_folder_that_is_left_out_must_be_there(monkeypatch):
    assert "--ignore=tests/architecture" in runs.run_without("duel")[1]
    monkeypatch.setattr(runs, "UNTOUCHED", ("accounts", "moved"))
    with pytest.raises(FileNotFoundError, match="tests/moved"):
        runs.run_without("duel")


def test_each_game_is_left_out_in_its_turn(monkeypatch):
    """Each page is looked at in its turn, too."""
    monkeypatch.setattr(suite.registry, "GAMES", ("a.one", "a.two", "a.three"))
    commits = iter(["7", "8", "9"])
    monkeypatch.setattr(suite, "ask_git", lambda *words: next(commits))
    assert [suite.game_of_this_commit() for _ in range(3)] == ["two", "three", "one"]
    pages = {"one": "/1/", "two": "/2/", "three": "/3/", "four": "/4/"}
    seen = []
    for turn in (7, 8, 9):
        monkeypatch.setattr(forms, "TURN", turn)
        seen.append(list(forms.some(pages, 3)))
    assert seen == [["two"], ["three"], ["one", "four"]]
    monkeypatch.setattr(forms, "IS_LONG", True)
    assert forms.some(pages, 3) == pages


def test_the_tests_own_games_are_kept_where_no_other_is(monkeypatch, tmp_path):
    monkeypatch.setattr(own_tests, "ROOT", tmp_path)
    kit, play = tmp_path / "tests/kit.py", tmp_path / "tests/test_play.py"
    contract = tmp_path / "tests/games/odds/test_contract.py"
    contract.parent.mkdir(parents=True)
    kit.write_text('GAME = "showdown"\n')
    for path in (play, contract):
        path.write_text("from tests.kit import GAME\n")
    assert own_tests.files_of("showdown") == {kit, play, contract}
    assert own_tests.files_of(own_tests.EVERY) == {kit, play}


def test_a_long_part_that_passes_is_noted_and_told(monkeypatch, tmp_path, capsys):
    record = tmp_path / "long.json"
    record.write_text(long.RECORD.read_text())
    monkeypatch.setattr(long, "RECORD", record)

    def passing(tally):
        tally.passed += 1
        return True

    def failing(tally):
        tally.failed += 1

    known = json.loads(record.read_text())
    assert set(known) == set(long.PARTS)
    monkeypatch.setattr(long, "PARTS", {"rebuilding": passing, "faults": failing})
    assert not long.run_long([], Tally())
    noted = json.loads(record.read_text())
    assert noted["rebuilding"]["commit"]
    assert noted["faults"] == known["faults"]
    assert not long.run_long(["nonsense"], Tally())
    assert "no part of --long: nonsense" in capsys.readouterr().out


def test_a_long_command_says_that_it_still_runs(monkeypatch, tmp_path):
    monkeypatch.setattr(progress, "PAUSE", 0.01)
    # It ends when its line has been told: the file stands for that.
    end = tmp_path / "end"
    code = f"import pathlib, time\nwhile not pathlib.Path({str(end)!r}).exists(): time.sleep(0.01)"

    def told(text, *, flush):
        assert "a title" in text
        end.touch()

    monkeypatch.setattr(progress, "print", told, raising=False)
    assert progress.call("a title", [sys.executable, "-c", code], tmp_path, os.environ) == 0
    assert end.exists()
