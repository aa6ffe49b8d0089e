"""The site's real processes on PostgreSQL, with the pool that the tests themselves do without."""

import os
import time
from collections.abc import Iterator

import psycopg
import pytest

from tests.boot import PATIENCE
from tests.platform.site import Site

pytestmark = [pytest.mark.processes, pytest.mark.postgres]
NAME = "site_of_its_own"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A database beside the tests' own."""
    server = os.environ["TEST_DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {NAME}")
        yield server.rpartition("/")[0] + f"/{NAME}"
        admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("site"), DATABASE_URL=url) as running:
        yield running


def test_the_site_serves_from_a_pool_with_limits(site, url):
    for _ in range(20):
        assert site.get("/")[0] == 200
        assert site.get("/healthz") == (200, b"ok")
    with psycopg.connect(url) as observer:
        (sessions,) = observer.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = %s", [NAME]
        ).fetchone() or (0,)
    assert 1 < sessions <= 1 + 16 + 2 * 16, "the web process, two of the worker, and this one"
    assert not list(site.var.glob("*.sqlite3"))


def test_beat_and_worker_sweep_on_postgresql_too(site):
    """Nothing is wrong with the tasks: they come every five seconds and say nothing."""
    site.wait_until_complete()
    time.sleep(7)
    assert [line for line in site.lines if "Traceback" in line or "ERROR" in line] == []
    assert {line.split("|")[0].strip() for line in site.lines} == {"site"}


def test_a_lock_in_the_database_ends_what_waits_for_it(site, url):
    """Otherwise the batch writer and every page that writes would wait for the lock's holder."""
    until = time.monotonic() + PATIENCE
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE django_session IN EXCLUSIVE MODE")
        # What /healthz has found stands for a moment.
        while (answer := site.get("/healthz", timeout=PATIENCE))[0] == 200:
            assert time.monotonic() < until
            time.sleep(0.2)
    assert answer == (503, b"no database")
