"""The reference pages are as the code is.  Source: CONTRIBUTING.md "Documents"."""

import pytest

from tools import reference


def test_reference_pages_are_what_run_docs_writes() -> None:
    stale = [path.name for path, text in reference.pages().items() if path.read_text() != text]
    assert stale == [], "run ./run docs"
    lines = text_of("environment").splitlines()
    rows = [line.split("|") for line in lines if line.startswith("| `")]
    assert len(rows) > 20
    assert [row[1] for row in rows if not row[-2].strip()] == [], "each variable has a meaning"


def text_of(name: str) -> str:
    (text,) = (text for path, text in reference.pages().items() if path.stem == name)
    return text


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("api", "| `leaderboards/points` | `period` (week/last/all) |"),
        ("api", "| 429 | `rate_limited` |"),
        ("attacks", "| 72 | guess addresses |"),
        ("commands", "| `audit_ledger` |"),
        ("environment", "| `SIGNUP_RATE` | a rate, like 20/h/ip | `20/h/ip`; `prod`: `3/h/ip` | S"),
        ("errors", "| `action/out` | The seat has folded or given up |"),
        ("facts", "| `hand_chosen` | `seat` `hand` | some |"),
        ("facts", "| `sat` |"),
        ("settings", "| `duel.clock` | 30 | 5 | 86400 | s | clock of a throw |"),
        ("frames", "| `say` | `id` `[A-Za-z0-9_-]{8,64}`, `room` text, `text` text, at most 500 |"),
        ("frames", "| `ack` | `id` text, `repeated` true or false |"),
        ("frames", "`message` text, `detail` object, `retry_ms?` whole number |"),
        ("frames", "| `prefer` | `option` `blitz`/`classic`/"),
        ("frames", "| `stake` | 0 to 100000 | 0 |"),
        ("rpc", "| `join_match` | HTTP | `public_id` the match's public name, `purse?` "),
        ("rpc", "| `hand_in` **+** | `seat_id` `0`/`1` |"),
        ("views", "| `wins_needed` | `int` |"),
        ("views", "| `waits_until_round_end` | `str \\| None` |"),
    ],
)
def test_reference_pages_name_what_the_code_has(name: str, line: str) -> None:
    assert line in text_of(name)
