"""The reference pages are as the code is.  Source: CONTRIBUTING.md "Documents"."""

from tools import reference


def test_reference_pages_are_what_run_docs_writes() -> None:
    stale = [path.name for path, text in reference.pages().items() if path.read_text() != text]
    assert stale == [], "run ./run docs"


def test_reference_names_facts_of_every_table_and_game() -> None:
    (text,) = reference.pages().values()
    assert "| `sat` |" in text
    assert "| `hand_chosen` | `seat` `hand` | some |" in text
