"""Fixtures that every test may use."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import TransactionTestCase

from tests.platform.prepared import prepared_directory


@pytest.fixture(autouse=True, scope="session")
def _guards_are_off_during_a_flush() -> Iterator[None]:
    """Let the flush after a committing test empty the transfer table, which nobody else may."""
    from economy import guards

    flush = TransactionTestCase._fixture_teardown

    def flush_without_guards(case: TransactionTestCase) -> None:
        with guards.suspended(connection):
            flush(case)
        cache.clear()

    TransactionTestCase._fixture_teardown = flush_without_guards
    yield
    TransactionTestCase._fixture_teardown = flush


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a migrated database and the collected files, to be copied."""
    return prepared_directory(tmp_path_factory)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """End what threads of the tests have left connected, so that the database can be dropped."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
