"""Run pytest: number of processes, omitted folders, count of tests."""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from games import registry
from tests.own_tests import EVERY
from tools import progress

ROOT = Path(__file__).resolve().parent.parent
#: The folder of tests that only read files; ``./run check`` runs it.
READING = "architecture"
#: Folders of tests that do not depend on the set of games: accounts, the ledger, the engine, tools,
#: and processes that start, die or are attacked, which use the games that are present; and the
#: tests of goals, which count those of all games.
UNTOUCHED = (
    *("accounts", READING, "bench", "e2e", "economy", "faults", "games/engine", "games/goals"),
    *("hostile", "js", "platform"),
)
#: Maximum number of processes of a run.
MOST_WORKERS = 4
#: pytest's exit code for "nothing was selected".
NOTHING_SELECTED = 5
#: The markers of tests that run on SQLite.
ON_SQLITE = "not browser and not postgres"


@dataclass(slots=True)
class Tally:
    """Counts of passed, failed and skipped tests of all runs."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, report: Path) -> None:
        """Count a run's report; a run without a report has failed."""
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


def run_again(title: str) -> None:
    """Run the failed tests of the last run again, for their messages; nothing is counted."""
    print(f"\n== {title}", flush=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--last-failed",
        "--last-failed-no-failures=none",
    ]
    progress.call(title, command, ROOT, _environment())


def run_pytest(title: str, arguments: list[str], tally: Tally, **variables: str) -> bool:
    """Run pytest once and count its tests; return whether all passed."""
    print(f"\n== {title}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.xml"
        # Print a short summary once: reasons of skips, and whole failures.
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
    """Return the environment of a run, in which bytecode is written.

    Without bytecode each of a few hundred processes compiles its modules again, and pytest rewrites
    the assertions of all tests: 14 instead of 5 seconds of processor time per collection.
    """
    kept = dict(os.environ)
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return kept


def run_suite(title: str, options: list[str], arguments: list[str], tally: Tally, **v: str) -> bool:
    """Run the suite in several processes.

    Arguments of the caller replace the options for several processes.
    """
    left_out = [] if any(READING in each for each in arguments) else _ignoring(READING)
    given = arguments or _workers(v["SUITE"])
    return run_pytest(title, [*options, *left_out, *given], tally, **v)


def _workers(form: str) -> list[str]:
    """Return the options for several processes; tests/boot.py groups tests that stay together.

    One process per processor in the first form; one more in --more, because some tests wait; twice
    as many in --all, whose tests wait for other processes a third of their time.  At most four,
    because each of them collects all tests and creates a database.
    """
    cores = os.cpu_count() or 1
    count = min({"minute": cores, "all": 2 * cores}.get(form, cores + 1), MOST_WORKERS)
    order = ["--dist", "loadscope", "--no-loadscope-reorder"]
    return ["-n", str(count), *order] if count > 1 else []


def _ignoring(*folders: str) -> list[str]:
    """Return pytest's options for leaving out folders of tests.

    Raises:
        FileNotFoundError: a folder does not exist, so its tests have moved and would run.
    """
    paths = [f"tests/{folder}" for folder in folders]
    if missing := [path for path in paths if not (ROOT / path).is_dir()]:
        raise FileNotFoundError(f"to be left out, but not there: {', '.join(missing)}")
    return [f"--ignore={path}" for path in paths]


def run_without(slug: str) -> tuple[str, list[str]]:
    """Return title and options of a run without a game, of the tests that may depend on it.

    Tests of all games and of folders that are independent of games are left out.
    """
    others = [name.replace(".", "/") for name in registry.GAMES if not name.endswith(f".{slug}")]
    title = "with no game but the tests' own" if slug == EVERY else f"without {slug}"
    return title, ["-m", ON_SQLITE, f"--without={slug}", *_ignoring(*others, *UNTOUCHED)]


def ask_git(*words: str) -> str:
    """Return git's output about this repository; an empty text if there is no repository."""
    command = ["git", *words]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip()
