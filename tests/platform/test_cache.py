"""The cache: in the database, and on SQLite in a file of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.boot import ROOT
from tests.platform.site import environment

pytestmark = pytest.mark.sqlite

CODE = """
import django; django.setup()
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
call_command("createcachetable", verbosity=0)
cache.set("a", 1)
assert cache.get("a") == 1
tables = {alias: set(connections[alias].introspection.table_names()) for alias in connections}
assert tables["cache"] == {"cache_entries"}, tables["cache"]
assert "cache_entries" not in tables["default"] and "economy_transfer" in tables["default"]
"""


def test_the_cache_writes_to_a_file_of_its_own(tmp_path: Path):
    """A log-in's fifteen counters do not wait behind moves."""
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=ROOT,
        env=environment(tmp_path, DJANGO_SETTINGS_MODULE="rpsite.settings.site"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site-cache.sqlite3").exists()
