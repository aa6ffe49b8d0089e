import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from tools import mutants

SOURCE = """\
from functools import cache


def counted(wrapped):
    return lambda *given: wrapped(*given)


@counted
def is_many(count):
    return count >= 3 and not count == 7


@cache
def double(count):
    return count + count
"""


@pytest.fixture
def module(monkeypatch, tmp_path):
    """A module of a checkout of its own."""
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "to_be_mutated.py").write_text(SOURCE)
    yield importlib.import_module("to_be_mutated")
    del sys.modules["to_be_mutated"]


def made(module: Any, old: str, new: str) -> dict[str, Any]:
    found = list(mutants.mutants_of(Path(module.__file__)))
    (mutant,) = [each for each in found if (each["old"], each["new"]) == (old, new)]
    return mutant


def test_mutants_change_one_line_of_a_function(module: Any) -> None:
    found = list(mutants.mutants_of(Path(module.__file__)))
    assert {each["line"] for each in found} == {5, 10, 15}
    made = {"count > 3", "4", "return None", "count != 7", "(count - count)"}
    assert made <= {each["new"] for each in found}


def test_mutants_replace_the_code_of_what_is_decorated_or_cached(module: Any) -> None:
    assert (module.is_many(3), module.double(4)) == (True, 8)
    mutants.apply(made(module, "count >= 3", "count > 3"))
    assert (module.is_many(3), module.double(4)) == (False, 8)
    mutants.apply(made(module, "count + count", "(count - count)"))
    assert (module.is_many(3), module.double(4)) == (True, 0)
    mutant = made(module, "count >= 3", "count > 3")
    Path(module.__file__).write_text("#\n" + SOURCE)
    with pytest.raises(ValueError, match=r"to_be_mutated\.py has changed"):
        mutants.apply(mutant)
