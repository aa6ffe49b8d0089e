"""Databases of released versions are migrated, played on to their end, and audited."""

import gzip
import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from rpsite import __version__
from rpsite.env import ROOT
from tests.platform import prepared
from tests.upgrades import make

RELEASES = sorted(path.parent.name for path in make.FOLDER.glob(f"*/{make.SQLITE}"))
#: Release -> the hashes of its migrations.
STORED = {r: json.loads((make.FOLDER / r / make.MIGRATIONS).read_text()) for r in RELEASES}
GAMES = ("duel", "showdown", "agora", "dynamite")
NAME = "site_to_upgrade"
FRESH = "site_not_upgraded"
#: What the database of the commit "Release 1.0.0" lacked: the dump was made again after it.
LACKING = re.compile('CREATE INDEX "?user_banned"? .*;\n')
#: PostgreSQL writes the same condition with other casts when it was read from a dump.
CASTS = re.compile(r"::(text|character varying)(\[\])?|[()]")
SCHEMA = """
    SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT table_name || '.' || column_name || ' ' || data_type || ' '
        || coalesce(character_maximum_length::text, '') || ' ' || is_nullable || ' '
        || coalesce(column_default, '')
        FROM information_schema.columns WHERE table_schema = 'public'
"""


def schema(url: str) -> set[str]:
    """Return all that makes a database's schema: tables, columns, indexes, triggers."""
    if url.startswith("sqlite"):
        query = "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master"
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as opened:
            return {text for (text,) in opened.execute(query)}
    with psycopg.connect(url) as connected:
        return {CASTS.sub("", text) for (text,) in connected.execute(SCHEMA)}


def dump(release: str, name: str) -> str:
    """Return a release's dump as the commit of the release has it."""
    text = gzip.decompress((make.FOLDER / release / name).read_bytes()).decode()
    if release != "1.0.0":
        return text
    lacking, count = LACKING.subn("", text)
    assert count == 1
    return lacking


def check_upgrade(url: str, fresh: str, var: Path, seed: int) -> None:
    """Migrate a stored database, play it on, check the result and compare it with a new one."""
    make.migrate(url, var)
    make.migrate(fresh, var)
    assert sorted(schema(url) ^ schema(fresh)) == []
    said = make.run(url, var, "-m", "tests.upgrades.scenes", "play_on", str(seed))
    found = json.loads(said.splitlines()[-1])
    before, after = found["before"], found["after"]
    assert found["wrong"] == []
    # Of the Train's first station one duel runs; its final comes with it.
    trains = before["trains"]
    assert [before[f"{game} running"] for game in GAMES] == [1 + trains, 1, 1, 1]
    assert (before["showdown open"], before["archived"]) == (1, 3)
    # The open table and the contest's game were played too.
    assert after == {
        "duel over": before["duel over"] + 1 + 2 * trains,
        "dynamite over": before["dynamite over"] + 1,
        **{f"{game} over": before[f"{game} over"] + 2 for game in ("showdown", "agora")},
        "archived": 10 + 3 * trains,
        **{what: before[what] for what in ("trains", "ladder")},
    }
    assert found["entries"] > 50


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.fault_profile
@pytest.mark.parametrize("release", RELEASES)
def test_a_released_sqlite_database_is_upgraded_and_played_on(release: str, tmp_path: Path) -> None:
    database = tmp_path / "site.sqlite3"
    with closing(sqlite3.connect(database)) as opened:
        opened.executescript(dump(release, make.SQLITE))
        opened.execute("PRAGMA journal_mode=WAL")
    fresh = f"sqlite:///{tmp_path / 'fresh.sqlite3'}"
    check_upgrade(f"sqlite:///{database}", fresh, tmp_path, seed=1)


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("release", RELEASES)
def test_a_released_postgresql_database_is_upgraded_and_played_on(release, tmp_path) -> None:
    psql = shutil.which("psql")
    assert psql
    try:
        url, fresh = map(prepared.new_database, (NAME, FRESH))
        restore = [psql, "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--dbname={url}"]
        text = dump(release, make.POSTGRESQL).encode()
        subprocess.run(restore, input=text, check=True, capture_output=True)
        check_upgrade(url, fresh, tmp_path, seed=2)
    finally:
        for name in (NAME, FRESH):
            prepared.administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def test_no_dump_is_large_or_names_a_machine() -> None:
    assert RELEASES
    for release in RELEASES:
        for name in (make.SQLITE, make.POSTGRESQL):
            path = make.FOLDER / release / name
            assert path.stat().st_size < make.MOST
            text = gzip.decompress(path.read_bytes()).decode()
            assert not [word for word in (str(ROOT), "pbkdf2_", "argon2$") if word in text]


def test_no_migration_of_a_release_is_edited() -> None:
    """Up to its commit a release may edit migrations and make its dump again; after it never."""
    now = make.hashes()
    for release, stored in STORED.items():
        assert len(stored) >= 5
        is_released = make.numbers(release) <= make.numbers(__version__)
        advice = "write a new migration" if is_released else "run python -m tests.upgrades.make"
        assert [path for path in stored if now.get(path) != stored[path]] == [], advice


def test_a_version_without_unreleased_changes_has_a_dump_of_all_its_migrations() -> None:
    fresh = make.hashes().keys() - {path for stored in STORED.values() for path in stored}
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert not fresh or "## Unreleased" in changes, "run python -m tests.upgrades.make"
