"""Backups of a SQLite database: each reads one snapshot and blocks nobody. A copy without archived
journals is written table by table, a whole one by ``VACUUM INTO``. They write nothing to the site's
database, so they take no turn.
"""

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote

from django.db import connection, connections

from rpsite.backups import journals
from rpsite.backups.files import BackupFailed, InUse, NotEmpty, shown, to_disk
from rpsite.backups.journals import Journal, Snapshot

#: Makes a copy of the present database, with a function that writes it into an empty file.
Keep = Callable[[Callable[[Path], None]], None]

SUFFIX: Final = ".sqlite3"
#: Seconds that a copy waits for a locked database.
PATIENCE: Final = 30.0
#: SQLite's own tables (``sqlite_…``) come with the tables that need them.
_SCHEMA: Final = (
    "SELECT type, name, sql FROM {}.sqlite_master"
    " WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
)


@contextlib.contextmanager
def copied(draft: Path) -> Iterator[Snapshot]:
    """Copy one state of the database into an empty file, and yield the archived journals, which are
    not in it. Raises BackupFailed.
    """
    try:
        with _opened(draft, PATIENCE) as opened:
            _write_unsafely(opened)
            opened.execute("ATTACH ? AS site", (_uri(_file()),))
            opened.execute("BEGIN")
            _copy_tables(opened)
            rows = "SELECT match_id, format, last_no, digest FROM site.games_archivedjournal"
            yield Snapshot(map(Journal._make, opened.execute(rows)), partial(_texts, opened))
            opened.execute("COMMIT")
    except sqlite3.Error as problem:
        raise BackupFailed(f"SQLite: {problem}") from None


def _copy_tables(opened: sqlite3.Connection) -> None:
    """Copy the tables of ``site`` into ``main``, but not the rows of archived journals."""
    schema = opened.execute(_SCHEMA.format("site")).fetchall()
    tables = [name for kind, name, _ in schema if kind == "table"]
    # Indexes before rows: SQLite then copies the rows with them and sorts nothing.
    for wanted in ("table", "index"):
        for sql in (sql for kind, _, sql in schema if kind == wanted):
            opened.execute(sql)
    for name in tables:
        if name != "games_archivedjournal":
            rows = f'INSERT INTO main."{name}" SELECT * FROM site."{name}"'  # noqa: S608 - a name
            opened.execute(rows)
    opened.execute("DELETE FROM main.sqlite_sequence")
    opened.execute("INSERT INTO main.sqlite_sequence SELECT * FROM site.sqlite_sequence")
    for sql in (sql for kind, _, sql in schema if kind not in ("table", "index")):
        opened.execute(sql)
    if sorted(schema) != sorted(opened.execute(_SCHEMA.format("main"))):
        raise BackupFailed("the copy has not the tables of the database")


def _texts(opened: sqlite3.Connection, match_ids: Sequence[int]) -> Iterable[tuple[str, bytes]]:
    rows = "SELECT digest, data FROM site.games_archivedjournal WHERE match_id"
    wanted = "IN (SELECT value FROM json_each(?))"
    return opened.execute(f"{rows} {wanted}", (json.dumps(list(match_ids)),))


def size() -> int:
    """Return the size of the database in bytes; 0 if there is none."""
    path = _file()
    return path.stat().st_size if path.exists() else 0


def copy(draft: Path) -> None:
    """Write a whole copy of the database into an empty file. Raises BackupFailed."""
    with _opened(_file(), PATIENCE) as source:
        _copy_from(source, draft)


def restore(path: Path, keep: Keep, *, overwrite: bool) -> None:
    """Replace the database by a copy with one rename; ``keep`` copies the present one. Raises
    BackupFailed, InUse, NotEmpty.
    """
    _require_whole(path)
    connections.close_all()
    target = _file()
    is_there = target.exists() and target.stat().st_size > 0
    if is_there and not overwrite:
        raise NotEmpty(str(target))
    new = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with shown("restore", path.stat().st_size, lambda: new.stat().st_size):
            shutil.copyfile(path, new)
            _add_journals(path, new)
        to_disk(new)
        if is_there:
            _replace(target, new, keep)
        else:
            new.replace(target)
        to_disk(target.parent)
    finally:
        new.unlink(missing_ok=True)


@contextlib.contextmanager
def empty_database(place: Path) -> Iterator[str]:
    """Yield the URL of a database in a folder that does not exist yet."""
    folder = place / "var"
    folder.mkdir(mode=0o700)
    yield f"sqlite:///{folder / 'site.sqlite3'}"


def _replace(target: Path, new: Path, keep: Keep) -> None:
    """Replace a file to which nobody is connected; nobody can open it meanwhile."""
    there = target.stat()
    new.chmod(there.st_mode & 0o777)
    if os.geteuid() == 0:
        os.chown(new, there.st_uid, there.st_gid)
    with _opened(target, 0.0) as held:
        _require_alone(held, target)
        keep(lambda draft: _copy_from(held, draft))
        new.replace(target)


def _require_alone(held: sqlite3.Connection, target: Path) -> None:
    """Keep out all others until the connection is closed; move the log into the file."""
    try:
        held.execute("PRAGMA locking_mode=EXCLUSIVE")
        # SQLite leaves write-ahead mode only for the only connection.
        (mode,) = held.execute("PRAGMA journal_mode=DELETE").fetchone()
        if mode != "delete":
            raise InUse(str(target))
        held.execute("BEGIN EXCLUSIVE")
        held.execute("COMMIT")
    except sqlite3.OperationalError:
        raise InUse(str(target)) from None
    except sqlite3.DatabaseError as problem:
        raise BackupFailed(f"{target} is damaged ({problem}): move it away first") from None


def _require_whole(path: Path) -> None:
    try:
        with contextlib.closing(
            sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)
        ) as source:
            (said,) = source.execute("PRAGMA integrity_check(1)").fetchone()
            source.execute("SELECT 1 FROM django_migrations").fetchone()
    except sqlite3.DatabaseError as problem:
        raise BackupFailed(f"{path.name} is no copy of a site: {problem}") from None
    if said != "ok":
        raise BackupFailed(f"{path.name} is damaged: {said}")


def _add_journals(copy: Path, new: Path) -> None:
    """Add the archived journals that a copy lacks. Raises BackupFailed where some are nowhere."""
    with _opened(new, 0.0) as opened:
        _write_unsafely(opened)
        opened.execute("BEGIN")
        opened.executemany(
            "INSERT INTO games_archivedjournal (match_id, format, last_no, digest, data)"
            " VALUES (?, ?, ?, ?, ?)",
            ((*journal, data) for journal, data in journals.read(copy)),
        )
        (lost,) = opened.execute(journals.LOST).fetchone()
        if lost:
            raise BackupFailed(f"{lost} {journals.LACKING}")
        opened.execute("COMMIT")


def _copy_from(source: sqlite3.Connection, draft: Path) -> None:
    try:
        source.execute("VACUUM INTO ?", (str(draft),))
    except sqlite3.Error as problem:
        raise BackupFailed(f"SQLite: {problem}") from None


@contextlib.contextmanager
def _opened(path: Path, patience: float) -> Iterator[sqlite3.Connection]:
    """Open an existing database, without checkpoints: only the web process makes them."""
    try:
        opened = sqlite3.connect(_uri(path), uri=True, timeout=patience, isolation_level=None)
    except sqlite3.Error as problem:
        raise BackupFailed(f"{path.name} cannot be opened: {problem}") from None
    try:
        opened.execute("PRAGMA wal_autocheckpoint=0")
        yield opened
    finally:
        opened.close()


def _write_unsafely(opened: sqlite3.Connection) -> None:
    """Write a file that has no name yet without journal: the whole file is flushed later."""
    for name in ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF"):
        opened.execute(f"PRAGMA {name}")


def _uri(path: Path) -> str:
    return f"file:{quote(str(path))}?mode=rw"


def _file() -> Path:
    return Path(str(connection.settings_dict["NAME"]))
