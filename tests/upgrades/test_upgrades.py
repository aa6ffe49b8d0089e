"""Databases of released versions are migrated, played on to their end, and audited.

Source: docs/explanation/deprecation.md "Migrations"; docs/explanation/durability.md G3.
"""

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import tomllib
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from rpsite.env import ROOT
from tests.upgrades import make

RELEASES = sorted(path.parent.name for path in make.FOLDER.glob(f"*/{make.SQLITE}"))
GAMES = ("duel", "showdown", "agora", "dynamite")
NAME = "site_to_upgrade"


def check_upgrade(url: str, var: Path, seed: int) -> None:
    """Migrate a stored database, play it on, and check the result."""
    make.run(url, var, "manage.py", "migrate", "--verbosity=0")
    make.run(url, var, "manage.py", "createcachetable", "--verbosity=0")
    said = make.run(url, var, "-m", "tests.upgrades.scenes", "play_on", str(seed))
    found = json.loads(said.splitlines()[-1])
    before, after = found["before"], found["after"]
    assert found["wrong"] == []
    assert [before[f"{game} running"] for game in GAMES] == [1, 1, 1, 1]
    assert (before["showdown open"], before["archived"]) == (1, 3)
    # The open table and the contest's game were played too.
    assert after == {
        **{f"{game} over": before[f"{game} over"] + 1 for game in ("duel", "dynamite")},
        **{f"{game} over": before[f"{game} over"] + 2 for game in ("showdown", "agora")},
        "archived": 10,
    }
    assert found["entries"] > 50


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.fault_profile
@pytest.mark.parametrize("release", RELEASES)
def test_a_released_sqlite_database_is_upgraded_and_played_on(release: str, tmp_path: Path) -> None:
    database = tmp_path / "site.sqlite3"
    text = gzip.decompress((make.FOLDER / release / make.SQLITE).read_bytes()).decode()
    with closing(sqlite3.connect(database)) as opened:
        opened.executescript(text)
        opened.execute("PRAGMA journal_mode=WAL")
    check_upgrade(f"sqlite:///{database}", tmp_path, seed=1)


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("release", RELEASES)
def test_a_released_postgresql_database_is_upgraded_and_played_on(
    release: str, tmp_path: Path
) -> None:
    server = os.environ["TEST_DATABASE_URL"]
    url = server.rpartition("/")[0] + f"/{NAME}"
    text = gzip.decompress((make.FOLDER / release / make.POSTGRESQL).read_bytes())
    psql = shutil.which("psql")
    assert psql
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {NAME}")
        try:
            restore = [psql, "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--dbname={url}"]
            subprocess.run(restore, input=text, check=True, capture_output=True)
            check_upgrade(url, tmp_path, seed=2)
        finally:
            admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def test_no_dump_is_large_or_names_a_machine() -> None:
    assert RELEASES
    for release in RELEASES:
        for name in (make.SQLITE, make.POSTGRESQL):
            path = make.FOLDER / release / name
            assert path.stat().st_size < make.MOST
            text = gzip.decompress(path.read_bytes()).decode()
            assert not [word for word in (str(ROOT), "pbkdf2_", "argon2$") if word in text]


def edited(released: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return the migrations of a release that are gone or have other bytes now."""
    return [path for path, digest in released.items() if now.get(path) != digest]


def test_no_migration_of_a_release_is_edited() -> None:
    """Up to its tag a release may edit migrations and make its dump again; after it never."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = _numbers(tomllib.load(file)["project"]["version"])
    for release in RELEASES:
        released = json.loads((make.FOLDER / release / make.MIGRATIONS).read_text())
        assert len(released) >= 5
        is_tagged = _numbers(release) <= version
        advice = "write a new migration" if is_tagged else "run python -m tests.upgrades.make"
        assert edited(released, make.hashes()) == [], advice


def test_an_edited_and_a_deleted_migration_are_found() -> None:
    now = make.hashes()
    path, gone = next(iter(now)), "games/matches/migrations/0009_gone.py"
    assert edited({**now, path: "0" * 64, gone: "0" * 64}, now) == [path, gone]


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]
