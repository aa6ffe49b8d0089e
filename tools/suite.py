"""Run the tests: ``./run test [--all | --turn | --long [PART ...]] [pytest's arguments]``.

Without --all the tests run that need no system package, and the rest is reported as skipped, by
name.  With --all the suite runs on SQLite, the tests that depend on the database again on
PostgreSQL, then the suite without any game, and the tests in Chromium; a test that cannot run is a
failure.  With --turn the suite runs without one game, another one for each commit: CI does so.
With --long the parts of tools/long.py run, which take too long for --all.  The last line counts the
tests of all runs.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from games import registry
from tests import raw_statements
from tests.own_tests import EVERY
from tests.platform import prepared
from tools import debian, nginx, postgres
from tools.long import run_long
from tools.runs import ON_SQLITE, ROOT, Tally, ask_git, run_suite, run_without

#: The markers of tests that run on PostgreSQL.
ON_POSTGRESQL = "(both_databases or postgres) and not browser and not sqlite"
_MARKED = re.compile(r"\bmark\.(?:both_databases|postgres)\b")


def run_short(arguments: list[str], tally: Tally) -> bool:
    """Run the tests that need only Python packages."""
    variables = {} if arguments else {"SUITE": "short"}
    return run_suite("on SQLite", [], arguments, tally, **variables)


def run_all(arguments: list[str], tally: Tally) -> bool:
    """Run everything except the long parts; return whether all passed."""
    browser = str(debian.ensure(debian.chromium, *debian.BROWSERS))
    nginx.ensure()
    for command in ("bench", "sbom"):  # Their packages: nothing is installed while tests run.
        subprocess.run([ROOT / "run", command, "--help"], stdout=subprocess.DEVNULL, check=False)
    # Name the folders, so that pytest loads no others.
    in_chromium = ["-m", "browser", "--with-browser", *([] if arguments else ["tests/e2e"])]
    turn = str(number_of_this_commit())
    with postgres.running_cluster() as url, tempfile.TemporaryDirectory() as folder:
        short = {"SUITE": "short", prepared.FOLDER: folder}
        whole = {"SUITE": "all", prepared.FOLDER: folder, "CHROMIUM": browser, "TURN": turn}
        return all(
            [
                run_suite("on SQLite", ["-m", ON_SQLITE], arguments, tally, **whole),
                run_on_postgresql(arguments, tally, **whole, TEST_DATABASE_URL=url),
                # In the short form: what depends on the games depends on no amount.
                run_suite(*run_without(EVERY), arguments, tally, **short),
                run_suite("in Chromium", in_chromium, arguments, tally, **whole),
            ]
        )


def run_turn(arguments: list[str], tally: Tally) -> bool:
    """Run the suite without the game of this commit."""
    return run_suite(*run_without(game_of_this_commit()), arguments, tally, SUITE="short")


def run_on_postgresql(arguments: list[str], tally: Tally, **variables: str) -> bool:
    """Run the tests that depend on the database; every raw statement of the site must have run."""
    options = ["-m", ON_POSTGRESQL, "--database=postgresql", *([] if arguments else marked_files())]
    with tempfile.TemporaryDirectory() as directory:
        there = variables | {raw_statements.FOLDER: directory}
        is_well = run_suite("on PostgreSQL", options, arguments, tally, **there)
        missed = [] if arguments else raw_statements.missed(Path(directory))
    for place in missed:
        print(f"no test marked both_databases ran the statement of {place}", flush=True)
    tally.failed += bool(missed)
    return is_well and not missed


def marked_files() -> list[str]:
    """Return the files that have tests for PostgreSQL, so that pytest loads no others."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(file) for file in files if _MARKED.search(file.read_text(encoding="utf-8"))]


def number_of_this_commit() -> int:
    """Return the number of this commit, by which games and pages take turns; 0 without git."""
    return int(ask_git("rev-list", "--count", "HEAD") or 0)


def game_of_this_commit() -> str:
    """Return the game that this commit's run leaves out; the games take turns."""
    slugs = registry.slugs()
    return slugs[number_of_this_commit() % len(slugs)]


def main(arguments: list[str]) -> int:
    """Run the tests; the last line says how many passed and failed."""
    tally = Tally()
    kinds = {"--all": run_all, "--turn": run_turn, "--long": run_long}
    runs = [kinds[argument] for argument in arguments if argument in kinds] or [run_short]
    rest = [argument for argument in arguments if argument not in kinds]
    try:
        ends = [run(rest, tally) for run in runs]
        is_well = all(ends)
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
