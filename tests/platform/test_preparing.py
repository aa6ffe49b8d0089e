import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rpsite.backups import FOLDER
from tests.platform.prepared import copy_all, manage

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]

LAST = "games.0012_prior"


def applied(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT app || '.' || name FROM django_migrations").fetchall()
    return {name for (name,) in rows}


@pytest.fixture
def var(tmp_path, prepared):
    """A site's folder whose database lacks one migration."""
    copy_all(prepared, tmp_path)
    with closing(sqlite3.connect(tmp_path / "site.sqlite3")) as database, database:
        database.execute("DELETE FROM django_migrations WHERE app || '.' || name = ?", [LAST])
        database.execute("ALTER TABLE games_seat DROP COLUMN prior")
    return tmp_path


@pytest.mark.plain
def test_a_database_in_use_is_copied_and_migrated(var: Path) -> None:
    done = manage(var, "prepare")
    assert done.returncode == 0, done.stderr
    found = re.search(r"^1 migration, a copy is at (.+)$", done.stdout, re.MULTILINE)
    assert found is not None, done.stdout
    assert applied(var / "site.sqlite3") - applied(Path(found[1])) == {LAST}
    again = manage(var, "prepare")
    assert (again.returncode, again.stdout) == (0, "")
    assert len(list((var / FOLDER.name).glob("site-*"))) == 1


@pytest.mark.parametrize("words", [("up", "--port", "0"), ("prepare",)])
def test_a_dry_run_changes_nothing_and_names_what_is_lacking(words, var):
    done = manage(var, *words, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert LAST in done.stdout
    assert "1 migration after a copy" in done.stdout
    assert LAST not in applied(var / "site.sqlite3")
    assert not list(var.glob(f"{FOLDER.name}/*"))


def test_without_a_copy_nothing_is_migrated_unless_that_is_asked_for(var: Path) -> None:
    (var / FOLDER.name).write_text("no folder")
    done = manage(var, "prepare")
    assert done.returncode == 1
    assert "no copy could be made" in done.stderr
    assert "Traceback" not in done.stderr
    assert LAST not in applied(var / "site.sqlite3")
    done = manage(var, "prepare", "--without-copy")
    assert done.returncode == 0, done.stderr
    assert LAST in applied(var / "site.sqlite3")


def test_a_new_database_is_not_copied(tmp_path):
    done = manage(tmp_path, "prepare", "--dry-run")
    assert re.search(r"^a new database: \d+ migrations, no copy$", done.stdout, re.MULTILINE)
