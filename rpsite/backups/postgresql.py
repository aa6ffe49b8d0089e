"""Backups of a PostgreSQL database: ``pg_dump``, and ``psql`` in one transaction to put one back.

The password goes by the environment, never by a command line that others can read.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from django.db import connection, connections
from django.db.backends.postgresql.client import DatabaseClient

from rpsite.backups.errors import BackupFailed, InUse, NotEmpty
from rpsite.backups.files import draft_in

SUFFIX: Final = ".dump"
#: Neither owners nor rights: who restores may be called otherwise.
_PLAIN: Final = ("--no-owner", "--no-privileges")
_TABLES: Final = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
_OTHERS: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def size() -> int:
    """Return how many bytes the database has."""
    return _ask("SELECT pg_database_size(current_database())")


def copy(draft: Path) -> None:
    """Write one moment of the database into an empty file.

    Raises:
        BackupFailed: pg_dump is not here, or says no.
    """
    _run("pg_dump", *_PLAIN, "--format=custom", f"--file={draft}", *_address())


def restore(path: Path, keep: Callable[[Callable[[Path], None]], None], *, overwrite: bool) -> None:
    """Put a copy in the database's place, in one transaction; ``keep`` is called before it.

    Raises:
        BackupFailed: the copy is no good, or a program is not here or says no.
        InUse: somebody is connected.
        NotEmpty: there are tables, and they may not be replaced.
    """
    _let_go()
    with draft_in(path.parent) as script:
        # As a whole before anything is touched: a torn script would be carried out so far.
        _run("pg_restore", *_PLAIN, f"--file={script}", str(path))
        is_there = _ask(_TABLES) > 0
        if is_there and not overwrite:
            raise NotEmpty(str(connection.settings_dict["NAME"]))
        if _ask(_OTHERS) > 0:
            raise InUse(str(connection.settings_dict["NAME"]))
        if is_there:
            keep(copy)
        _run(
            *("psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"),
            *(
                "--command=SET client_min_messages TO warning",
                "--command=SET lock_timeout TO '10s'",
            ),
            *("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public"),
            *(f"--file={script}", *_address()),
        )


def _let_go() -> None:
    connections.close_all()
    if close_pool := getattr(connection, "close_pool", None):
        close_pool()


def _ask(query: str) -> int:
    """Ask by a connection of its own: those of Django's pool would count as somebody else's."""
    said = _run("psql", "--no-psqlrc", "-At", f"--command={query}", *_address())
    return int(said)


def _address() -> list[str]:
    """Return host, port, user and name, as all of PostgreSQL's programs take them."""
    return DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])[0][1:]


def _run(program: str, *arguments: str) -> str:
    """Run a program of PostgreSQL's to its end and return what it prints.

    Raises:
        BackupFailed: it is not here, or says no.
    """
    path = shutil.which(program)
    if path is None:
        raise BackupFailed(f"{program} is not here; on Debian: apt-get install postgresql-client")
    variables = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])[1] or {}
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's, and no shell
        [path, *arguments],
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BackupFailed(f"{program}: {done.stderr.strip()[-500:]}")
    return done.stdout
