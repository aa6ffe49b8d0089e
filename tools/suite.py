"""Run the tests: ``./run test [FORM] [pytest's arguments]``.

    ./run test                the plainest tests and the cheap ones: a minute
    ./run test PATH ...       the tests of these files, all of them
    ./run test --changed [REV]   the tests of what changed since a commit, HEAD by default
    ./run test --more         what needs only Python packages
    ./run test --all          also PostgreSQL, Chromium, and no game at all; what cannot run fails
    ./run test --turn         without one game, another one for each commit
    ./run test --long [PART ...]   the parts of tools/long.py, which take too long for --all
    ./run test --record [PATH ...]   --more; writes tests/durations.txt

What cannot run is reported as skipped, by name.  The last line counts the tests of all runs.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from games import registry
from tests import durations, raw_statements
from tests.own_tests import EVERY
from tests.platform import prepared
from tools import changed, debian, nginx, postgres
from tools.long import run_long
from tools.runs import ON_SQLITE, ROOT, Tally, ask_git, run_again, run_suite, run_without

#: The markers of tests that run on PostgreSQL.
ON_POSTGRESQL = "(both_databases or postgres) and not browser and not sqlite"
_MARKED = re.compile(r"\bmark\.(?:both_databases|postgres)\b")


def run_minute(arguments: list[str], tally: Tally) -> bool:
    """Run the first form, or all tests that the arguments name.

    Without bytecode, pytest's own assertions cost more than the tests: failed tests run again.
    """
    if arguments:
        return run_suite("on SQLite", [], arguments, tally)
    title = "the first form, on SQLite"
    if run_suite(title, ["--assert=plain"], [], tally, SUITE="minute"):
        return True
    run_again("the failed ones, with what they compared")
    return False


def run_more(arguments: list[str], tally: Tally) -> bool:
    """Run the tests that need only Python packages."""
    return run_suite("on SQLite", [], arguments, tally, SUITE="more")


def run_changed(arguments: list[str], tally: Tally) -> bool:
    """Run the tests of what changed since a commit; the first form of them if they take long."""
    files = changed.tests_since(arguments[0] if arguments else "HEAD")
    print("\n".join(files) or "nothing that a test reads has changed", flush=True)
    if not files:
        return True
    form = "more" if changed.is_quick(files) else "minute"
    if form == "minute":
        files = [file for file in files if durations.has_first_form(ROOT / file)]
        print("they take long: only those of the first form run; name a file for all of its tests")
    return run_suite("what changed", ["-n", str(os.cpu_count() or 1)], files, tally, SUITE=form)


def run_record(arguments: list[str], tally: Tally) -> bool:
    """Run --more, or these files, and write the table of durations, also of tests that fail."""
    with tempfile.TemporaryDirectory() as folder:
        there = {"SUITE": "more", durations.FOLDER: folder}
        is_well = run_suite("recorded", [], arguments, tally, **there)
        durations.write(Path(folder), is_whole=not arguments)
    return is_well


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
        more = {"SUITE": "more", prepared.FOLDER: folder}
        whole = {"SUITE": "all", prepared.FOLDER: folder, "CHROMIUM": browser, "TURN": turn}
        return all(
            [
                run_suite("on SQLite", ["-m", ON_SQLITE], arguments, tally, **whole),
                run_on_postgresql(arguments, tally, **whole, TEST_DATABASE_URL=url),
                # In the form --more: what depends on the games depends on no amount.
                run_suite(*run_without(EVERY), arguments, tally, **more),
                run_suite("in Chromium", in_chromium, arguments, tally, **whole),
            ]
        )


def run_turn(arguments: list[str], tally: Tally) -> bool:
    """Run the suite without the game of this commit."""
    return run_suite(*run_without(game_of_this_commit()), arguments, tally, SUITE="more")


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


FORMS = {
    "--more": run_more,
    "--changed": run_changed,
    "--all": run_all,
    "--turn": run_turn,
    "--long": run_long,
    "--record": run_record,
}


def main(arguments: list[str]) -> int:
    """Run the tests; the last line says how many passed and failed."""
    if {"-h", "--help"} & set(arguments):
        print(__doc__.strip())
        return 0
    tally = Tally()
    runs = [FORMS[argument] for argument in arguments if argument in FORMS] or [run_minute]
    rest = [argument for argument in arguments if argument not in FORMS]
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
