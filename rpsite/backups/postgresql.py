"""Backups of a PostgreSQL database: ``pg_dump``, and ``psql`` in one transaction to restore. The
password is passed in the environment, because others can read command lines.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import urlsplit, urlunsplit

import environ
import psycopg
from django.conf import settings
from django.db import connection, connections
from django.db.backends.postgresql.client import DatabaseClient

from rpsite.backups import journals
from rpsite.backups.files import BackupFailed, InUse, NotEmpty, draft_in, shown
from rpsite.backups.journals import Journal, Snapshot

SUFFIX: Final = ".dump"
#: Leave out owners and rights: the restoring user may have another name.
_PLAIN: Final = ("--no-owner", "--no-privileges")
_TABLES: Final = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
_OTHERS: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)
#: The end of a script: the rows go before it, a line each.
_ROWS: Final = (
    b"SET search_path TO public;\n"
    b"COPY games_archivedjournal (match_id, format, last_no, digest, data) FROM stdin;\n"
)
_ALL_THERE: Final = (
    f"\\.\nDO $$ BEGIN IF ({journals.LOST}) > 0 THEN"
    f" RAISE EXCEPTION '{journals.LACKING}'; END IF; END $$;\n"
).encode()


@contextlib.contextmanager
def copied(draft: Path) -> Iterator[Snapshot]:
    """Dump one state of the database into an empty file, and yield the archived journals, which are
    not in it. Raises BackupFailed.
    """
    known = connection.get_connection_params()
    try:
        with psycopg.connect(**known) as connected:
            connected.read_only = True
            connected.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connected.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            (name,) = connected.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
            copy(draft, f"--snapshot={name}", "--exclude-table-data=games_archivedjournal")
            yield Snapshot(_journals(connected), partial(_texts, connected))
    except psycopg.Error as problem:
        raise BackupFailed(f"PostgreSQL: {problem}") from None


def _journals(connected: psycopg.Connection[Any]) -> Iterator[Journal]:
    wanted = "SELECT match_id, format, last_no, digest FROM games_archivedjournal ORDER BY 1"
    with connected.cursor("listed") as rows:
        rows.execute(wanted)
        yield from map(Journal._make, rows)


def _texts(
    connected: psycopg.Connection[Any], match_ids: Sequence[int]
) -> Iterable[tuple[str, bytes]]:
    rows = "SELECT digest, data FROM games_archivedjournal WHERE match_id = ANY(%s)"
    return connected.execute(rows, [list(match_ids)])


def size() -> int:
    """Return the size of the database in bytes."""
    return _ask("SELECT pg_database_size(current_database())")


def copy(draft: Path, *options: str) -> None:
    """Write a copy of the database, by default a whole one, into a file. Raises BackupFailed."""
    _run("pg_dump", *_PLAIN, *options, "--format=custom", f"--file={draft}", *_address())


def restore(path: Path, keep: Callable[[Callable[[Path], None]], None], *, overwrite: bool) -> None:
    """Restore a copy in one transaction; ``keep`` is called before it. Raises BackupFailed, InUse,
    NotEmpty.
    """
    _let_go()
    with draft_in(path.parent) as script:
        # Check the whole script first: a truncated one would be run up to its end.
        _run("pg_restore", *_PLAIN, f"--file={script}", str(path))
        _add_journals(path, script)
        is_there = _ask(_TABLES) > 0
        if is_there and not overwrite:
            raise NotEmpty(str(connection.settings_dict["NAME"]))
        if _ask(_OTHERS) > 0:
            raise InUse(str(connection.settings_dict["NAME"]))
        if is_there:
            keep(copy)
        _replay(script)


def _add_journals(copy: Path, script: Path) -> None:
    """Add the archived journals that a copy lacks to the end of its script."""
    with script.open("ab") as text:
        text.write(_ROWS)
        for journal, data in journals.read(copy):
            fields = "\t".join(map(str, journal))
            text.write(f"{fields}\t\\\\x{data.hex()}\n".encode())
        text.write(_ALL_THERE)


def _replay(script: Path) -> None:
    """Run a script in place of all tables, in one transaction."""

    def read() -> int:
        """Return how far psql is: it shares this process's place in the file."""
        return os.lseek(text.fileno(), 0, os.SEEK_CUR)

    with script.open("rb") as text, shown("restore", script.stat().st_size, read):
        _run(
            *("psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"),
            *(
                "--command=SET client_min_messages TO warning",
                "--command=SET lock_timeout TO '10s'",
            ),
            *("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public"),
            *("--file=-", *_address()),
            given=text,
        )


@contextlib.contextmanager
def empty_database(place: Path) -> Iterator[str]:
    """Yield the URL of a new database beside the site's, and drop it afterwards. Raises
    BackupFailed where the user may not create one; RESTORE_TEST_URL names one who may.
    """
    parts = urlsplit(settings.RESTORE_TEST_URL or os.environ["DATABASE_URL"])
    server = {"OPTIONS": {}, **environ.Env.db_url_config(urlunsplit(parts))}
    name = f"{server['NAME']}_restore_test"[-63:]
    drop = f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'
    # One of a test that was killed may be left.
    _run("psql", "--no-psqlrc", f"--command={drop}", *_address(server), server=server)
    make = f'--command=CREATE DATABASE "{name}"'
    _run("psql", "--no-psqlrc", make, *_address(server), server=server)
    try:
        yield urlunsplit(parts._replace(path=f"/{name}"))
    finally:
        _run("psql", "--no-psqlrc", f"--command={drop}", *_address(server), server=server)


def _let_go() -> None:
    connections.close_all()
    if close_pool := getattr(connection, "close_pool", None):
        close_pool()


def _ask(query: str) -> int:
    """Query with a separate connection: those of Django's pool would count as other users."""
    said = _run("psql", "--no-psqlrc", "-At", f"--command={query}", *_address())
    return int(said)


def _address(server: dict[str, Any] | None = None) -> list[str]:
    """Return the options for host, port, user and database; ``server``: Django's settings of
    another one.
    """
    return DatabaseClient.settings_to_cmd_args_env(server or connection.settings_dict, [])[0][1:]


def _run(
    program: str,
    *arguments: str,
    given: IO[bytes] | None = None,
    server: dict[str, Any] | None = None,
) -> str:
    """Run a program of PostgreSQL with ``given`` as its input; return its output. Raises
    BackupFailed.
    """
    path = shutil.which(program)
    if path is None:
        raise BackupFailed(f"{program} is not here; on Debian: apt-get install postgresql-client")
    known = server or connection.settings_dict
    variables = DatabaseClient.settings_to_cmd_args_env(known, [])[1] or {}
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's, and no shell
        [path, *arguments],
        env=os.environ | variables,
        stdin=given or subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BackupFailed(f"{program}: {done.stderr.strip()[-500:]}")
    return done.stdout
