"""Running the tests: ``./run test [--all] [pytest's own arguments]``.

Without --all everything that needs no system package runs, and the rest is reported as skipped,
by name.  With --all the suite runs on SQLite, again on PostgreSQL, without each game in its turn,
and in Chromium; what cannot be run is a failure.  The last line counts the tests of all runs.
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from games.catalog import GAMES
from tools import debian, postgres

ROOT = Path(__file__).resolve().parent.parent
#: Folders of tests to which it is the same which games there are: accounts, the ledger, the kernel,
#: instruments, and what happens when processes start, die or are attacked, which is tried with the
#: games that are there.
UNTOUCHED = ("accounts", "bench", "economy", "faults", "hostile", "kernel", "platform")
#: pytest's exit code for "nothing was selected".
NOTHING_SELECTED = 5


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
        code = subprocess.call(command, cwd=ROOT, env=os.environ | variables)
        if code == NOTHING_SELECTED:
            return True
        failed_before = tally.failed
        tally.add(report)
        if code != 0 and tally.failed == failed_before:
            tally.failed += 1
    return code == 0


def run_suite(title: str, options: list[str], arguments: list[str], tally: Tally, **v: str) -> bool:
    """Run the suite in as many processes as help.

    Whoever gives arguments of their own gets them run as they stand.
    """
    return run_pytest(title, [*options, *(arguments or _workers())], tally, **v)


def _workers() -> list[str]:
    """Return how to use the machine's processors; tests/boot.py says what stays together."""
    count = min(os.cpu_count() or 1, 4)
    order = ["--dist", "loadscope", "--no-loadscope-reorder"]
    return ["-n", str(count), *order] if count > 1 else []


def run_short(arguments: list[str], tally: Tally) -> bool:
    """Run what needs nothing but Python's packages."""
    variables = {} if arguments else {"SUITE": "short"}
    return run_suite("on SQLite", [], arguments, tally, **variables)


def run_all(arguments: list[str], tally: Tally) -> bool:
    """Run everything, or fail."""
    browser = str(debian.ensure(debian.chromium, ["chromium"]))
    on_sqlite = ["-m", "not browser and not postgres"]
    on_postgresql = ["-m", "not browser and not sqlite", "--database=postgresql"]
    in_chromium = ["-m", "browser", "--with-browser"]
    with postgres.running_cluster() as url:
        there = {"SUITE": "all", "TEST_DATABASE_URL": url}
        return all(
            [
                run_suite("on SQLite", on_sqlite, arguments, tally, SUITE="all"),
                run_suite("on PostgreSQL", on_postgresql, arguments, tally, **there),
                *(run_suite(*run_without(slug), arguments, tally, SUITE="all") for slug in GAMES),
                run_suite(
                    "in Chromium", in_chromium, arguments, tally, SUITE="all", CHROMIUM=browser
                ),
            ]
        )


def run_without(slug: str) -> tuple[str, list[str]]:
    """Return the title and the options of a run without a game, of what might miss it.

    Its own tests are left out, those of other games, and those of folders that no game reaches.
    """
    others = [f"games/{other}" for other in GAMES if other != slug]
    ignored = [f"--ignore=tests/{folder}" for folder in (*others, *UNTOUCHED)]
    options = ["-m", "not browser and not postgres", f"--without={slug}"]
    return f"without {slug}", [*options, *ignored]


def main(arguments: list[str]) -> int:
    """Run the tests; the last line says how many passed and failed."""
    tally = Tally()
    is_whole = "--all" in arguments
    rest = [argument for argument in arguments if argument != "--all"]
    try:
        is_well = (run_all if is_whole else run_short)(rest, tally)
    except debian.Missing as problem:
        print(problem, flush=True)
        tally.failed += 1
        is_well = False
    if not tally.passed + tally.failed + tally.skipped:
        print("no test was selected")
    print(f"\n{tally}", flush=True)
    return 0 if is_well and not tally.failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
