"""A database from an earlier state of the site is recognised and said so in one sentence."""

import sqlite3
import subprocess
from pathlib import Path

import pytest

from rpsite.schema import SENTENCE
from tests.platform import forks
from tests.platform.prepared import copy_databases
from tests.platform.site import environment

pytestmark = pytest.mark.processes


def manage(var: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py with the site's settings on a folder of its own."""
    return forks.run("manage.py", *words, env=environment(var))


@pytest.mark.sqlite
def test_schema_of_before_is_said_so_in_one_sentence(tmp_path: Path, prepared: Path) -> None:
    copy_databases(prepared, tmp_path)
    assert manage(tmp_path, "migrate", "-v0").returncode == 0
    with sqlite3.connect(tmp_path / "site.sqlite3") as database:
        database.execute("ALTER TABLE games_match RENAME COLUMN state_no TO older")
    for words in (("up", "--port", "0"), ("web", "--port", "0"), ("migrate", "-v0")):
        done = manage(tmp_path, *words)
        assert done.returncode != 0
        assert SENTENCE in done.stderr
        assert "Traceback" not in done.stderr
    assert manage(tmp_path, "up", "--port", "0").stderr.strip() == SENTENCE
