"""One run of pytest: its processes, what it leaves out, and the count of its tests."""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from games import registry
from tests.own_tests import EVERY
from tools import progress

ROOT = Path(__file__).resolve().parent.parent
#: The folder that only reads files; ``./run check`` runs it.
READING = "architecture"
#: Folders of tests to which it is the same which games there are: accounts, the ledger, the engine,
#: instruments, and what happens when processes start, die or are attacked, which is tried with the
#: games that are there.
UNTOUCHED = (
    *("accounts", READING, "bench", "e2e", "economy", "faults", "games/engine", "hostile", "js"),
    "platform",
)
#: The most processes that a run is divided into.
MOST_WORKERS = 4
#: pytest's exit code for "nothing was selected".
NOTHING_SELECTED = 5
#: The markers of what runs on SQLite.
ON_SQLITE = "not browser and not postgres"


@dataclass(slots=True)
class Tally:
    """How many tests of all runs passed, failed and were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, report: Path) -> None:
        """Count a run's report; a run that left none has failed."""
        if not report.exists():
            self.failed += 1
            return
        for suite in ElementTree.parse(report).getroot().iter("testsuite"):
            count = {
                key: int(suite.get(key, 0)) for key in ("tests", "errors", "failures", "skipped")
            }
            self.failed += count["errors"] + count["failures"]
            self.skipped += count["skipped"]
            self.passed += count["tests"] - sum(
                count[key] for key in ("errors", "failures", "skipped")
            )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def run_pytest(title: str, arguments: list[str], tally: Tally, **variables: str) -> bool:
    """Run pytest once and count its tests; whether all was well."""
    print(f"\n== {title}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.xml"
        # Once, not twice, and short: the reasons of skips are listed, failures are whole.
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-rsfE",
            f"--junitxml={report}",
            *arguments,
        ]
        code = progress.call(title, command, ROOT, _environment() | variables)
        if code == NOTHING_SELECTED:
            return True
        failed_before = tally.failed
        tally.add(report)
        if code != 0 and tally.failed == failed_before:
            tally.failed += 1
    return code == 0


def _environment() -> dict[str, str]:
    """Return the variables of a run: bytecode is kept.

    Without it each of some hundred processes compiles its modules again, and pytest rewrites the
    assertions of all tests: 14 instead of 5 seconds of processor time for each collection.
    """
    kept = dict(os.environ)
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return kept


def run_suite(title: str, options: list[str], arguments: list[str], tally: Tally, **v: str) -> bool:
    """Run the suite in as many processes as help.

    Arguments of the caller replace the division into processes.
    """
    left_out = [] if any(READING in each for each in arguments) else _ignoring(READING)
    return run_pytest(title, [*options, *left_out, *(arguments or _workers(v))], tally, **v)


def _workers(variables: Mapping[str, str]) -> list[str]:
    """Return how to use the machine's processors; tests/boot.py says what stays together.

    One process for each processor; twice as many with --all, whose tests wait for other processes
    a third of their time, but only one more in Chromium, which has processes of its own.  Not more
    than four, because each of them collects all tests and makes a database of its own, which takes
    longer than it saves.
    """
    count = os.cpu_count() or 1
    if "CHROMIUM" in variables:
        count += 1
    elif variables.get("SUITE") == "all":
        count *= 2
    count = min(count, MOST_WORKERS)
    order = ["--dist", "loadscope", "--no-loadscope-reorder"]
    return ["-n", str(count), *order] if count > 1 else []


def _ignoring(*folders: str) -> list[str]:
    """Return pytest's options for leaving out folders of tests.

    Raises:
        FileNotFoundError: a folder is not there, so that its tests have moved and would run.
    """
    paths = [f"tests/{folder}" for folder in folders]
    if missing := [path for path in paths if not (ROOT / path).is_dir()]:
        raise FileNotFoundError(f"to be left out, but not there: {', '.join(missing)}")
    return [f"--ignore={path}" for path in paths]


def run_without(slug: str) -> tuple[str, list[str]]:
    """Return the title and the options of a run without a game, of what might miss it.

    Its own tests are left out, those of other games, and those of folders that no game reaches.
    """
    others = [name.replace(".", "/") for name in registry.GAMES if not name.endswith(f".{slug}")]
    title = "with no game but the tests' own" if slug == EVERY else f"without {slug}"
    return title, ["-m", ON_SQLITE, f"--without={slug}", *_ignoring(*others, *UNTOUCHED)]


def ask_git(*words: str) -> str:
    """Return what git answers about this repository; nothing where there is none."""
    command = ["git", *words]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip()
