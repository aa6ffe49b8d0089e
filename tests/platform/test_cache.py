import pytest

from tests.platform import forks
from tests.platform.prepared import copy_databases
from tests.platform.site import environment

pytestmark = pytest.mark.sqlite

CODE = """
import django; django.setup()
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections
call_command("createcachetable", verbosity=0)
cache.set("a", 1)
assert cache.get("a") == 1
tables = {alias: set(connections[alias].introspection.table_names()) for alias in connections}
assert tables["cache"] == {"cache_entries"}, tables["cache"]
assert "cache_entries" not in tables["default"] and "economy_transfer" in tables["default"]
"""


def test_the_cache_writes_to_a_file_of_its_own(tmp_path, prepared):
    """A log-in's fifteen counters do not wait behind moves."""
    copy_databases(prepared, tmp_path)
    variables = environment(tmp_path, DJANGO_SETTINGS_MODULE="rpsite.settings.site")
    done = forks.run("-c", CODE, env=variables)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site-cache.sqlite3").exists()
