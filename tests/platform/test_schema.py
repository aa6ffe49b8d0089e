"""A database from before 1.0 or of a later version is refused, one of a release is migrated."""

import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError
from django.db import connection

from rpsite.schema import (
    LATER,
    PENDING,
    SENTENCE,
    check_schema,
    is_from_before,
    read_migrations,
    require_present_schema,
)
from tests.platform import forks
from tests.platform.prepared import copy_databases
from tests.platform.site import environment

#: Two migrations: the one of the release, without a column, and a later one that adds it.
NEXT = {"contests": "tests.platform.next_migrations"}


def manage(var: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py with the site's settings on a folder of its own."""
    return forks.run("manage.py", *words, env=environment(var))


@pytest.mark.processes
@pytest.mark.sqlite
def test_schema_of_before_1_0_is_said_so_in_one_sentence(tmp_path: Path, prepared: Path) -> None:
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


@pytest.mark.processes
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
        database.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('economy', '0001_initial', '2026-11-25')"
        )
    # A web process of this version may run beside those of the later one.
    code = (
        "import django; django.setup(); from rpsite import schema; schema.require_present_schema()"
    )
    variables = environment(tmp_path, DJANGO_SETTINGS_MODULE="rpsite.settings.site")
    assert forks.run("-c", code, env=variables).returncode == 0


@pytest.mark.both_databases
@pytest.mark.django_db
def test_schema_of_a_release_is_migrated_and_no_web_process_runs_on_it_before(
    settings: Any,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE contests_proposal DROP COLUMN reason")
    assert is_from_before(read_migrations())
    settings.MIGRATION_MODULES = NEXT
    assert not is_from_before(read_migrations())
    with pytest.raises(CommandError) as refused:
        require_present_schema()
    assert str(refused.value) == PENDING.format("contests.0002_reason")
    assert check_schema(["default"]) == []
