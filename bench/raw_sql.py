"""Raw SQL beside the same in Django's ORM: ``python -m bench.raw_sql [--database postgresql]``.

Fills a database of its own with bare rows, then runs both forms in turn, each in a transaction that
is rolled back, and prints the medians.  Reads must give the same rows in both.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.template import prepare, variables
from tools.postgres import running_cluster

PEOPLE, MATCHES, ROWS = 20_000, 50_000, 500_000
TURNS = 15


def main() -> int:
    """Measure on one database and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.raw_sql", description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        _measure(given.database)
        return 0
    with tempfile.TemporaryDirectory(prefix="raw-sql-") as name:
        if given.database == "sqlite":
            return _run(Path(name), f"sqlite:///{name}/site.sqlite3")
        with running_cluster(durable=True) as url:
            return _run(Path(name), url)


def _run(var: Path, url: str) -> int:
    environment = {**variables(var, url), "REDIS_URL": "unix:///nowhere"}
    prepare(environment)
    inside = [sys.executable, "-m", "bench.raw_sql", "--inside", *sys.argv[1:]]
    return subprocess.run(inside, env=environment, check=False).returncode


def _measure(database: str) -> None:
    import django

    django.setup()
    from bench.growth_rows import Rows
    from bench.raw_sql_forms import cases

    Rows(PEOPLE).fill(MATCHES, ROWS, archived=0.5)
    print(f"| {database} | raw, µs | ORM, µs | ratio |\n|---|---|---|---|")
    for name, *forms in cases():
        raw, orm = _compare(forms)
        print(f"| {name} | {raw:.0f} | {orm:.0f} | {orm / raw:.1f} |", flush=True)


def _compare(forms: Sequence[Callable[[], Any]]) -> list[float]:
    """Return the median of each, in microseconds; a first turn warms up and compares."""
    answers = [_once(form)[0] for form in forms]
    assert answers[0] == answers[1], answers
    turns = [[_once(form)[1] for form in forms] for _ in range(TURNS)]
    return [1e6 * statistics.median(times) for times in zip(*turns, strict=True)]


def _once(form: Callable[[], Any]) -> tuple[Any, float]:
    from django.db import connection, transaction

    with transaction.atomic():
        with connection.cursor() as cursor:
            # SQLite's BEGIN is no part of it.
            cursor.execute("SELECT 1")
        # As in ``bench.growth``: on a busy machine the processor's time says more.
        clock = time.process_time if connection.vendor == "sqlite" else time.perf_counter
        begun = clock()
        answer = form()
        took = clock() - begun
        transaction.set_rollback(True)
    return answer, took


if __name__ == "__main__":
    raise SystemExit(main())
