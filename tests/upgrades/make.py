"""Dumps of a site made by this code, to be upgraded by tests: ``python -m tests.upgrades.make``.

Writes ``sqlite.sql.gz``, ``postgresql.sql.gz`` and the hashes of all migrations into
``tests/upgrades/<version>/``; PostgreSQL is a temporary one.  Run it right before the commit of a
release, and never again for that release: then it refuses.
"""

import gzip
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from games.engine.structs import canonical
from rpsite import __version__
from rpsite.env import ROOT
from tests.platform import forks
from tools.postgres import running_cluster

FOLDER: Final = ROOT / "tests" / "upgrades"
#: The most bytes of a dump.
MOST: Final = 300_000
SQLITE, POSTGRESQL, MIGRATIONS = "sqlite.sql.gz", "postgresql.sql.gz", "migrations.json"


def main() -> int:
    """Make both dumps."""
    folder = FOLDER / sys.argv[1]
    if folder.exists() and numbers(folder.name) <= numbers(__version__):
        sys.exit(f"{folder.name} is released: its dumps stay as they are (version {__version__})")
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="upgrades-") as name:
        var = Path(name)
        database = var / "site.sqlite3"
        _fill(f"sqlite:///{database}", var)
        with closing(sqlite3.connect(database)) as opened:
            _write(folder / SQLITE, "\n".join(opened.iterdump()))
        with running_cluster() as url:
            _fill(url, var)
            _write(folder / POSTGRESQL, _dumped(url))
    (folder / MIGRATIONS).write_text(canonical(hashes()) + "\n")
    return 0


def numbers(version: str) -> list[int]:
    """Return a version's numbers, which can be compared."""
    return [int(number) for number in version.split(".")]


def hashes() -> dict[str, str]:
    """Return the SHA-256 of each migration of the site, by its path."""
    return {
        str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(ROOT.glob("[a-z]*/**/migrations/0*.py"))
    }


def run(url: str, var: Path, *command: str) -> str:
    """Run Python on a database, with the tests' settings; return what it prints."""
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "rpsite.settings.test",
        "PYTHONPATH": str(ROOT),
        "REDIS_URL": "unix:///nowhere",
        "SITE_VAR": str(var),
    }
    done = forks.plain(*command, env=environment)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def migrate(url: str, var: Path) -> None:
    """Bring a database to the present schema."""
    for command in ("migrate", "createcachetable"):
        run(url, var, "manage.py", command, "--verbosity=0")


def _fill(url: str, var: Path) -> None:
    migrate(url, var)
    census: dict[str, Any] = json.loads(run(url, var, "-m", "tests.upgrades.scenes", "make"))
    print(urlsplit(url).scheme, census)


def _dumped(url: str) -> str:
    """Return a PostgreSQL database as the text of pg_dump."""
    program = shutil.which("pg_dump")
    assert program, "pg_dump is not here; on Debian: apt-get install postgresql-client"
    arguments = ["--no-owner", "--no-privileges", f"--dbname={url}"]
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    # Other versions of psql do not know these two.
    lines = done.stdout.splitlines()
    return "\n".join(line for line in lines if not line.startswith(("\\restrict", "\\unrestrict")))


def _write(path: Path, text: str) -> None:
    """Write a dump; the same text gives the same bytes."""
    path.write_bytes(gzip.compress(text.encode() + b"\n", mtime=0))
    size = path.stat().st_size
    assert size < MOST, f"{path.name} has {size} bytes"
    print(f"{path.relative_to(ROOT)}: {size:,} bytes")


if __name__ == "__main__":
    raise SystemExit(main())
