import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache, caches
from django.core.management import call_command
from django.db import connection, connections
from django.test import TransactionTestCase

from economy.parts import Part, given
from games.api.operations import allowances
from games.matches.processing import outage
from games.people import activity
from games.realtime import presence
from tests.platform.prepared import prepared_database, prepared_directory


@pytest.fixture(autouse=True, scope="session")
def _committing_tests_leave_nothing() -> Iterator[None]:
    """Restore the database after each test that commits: Django's flush takes 150 ms, this 3."""
    flush = TransactionTestCase._fixture_teardown

    def restore(case: TransactionTestCase) -> None:
        if connection.vendor == "sqlite":
            connection.ensure_connection()
            pristine = _pristine(Path(connection.settings_dict["NAME"]))
            with closing(sqlite3.connect(pristine)) as source, connection.cursor() as cursor:
                source.backup(connection.connection)
                # The write-ahead log holds the whole file now.
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            with connection.cursor() as cursor:
                cursor.execute(_RESTORE)
        cache.clear()

    TransactionTestCase._fixture_teardown = restore
    yield
    TransactionTestCase._fixture_teardown = flush


def _pristine(database: Path) -> Path:
    return database.with_name("pristine.sqlite3")


#: Copy the tables of a migrated PostgreSQL that have rows into a schema of their own.
_KEEP = """
DO $$ DECLARE name text; has_rows boolean; BEGIN
  CREATE SCHEMA pristine;
  CREATE TABLE pristine."sequences" AS
    SELECT quote_ident(sequencename)::regclass AS no, last_value FROM pg_sequences
    WHERE schemaname = 'public';
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('SELECT EXISTS (TABLE public.%I)', name) INTO has_rows;
    IF has_rows THEN
      EXECUTE format('CREATE TABLE pristine.%1$I AS TABLE public.%1$I', name);
    END IF;
  END LOOP;
END $$"""
#: Replace the rows of all tables by these, and set the sequences back.  A replica runs no
#: triggers: neither the guards nor foreign keys refuse it.
_RESTORE = """
DO $$ DECLARE name text; has_rows boolean; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('SELECT EXISTS (TABLE public.%I)', name) INTO has_rows;
    IF has_rows THEN
      EXECUTE format('DELETE FROM public.%I', name);
    END IF;
    IF to_regclass('pristine.' || quote_ident(name)) IS NOT NULL THEN
      EXECUTE format('INSERT INTO public.%1$I TABLE pristine.%1$I', name);
    END IF;
  END LOOP;
  PERFORM setval(no, coalesce(last_value, 1), last_value IS NOT NULL) FROM pristine."sequences";
END $$"""


class Clock:
    """A monotonic clock that only a test moves; ``tick`` is what a look takes."""

    now, tick = 1000.0, 0.0

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Stop the monotonic clock, and return it, to be moved."""
    made = Clock()
    monkeypatch.setattr("time.monotonic", made)
    return made


@pytest.fixture
async def jumping(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Stop the loop's clock; idle, it jumps to the next timer.  For tests without other threads."""
    selector = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]
    select = selector.select

    def jump(timeout: float | None = None) -> Any:
        found = select(timeout and 0)
        clock.now += 0 if found else timeout or 0
        return found

    monkeypatch.setattr(selector, "select", jump)
    return clock


@pytest.fixture(autouse=True)
def _fragments_are_made_again() -> None:
    """Forget the parts of pages that are kept for a release, since tests change which games there
    are, and who was here.
    """
    caches["template_fragments"].clear()
    activity.forget()


@pytest.fixture(autouse=True)
def _is_no_web_process() -> None:
    """Forget the heartbeat of the test before, which outages it has repaid, what it wrote and who
    asked its API: in the next one others have the same ids.
    """
    outage._own.process_id = None
    outage._own.repaid.clear()
    presence._Written.last = (0, {})
    allowances.clear()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a migrated database and the collected files, to be copied."""
    return prepared_directory(tmp_path_factory)


@pytest.fixture(scope="session")
def django_db_setup(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[None]:
    """Make the database of this process: on SQLite a copy of the prepared one."""
    if connection.vendor == "postgresql":
        # The library's fixture of this name migrates a copy of what is migrated.
        factory = request.getfixturevalue("tmp_path_factory")
        connection.settings_dict["TEST"]["TEMPLATE"] = prepared_database(factory)
        request.getfixturevalue("django_db_setup")
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(_KEEP)
        yield
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            # Those that threads of the tests left: else the database could not be dropped.
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        return
    request.getfixturevalue("django_test_environment")
    database = Path(connection.settings_dict["TEST"]["NAME"])
    shutil.copy(request.getfixturevalue("prepared") / "site.sqlite3", database)
    # Connections of other threads are made from the settings.
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = str(database)
    with django_db_blocker.unblock():
        # The site keeps its cache in a file of its own, these tests do not.
        call_command("createcachetable", verbosity=0)
        with closing(sqlite3.connect(_pristine(database))) as pristine:
            connection.connection.backup(pristine)
    yield
    connections.close_all()


@pytest.fixture
def stipend_without_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("economy.payouts.given", lambda field: ())


@pytest.fixture
def add_to_parts() -> Iterator[Callable[..., None]]:
    """Make the economy's application give more, by dotted texts, until the test ends."""
    with pytest.MonkeyPatch.context() as patch:

        def add(**texts: tuple[str, ...]) -> None:
            patch.setattr(apps.get_app_config("economy"), "part", Part(**texts), raising=False)
            given.cache_clear()

        yield add
    given.cache_clear()
