"""Set up a directory, a database and a Redis for the tests, before the settings are loaded.

pytest loads this as a plugin (``-p tests.boot``), because pytest-django loads the settings before
it reads any conftest.py.  Every xdist worker does all of this for itself.
"""

import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from tests import durations, own_tests, raw_statements

ROOT = Path(__file__).resolve().parent.parent
POSTGRESQL = "postgresql"
SQLITE = "sqlite"
#: Seconds that a test waits for what must come: many, because they cost nothing when it comes, and
#: a slow machine is no mistake.
PATIENCE = 60.0

#: Each of these tests has processes of its own, or shares one site with all tests of its worker.
APART = ("tests/faults/", "tests/e2e/")
#: The tests of this directory mostly wait for processes.
WAITING = "tests/faults/"
#: The tests of this directory share one site.
SHARED = "tests/games/duel/conformance/"
#: Whether this is ``./run test`` without arguments.
IS_MINUTE = os.environ.get("SUITE") == "minute"
#: They need Chromium.
BROWSER_TESTS = ROOT / "tests" / "e2e"
#: Marker -> what is said of a test that cannot run here.
NEEDS = {
    "postgres": "needs PostgreSQL: ./run test --all",
    "browser": "needs Chromium: ./run test --all",
    "sqlite": "is about SQLite alone",
    "fault_profile": "is left to ./run test --all",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    add = parser.getgroup("site").addoption
    where = "the database to test on; for postgresql TEST_DATABASE_URL says where it is"
    add("--database", choices=(SQLITE, POSTGRESQL), default=SQLITE, help=where)
    what = "leave a game out, and the tests that are about it or played with it;"
    add("--without", metavar="SLUG", help=f"{what} {own_tests.EVERY}: all but the tests' own")
    how = "run the browser tests; CHROMIUM says where it is"
    add("--with-browser", action="store_true", help=how)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, Any, Any]:
    """Prepare the environment before pytest-django looks at it."""
    database = early_config.known_args_namespace.database
    directory = Path(tempfile.mkdtemp(prefix="rps-test-"))
    early_config.add_cleanup(lambda: shutil.rmtree(directory, ignore_errors=True))
    os.environ["DJANGO_SETTINGS_MODULE"] = "rpsite.settings.test"
    os.environ["SITE_VAR"] = str(directory)
    os.environ["DATABASE_URL"] = _database_url(database, directory)
    from tools.temporary_valkey import TemporaryValkey  # It reads the environment.

    valkey = TemporaryValkey(directory)
    valkey.start()
    early_config.add_cleanup(valkey.stop)
    os.environ["REDIS_URL"] = valkey.url
    if absent := early_config.known_args_namespace.without:
        own_tests.leave_out(absent)
    outcome = yield
    if raw_statements.FOLDER in os.environ:
        recorder = raw_statements.Recorder()
        recorder.start()
        early_config.add_cleanup(lambda: raw_statements.note(recorder))
    if durations.FOLDER in os.environ:
        measured = durations.Recorder()
        early_config.pluginmanager.register(measured)
        early_config.add_cleanup(measured.note)
    return outcome


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip, by name, what needs something that is not here."""
    on_postgresql = config.getoption("database") == POSTGRESQL
    absent = {"sqlite"} if on_postgresql else {"postgres"}
    if not config.getoption("with_browser"):
        absent.add("browser")
    if os.environ.get("SUITE") in ("minute", "more"):
        absent.add("fault_profile")
    if IS_MINUTE:
        _leave_out(config, items, lambda item: not durations.is_in_first_form(item))
    for item in items:
        for name in sorted(filter(item.get_closest_marker, absent)):
            item.add_marker(pytest.mark.skip(reason=NEEDS[name]))
    if config.getoption("without"):
        # Processes of the site have all games.
        _leave_out(config, items, lambda item: bool(item.get_closest_marker("processes")))
    items[:] = _mixed(items)


def _mixed(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests, long groups first, with four other groups after one that mostly waits."""
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(_group_of(item.nodeid), []).append(item)
    names = sorted(groups, key=lambda name: not _is_long(groups[name]))
    others = iter([name for name in names if not name.startswith(WAITING)])
    waiting = (name for name in names if name.startswith(WAITING))
    mixed = [name for each in waiting for name in (each, *itertools.islice(others, 4))]
    return [item for name in (*mixed, *others) for item in groups[name]]


def _is_long(group: list[pytest.Item]) -> bool:
    return any(item.get_closest_marker(name) for item in group for name in ("processes", "slow"))


def _group_of(nodeid: str) -> str:
    """Return the name of the tests that stay in one worker: a file's, if they share a start."""
    path = nodeid.partition("::")[0]
    if path.startswith(SHARED):
        return path.rpartition("/")[0]
    return nodeid if path.startswith(APART) else path


def _leave_out(
    config: pytest.Config, items: list[pytest.Item], is_out: Callable[[pytest.Item], bool]
) -> None:
    out = [item for item in items if is_out(item)]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if not is_out(item)]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import what cannot run: other forms, or Playwright's where no browser is named."""
    absent = config.getoption("without")
    is_of_browser = collection_path == BROWSER_TESTS and not config.getoption("with_browser")
    is_of_absent = absent and collection_path in own_tests.files_of(absent)
    is_left_out = IS_MINUTE and collection_path.match("test_*.py")
    is_of_others = is_left_out and not durations.has_first_form(collection_path)
    return True if is_of_browser or is_of_absent or is_of_others else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the browser tests, which are not loaded, among what was skipped."""
    if os.environ.get("SUITE") == "more":
        files = len(list(BROWSER_TESTS.glob("test_*.py")))
        terminalreporter.write_line(f"SKIPPED tests/e2e, {files} files: {NEEDS['browser']}")


def pytest_collection_finish() -> None:
    """Make the cyclic collector rest: it took an eighth of the time of tests."""
    from rpsite.processes.limits import let_collector_rest

    let_collector_rest()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _group_of(nodeid)

    return Scheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """After each database test, and before its rollback or flush, prove that the ledger holds."""
    outcome = yield
    is_audited = _uses_database(item) and not item.get_closest_marker("breaks_ledger")
    if is_audited and (violations := _violations()):
        pytest.fail("the ledger does not hold:\n" + "\n".join(violations), pytrace=False)
    return outcome


def _database_url(database: str, directory: Path) -> str:
    if database == SQLITE:
        return f"sqlite:///{directory / 'site.sqlite3'}"
    url = os.environ.get("TEST_DATABASE_URL")
    if not url:
        raise pytest.UsageError(
            "--database=postgresql needs TEST_DATABASE_URL; ./run test --all sets it,"
            " and so does: python -m tools.postgres -- python -m pytest --database=postgresql"
        )
    return url


def _uses_database(item: pytest.Item) -> bool:
    fixtures = {"db", "transactional_db", "django_db_reset_sequences"}
    used = fixtures.intersection(getattr(item, "fixturenames", ()))
    return bool(item.get_closest_marker("django_db") or used)


def _violations() -> list[str]:
    from django.db import connection

    from economy.audit import find_violations

    if connection.in_atomic_block and connection.needs_rollback:
        return []  # The test itself ended in a database error: nothing can be asked any more.
    return find_violations()
