"""A migrated database and the collected files: made once, every site gets a copy."""

import contextlib
import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.platform import forks
from tests.platform.site import environment

#: The variable that names a folder for several runs.
FOLDER = "PREPARED_FOLDER"
#: The name of the migrated database on PostgreSQL.
POSTGRESQL = "site_prepared"
_NOWHERE = {"DJANGO_SETTINGS_MODULE": "rpsite.settings.site", "REDIS_URL": "unix:///nowhere"}
#: One process for all three commands: most of what each costs is Django's own start.
_CODE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.numbers import set_numbers
set_numbers()
call_command("createcachetable", verbosity=0)
if {is_collecting}:
    call_command("collectstatic", interactive=False, verbosity=0)
"""


def prepare(variables: dict[str, str], *, is_collecting: bool = True) -> None:
    """Do what a site's first start does, except the admin's account, with the tests' numbers."""
    done = forks.run("-c", _CODE.format(is_collecting=is_collecting), env=variables)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@contextlib.contextmanager
def _shared(factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give one worker at a time the folder that all share, in ``--all`` those of all runs."""
    base = factory.getbasetemp()
    of_run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    shared = Path(os.environ.get(FOLDER, of_run))
    with (shared / "prepared.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield shared


def prepared_directory(factory: pytest.TempPathFactory) -> Path:
    """Return the directory with both, on SQLite; the first worker to ask makes it."""
    with _shared(factory) as shared:
        directory = shared / "prepared"
        if not (directory / "is_whole").exists():
            directory.mkdir(exist_ok=True)
            prepare(environment(directory, **_NOWHERE))
            (directory / "is_whole").touch()
    return directory


def prepared_database(factory: pytest.TempPathFactory) -> str:
    """Return the name of a migrated database in the PostgreSQL of the tests, to be a template."""
    with _shared(factory) as shared:
        if not (shared / POSTGRESQL).exists():
            migrate_database(shared)
            (shared / POSTGRESQL).touch()
    return POSTGRESQL


def migrate_database(directory: Path) -> str:
    variables = environment(directory, DATABASE_URL=new_database(POSTGRESQL), **_NOWHERE)
    prepare(variables, is_collecting=False)
    return POSTGRESQL


def administer(statement: str) -> None:
    import psycopg

    with psycopg.connect(os.environ["TEST_DATABASE_URL"], autocommit=True) as connection:
        connection.execute(statement)


def new_database(name: str) -> str:
    administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    administer(f"CREATE DATABASE {name}")
    return database_url(name)


def database_url(name: str) -> str:
    return os.environ["TEST_DATABASE_URL"].rpartition("/")[0] + f"/{name}"


def manage(var: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the site on a folder of its own, without any of the tests' settings."""
    return forks.run("manage.py", *words, env=environment(var, **more))


def copy_databases(prepared: Path, var: Path) -> None:
    for file in prepared.glob("*.sqlite3"):
        shutil.copy(file, var / file.name)


def copy_all(prepared: Path, var: Path) -> Path:
    """Copy everything into a site's directory, and return that."""
    copy_databases(prepared, var)
    shutil.copytree(prepared / "static", var / "static")
    return var
