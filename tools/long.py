"""The parts that take too long for ``--all``: ``./run test --long [PART ...]``.

``without``: the suite, once without each game.  ``rebuilding``: 1,000 random games of each kind,
rebuilt from their journals.  ``games``: the properties of games with their longest amounts, such as
thousands of random games.
``pages``: every page in Chromium, of which a commit looks at a third, and games over a rough line.
``faults``: the fault profile in its long form.  ``deploying``: deployments of a cluster with 200
matches.  tests/long.json says when each part last passed,
and how long it took; a part that passes updates the file, which is committed.
"""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from games import registry
from tools import debian, postgres
from tools.runs import ROOT, Tally, ask_git, run_pytest, run_suite, run_without

RECORD = ROOT / "tests/long.json"
REBUILDING = "tests/games/matches/test_rebuilding.py"
PAGES = [f"tests/e2e/test_{name}.py" for name in ("pages", "settings", "reports", "rough_lines")]
FAULTS = ["tests/faults", "tests/games/duel/conformance"]


def _without(tally: Tally) -> bool:
    ends = [run_suite(*run_without(slug), [], tally, SUITE="all") for slug in registry.slugs()]
    return all(ends)


def _rebuilding(tally: Tally) -> bool:
    return run_pytest("1,000 random games of each kind", [REBUILDING], tally, SUITE="long")


def _games(tally: Tally) -> bool:
    """Run each file with an amount that is larger in a long run."""
    files = [
        str(path.relative_to(ROOT))
        for path in sorted(ROOT.glob("tests/games/**/test_*.py"))
        if "in_long=" in path.read_text(encoding="utf-8")
    ]
    others = [file for file in files if file != REBUILDING]
    return run_pytest("properties with their longest amounts", others, tally, SUITE="long")


def _pages(tally: Tally) -> bool:
    chromium = str(debian.ensure(debian.chromium, *debian.BROWSERS))
    return run_pytest(
        "every page in Chromium",
        ["-m", "browser and slow", "--with-browser", *PAGES],
        tally,
        SUITE="long",
        CHROMIUM=chromium,
    )


def _faults(tally: Tally) -> bool:
    return run_pytest("the fault profile in its long form", FAULTS, tally, SUITE="long")


def _deploying(tally: Tally) -> bool:
    with postgres.running_cluster() as url:
        return run_pytest(
            "deployments of a cluster under load",
            ["tests/faults/test_deploying.py", "--database=postgresql"],
            tally,
            SUITE="long",
            TEST_DATABASE_URL=url,
        )


PARTS: dict[str, Callable[[Tally], bool]] = {
    "without": _without,
    "rebuilding": _rebuilding,
    "games": _games,
    "pages": _pages,
    "faults": _faults,
    "deploying": _deploying,
}


def run_long(names: list[str], tally: Tally) -> bool:
    """Run these parts, all if none is named; record those that pass."""
    if strange := [name for name in names if name not in PARTS]:
        print(f"no part of --long: {', '.join(strange)}; there are {', '.join(PARTS)}")
        tally.failed += 1
        return False
    wanted = names or list(PARTS)
    print("\n".join(map(_told, wanted)), flush=True)
    ends = [_run_part(name, tally) for name in wanted]
    return all(ends)


def _run_part(name: str, tally: Tally) -> bool:
    started = time.monotonic()
    passed_before, failed_before = tally.passed, tally.failed
    is_well = PARTS[name](tally)
    if is_well and tally.failed == failed_before and tally.passed > passed_before:
        _note(name, round((time.monotonic() - started) / 60))
    return is_well


def _told(name: str) -> str:
    """Return a line with the duration of a part and the date when it last passed."""
    known = _record()[name]
    when = f"{known['date']} at {known['commit']}" if known["commit"] else "never"
    length = f"some {known['minutes']} minutes" if known["minutes"] else "not measured yet"
    return f"{name}: {length}; last passed: {when}"


def _note(name: str, minutes: int) -> None:
    passed = {
        "minutes": minutes,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": ask_git("describe", "--always", "--dirty") or "no repository",
    }
    record = _record() | {name: passed}
    RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _record() -> dict[str, dict[str, Any]]:
    """Return the stored record of each part."""
    record: dict[str, dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return record
