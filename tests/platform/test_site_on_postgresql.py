import time

import psycopg
import pytest

from tests.boot import PATIENCE
from tests.platform.prepared import administer, database_url, new_database
from tests.platform.site import Site

pytestmark = [pytest.mark.processes, pytest.mark.postgres]
NAME = "site_of_its_own"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with Site(tmp_path_factory.mktemp("site"), DATABASE_URL=new_database(NAME)) as running:
        yield running
    administer(f"DROP DATABASE {NAME} WITH (FORCE)")


def test_the_site_serves_from_a_pool_with_limits(site):
    for _ in range(20):
        assert site.get("/")[0] == 200
        assert site.get("/healthz") == (200, b"ok")
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    with psycopg.connect(database_url(NAME)) as observer:
        ((sessions,),) = observer.execute(query)
    assert 1 < sessions <= 1 + 16 + 2 * 16, "the web process, two of the worker, and this one"
    assert not list(site.var.glob("*.sqlite3"))


def test_beat_and_worker_sweep_on_postgresql_too(site):
    """Nothing is wrong with the tasks: they come every five seconds and say nothing."""
    site.wait_until_complete()
    time.sleep(7)
    assert [line for line in site.lines if "Traceback" in line or "ERROR" in line] == []
    assert {line.split("|")[0].strip() for line in site.lines} == {"site"}


def test_a_lock_in_the_database_ends_what_waits_for_it(site):
    """Otherwise the batch writer and every page that writes would wait for the lock's holder."""
    until = time.monotonic() + PATIENCE
    with psycopg.connect(database_url(NAME)) as other:
        other.execute("LOCK TABLE django_session IN EXCLUSIVE MODE")
        # What /healthz has found stands for a moment.
        while (answer := site.get("/healthz", timeout=PATIENCE))[0] == 200:
            assert time.monotonic() < until
            time.sleep(0.2)
    assert answer == (503, b"no database")
