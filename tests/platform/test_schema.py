"""A database of an earlier state or a later version is refused with one sentence."""

import sqlite3
import subprocess
from pathlib import Path

import pytest

from rpsite.schema import LATER, SENTENCE
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


@pytest.mark.sqlite
def test_schema_of_a_later_version_is_not_migrated_and_said_so(
    tmp_path: Path, prepared: Path
) -> None:
    copy_databases(prepared, tmp_path)
    path = tmp_path / "site.sqlite3"
    with sqlite3.connect(path) as database:
        database.executescript(
            "INSERT INTO django_migrations (app, name, applied) VALUES"
            " ('games', '0999_later', '2030-01-01'), ('no_such_game', '0001', '2030-01-01');"
            # One that this version would otherwise apply.
            "DELETE FROM django_migrations WHERE app = 'economy';"
        )
    with sqlite3.connect(path) as database:
        before = list(database.iterdump())
    sentence = LATER.format("games.0999_later")
    refused = manage(tmp_path, "migrate", "-v0")
    assert refused.returncode != 0
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr
    assert manage(tmp_path, "up", "--port", "0").stderr.strip() == sentence
    with sqlite3.connect(path) as database:
        assert list(database.iterdump()) == before
    # A web process of this version may run beside those of the later one.
    code = "import django; django.setup(); from rpsite import schema; schema.require_own_schema()"
    variables = environment(tmp_path, DJANGO_SETTINGS_MODULE="rpsite.settings.site")
    assert forks.run("-c", code, env=variables).returncode == 0
