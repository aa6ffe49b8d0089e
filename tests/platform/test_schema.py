import re
import sqlite3

import pytest
from django.core.management.base import CommandError
from django.db import connection

from rpsite import schema
from rpsite.schema import is_from_before, read_migrations
from tests.platform import forks
from tests.platform.prepared import copy_databases, manage
from tests.platform.site import environment

#: Two migrations: the one of the release, without a column, and a later one that adds it.
NEXT = {"contests": "tests.platform.next_migrations"}


@pytest.mark.processes
@pytest.mark.sqlite
def test_schema_of_before_1_0_is_said_so_in_one_sentence(tmp_path, prepared):
    copy_databases(prepared, tmp_path)
    assert manage(tmp_path, "migrate", "-v0").returncode == 0
    with sqlite3.connect(tmp_path / "site.sqlite3") as database:
        database.execute("ALTER TABLE games_match RENAME COLUMN state_no TO older")
    for words in (("up", "--port", "0"), ("web", "--port", "0"), ("migrate", "-v0")):
        done = manage(tmp_path, *words)
        assert done.returncode != 0
        assert schema.SENTENCE in done.stderr
        assert "Traceback" not in done.stderr
        assert words[0] != "up" or done.stderr.strip() == schema.SENTENCE


@pytest.mark.processes
@pytest.mark.sqlite
def test_schema_of_a_later_version_is_not_migrated_and_said_so(tmp_path, prepared):
    copy_databases(prepared, tmp_path)
    path = tmp_path / "site.sqlite3"
    add = "INSERT INTO django_migrations (applied, app, name) VALUES "
    with sqlite3.connect(path) as database:
        database.executescript(
            f"{add} ('2030-01-01', 'games', '0999_later'), ('2030-01-01', 'no_such_game', '0001');"
            # One that this version would otherwise apply.
            "DELETE FROM django_migrations WHERE app = 'economy';"
        )
        before = list(database.iterdump())
    sentence = schema.LATER.format("games.0999_later")
    refused = manage(tmp_path, "migrate", "-v0")
    assert refused.returncode != 0
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr
    assert manage(tmp_path, "up", "--port", "0").stderr.strip() == sentence
    with sqlite3.connect(path) as database:
        assert list(database.iterdump()) == before
        database.execute(f"{add} ('2026-11-25', 'economy', '0001_initial')")
    # A web process of this version may run beside those of the later one.
    code = "import django; django.setup(); import rpsite.schema as s; s.require_present_schema()"
    variables = environment(tmp_path, DJANGO_SETTINGS_MODULE="rpsite.settings.site")
    assert forks.run("-c", code, env=variables).returncode == 0


@pytest.mark.both_databases
@pytest.mark.django_db
def test_schema_of_a_release_is_migrated_and_no_web_process_runs_on_it_before(settings):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE contests_proposal DROP COLUMN reason")
    assert is_from_before(read_migrations())
    settings.MIGRATION_MODULES = NEXT
    assert not is_from_before(read_migrations())
    sentence = re.escape(schema.PENDING.format("contests.0002_reason"))
    with pytest.raises(CommandError, match=f"^{sentence}$"):
        schema.require_present_schema()
    assert schema.check_schema(["default"]) == []
