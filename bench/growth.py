"""A site with many finished matches beside one with few: ``python -m bench.growth``.

Fills a database of its own with bare rows, by SQL, and measures what runs on every site: sweep,
lists, profiles, history, leaderboards, audits, archive and backup.  Each statement's plan is read;
one that reads a large table from end to end is listed.  ``--database postgresql`` does the same
there, ``--matches`` and ``--rows`` set the size.  Needs 8 GB of disk at the full size.
"""

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.template import prepare, variables
from tools.postgres import running_cluster

#: The size at which the first figures are measured.
FEW: Final = 1_000
PEOPLE: Final = 50_000
#: Rows from which on a table counts as large, on a site with many matches.
LARGE: Final = 20_000
#: A table that a plan reads whole, in the words of either database.
_WHOLE: Final = {
    "sqlite": re.compile(r"^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?"),
    "postgresql": re.compile(r"Seq Scan on (\w+)"),
}


@dataclass(slots=True)
class Seen:
    """The statements of one measurement, with their parameters, and its duration in ms."""

    statements: dict[str, Any] = field(default_factory=dict)
    took: float = 0.0
    note: str = ""


def main() -> int:
    """Run it on one database and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=10_000_000, help="entries and transfers")
    parser.add_argument("--folder", type=Path, help="a folder with room; /tmp by default")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        _measure(given.inside, given)
        return 0
    with tempfile.TemporaryDirectory(prefix="growth-", dir=given.folder) as name:
        var = Path(name)
        if given.database == "sqlite":
            return _run(var, f"sqlite:///{var / 'site.sqlite3'}")
        with running_cluster(durable=False) as url:
            return _run(var, url)


def _run(var: Path, url: str) -> int:
    """Measure in a process whose settings are those of the new database."""
    environment = {**variables(var, url), "REDIS_URL": "unix:///nowhere"}
    prepare(environment)
    inside = [sys.executable, "-m", "bench.growth", "--inside", str(var), *sys.argv[1:]]
    return subprocess.run(inside, env=environment, check=False).returncode


def _measure(var: Path, given: argparse.Namespace) -> None:
    import django

    django.setup()
    from bench.growth_rows import Rows

    rows = Rows(PEOPLE)
    rows.fill(FEW, FEW * given.rows // given.matches, archived=0.5)
    few = dict(_all(var))
    started = time.monotonic()
    rows.fill(given.matches, given.rows, archived=0.5)
    print(f"# filled in {time.monotonic() - started:.0f} s: {rows.sizes()}", flush=True)
    many = dict(_all(var))
    print(f"\n| {given.database} | {FEW:,} matches, ms | {given.matches:,}, ms | reads whole |")
    print("|---|---|---|---|")
    for name, seen in many.items():
        whole = ", ".join(sorted(_reads_whole(seen)))
        note = f" ({seen.note})" if seen.note else ""
        print(f"| {name}{note} | {few[name].took:.1f} | {seen.took:.1f} | {whole} |")
    _try_migrations()


def _all(var: Path) -> Iterator[tuple[str, Seen]]:
    """Do everything once to warm up, then once to measure."""
    from bench.growth_calls import calls

    for name, call in calls(var).items():
        is_once = name.startswith(("backup", "archive", "audit, whole"))
        if not is_once:
            _watched(call)
        yield name, _watched(call)
        print(f"# {name}", file=sys.stderr, flush=True)


def _watched(call: Callable[[], object]) -> Seen:
    from django.db import connection

    seen = Seen()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.statements.setdefault(sql, None if many else params)
        return execute(sql, params, many, context)

    # On a busy machine the processor's time says more, where all the work is in this process.
    clock = time.process_time if connection.vendor == "sqlite" else time.perf_counter
    begun = clock()
    with connection.execute_wrapper(note):
        try:
            said = call()
            seen.note = said if isinstance(said, str) else ""
        except Exception as problem:
            seen.note = f"{type(problem).__name__}: {problem}"[:150]
    seen.took = 1000 * (clock() - begun)
    return seen


def _reads_whole(seen: Seen) -> set[str]:
    """Return the large tables that a plan reads whole, with the start of the statement."""
    from django.db import DatabaseError, connection, transaction

    large = _large_tables()
    explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
    found = set()
    for sql, params in seen.statements.items():
        if params is None or not sql.lstrip().upper().startswith(("SELECT", "WITH")):
            continue
        with contextlib.suppress(DatabaseError), transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(explain + sql, params)
                lines = [str(row[-1]) for row in cursor.fetchall()]
            if " LIMIT " in sql and not any(
                "TEMP B-TREE" in line or "Sort" in line for line in lines
            ):
                # Read in order, up to the limit.
                continue
            for line in lines:
                # A partial index has few of the rows.
                if any(
                    index in line
                    for index in ("seat_awarded", "user_banned", "user_bots", "user_unsettled")
                ):
                    continue
                if "match_status_listed" in line and "over" in params:
                    found.add(f"games_match (over): `{' '.join(sql.split())[:60]}`")
                match = _WHOLE[connection.vendor].search(line)
                table = match and _table_of(match[1], sql)
                if match and table in large:
                    found.add(f"{table}: `{' '.join(sql.split())[:60]}`")
    return found


def _table_of(name: str, sql: str) -> str:
    """Return the table of a name in a plan, which may be an alias."""
    alias = re.search(rf'"?(\w+)"? (?:AS )?"?{name}"?\b', sql)
    return alias[1] if alias and alias[1].startswith(("games_", "economy_")) else name


def _large_tables() -> set[str]:
    from django.apps import apps
    from django.db import connection

    found = set()
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            if connection.vendor == "sqlite":
                cursor.execute(f'SELECT COALESCE(MAX(rowid), 0) FROM "{table}"')
            else:
                cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [table])
            row = cursor.fetchone()
            if row and row[0] > LARGE:
                found.add(table)
    return found


def _try_migrations() -> None:
    """Time two statements of the kind that migrations may use, on the largest table."""
    from django.db import connection

    is_sqlite = connection.vendor == "sqlite"
    apart = "" if is_sqlite else "CONCURRENTLY "
    print("\n| statement | s |\n|---|---|")
    for sql in (
        "ALTER TABLE economy_transfer ADD COLUMN note varchar(20) NULL",
        "ALTER TABLE games_entry ADD COLUMN note varchar(20) NULL",
        f"CREATE INDEX {apart}try_at ON economy_transfer (code, at)",
        "DROP INDEX try_at" if is_sqlite else "DROP INDEX CONCURRENTLY try_at",
        "ALTER TABLE economy_transfer DROP COLUMN note",
    ):
        begun = time.perf_counter()
        with connection.cursor() as cursor:
            cursor.execute(sql)
        print(f"| `{sql}` | {time.perf_counter() - begun:.2f} |", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
