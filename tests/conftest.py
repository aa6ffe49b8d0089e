"""Fixtures that every test may use."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import TransactionTestCase


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
