"""The reference pages are as the code is.  Source: CONTRIBUTING.md "Documents"."""

import pytest

from tools import reference


def test_reference_pages_are_what_run_docs_writes() -> None:
    stale = [path.name for path, text in reference.pages().items() if path.read_text() != text]
    assert stale == [], "run ./run docs"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("attacks", "| 72 | guess addresses |"),
        ("commands", "| `audit_ledger` |"),
        ("errors", "| `action/out` | The seat has folded or given up |"),
        ("facts", "| `hand_chosen` | `seat` `hand` | some |"),
        ("facts", "| `sat` |"),
        ("settings", "| `duel.clock` | 30 | 5 | 86400 | s | clock of a throw |"),
        ("views", "| `wins_needed` | `int` |"),
    ],
)
def test_reference_pages_name_what_the_code_has(name: str, line: str) -> None:
    (text,) = (text for path, text in reference.pages().items() if path.stem == name)
    assert line in text
