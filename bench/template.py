"""A prepared database, created once a run; every measurement gets a copy."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.children import Hand
from rpsite.env import ROOT

SQLITE = "sqlite"
POSTGRESQL = "postgresql"
_STRANGE = ("REDIS_URL", "DATABASE_URL", "SITE_HOSTS", "SITE_RUNNER", "HINT_BUS_URL", "SITE_VAR")
#: One load generator sends more frames from one address than any person.
LIMITS = {
    "SOCKET_RATE": "1000000",
    "SOCKET_BURST": "1000000",
    "SOCKETS_PER_ADDRESS": "1000000",
    "SOCKETS_PER_USER": "1000000",
}

#: In one process: most of what each command costs is Django's start.
_PREPARE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
call_command("createcachetable", verbosity=0)
call_command("collectstatic", verbosity=0, interactive=False)
"""


def variables(var: Path, database: str) -> dict[str, str]:
    """Return the environment of a site's processes."""
    kept = {name: value for name, value in os.environ.items() if name not in _STRANGE}
    return (
        kept
        | LIMITS
        | {
            "SITE_VAR": str(var),
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": "rpsite.settings.site",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "LOG_LEVEL": "WARNING",
            "SECRET_KEY": "not a secret: this site ends with its measurement",
        }
    )


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a management command and return its output.

    Raises:
        RuntimeError: it failed; with its output.
    """
    return _run(environment, "manage.py", *arguments)


def prepare(environment: Mapping[str, str]) -> None:
    """Migrate the database, and collect the files."""
    _run(environment, "-c", _PREPARE)


def _run(environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stdout}\n{done.stderr}")
    return done.stdout


class Template:
    """A migrated database with users and sessions; every stand gets a copy."""

    def __init__(self, directory: Path, database: str, cluster: str | None, count: int) -> None:
        self.directory, self.kind, self._cluster = directory, database, cluster
        directory.mkdir()
        self.url = f"sqlite:///{directory / 'site.sqlite3'}"
        if database == POSTGRESQL:
            self.url = self._new_database("template")
        environment = variables(directory, self.url) | {"REDIS_URL": "unix:///nowhere"}
        prepare(environment)
        hand = Hand(directory / "hand.log", environment)
        self.people: list[dict[str, Any]] = hand("people", count=count)
        self.games: list[str] = hand("games")
        hand.close()
        self._copies = 0

    def copy(self, var: Path, delay: int = 0) -> str:
        """Fill a stand's directory and return the address of its database.

        Args:
            delay: PostgreSQL's ``commit_delay`` there, in microseconds.
        """
        (var / "static").symlink_to(self.directory / "static")
        self._copies += 1
        if self.kind == POSTGRESQL:
            url = self._new_database(f"stand_{self._copies}", like=self.url)
            for name, value in (("commit_delay", delay), ("commit_siblings", 1)):
                # By default PostgreSQL waits only beside five other transactions.
                if delay:
                    self._administer(f"ALTER DATABASE {_name(url)} SET {name} = {value}")
            return url
        for file in self.directory.glob("*.sqlite3*"):
            shutil.copy(file, var / file.name)
        return f"sqlite:///{var / 'site.sqlite3'}"

    def drop(self, url: str) -> None:
        """Delete a copy."""
        if self.kind == POSTGRESQL:
            self._administer(f"DROP DATABASE {_name(url)} WITH (FORCE)")

    def _new_database(self, name: str, like: str | None = None) -> str:
        assert self._cluster is not None
        source = f" TEMPLATE {_name(like)}" if like else ""
        self._administer(f"CREATE DATABASE bench_{name}{source}")
        return f"{self._cluster.rpartition('/')[0]}/bench_{name}"

    def _administer(self, statement: str) -> None:
        import psycopg

        assert self._cluster is not None
        address = self._cluster.replace("postgres://", "postgresql://", 1)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statement)


def _name(url: str) -> str:
    return url.rpartition("/")[2]


@contextlib.contextmanager
def workshop(where: Path) -> Iterator[Path]:
    """Yield a temporary directory for the files of the measured sites."""
    directory = where / f"bench-{os.getpid()}"
    directory.mkdir(parents=True)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
