"""A migrated database and the collected files: made once a run, of which every site gets a copy."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from tests.platform import forks
from tests.platform.site import environment

#: One process for all three commands: most of what each costs is Django's own start.
_CODE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
if {is_collecting}:
    call_command("collectstatic", interactive=False, verbosity=0)
"""


def prepare(variables: dict[str, str], *, is_collecting: bool = True) -> None:
    """Do what a site's first start does, but for the admin's account.

    Raises:
        AssertionError: it failed; says what it printed.
    """
    done = forks.run("-c", _CODE.format(is_collecting=is_collecting), env=variables)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def prepared_directory(factory: pytest.TempPathFactory) -> Path:
    """Return the directory with both, on SQLite; whichever worker comes first makes it."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    directory = shared / "prepared"
    with (shared / "prepared.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (directory / "is_whole").exists():
            directory.mkdir(exist_ok=True)
            settings = {"DJANGO_SETTINGS_MODULE": "rpsite.settings.site"}
            prepare(environment(directory, REDIS_URL="unix:///nowhere", **settings))
            (directory / "is_whole").touch()
    return directory


def copy_databases(prepared: Path, var: Path) -> None:
    """Copy the database and the cache's into a site's directory."""
    for file in prepared.glob("*.sqlite3"):
        shutil.copy(file, var / file.name)


def copy_all(prepared: Path, var: Path) -> Path:
    """Copy everything into a site's directory, and return that."""
    copy_databases(prepared, var)
    shutil.copytree(prepared / "static", var / "static")
    return var
