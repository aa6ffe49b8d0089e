"""Backups of a SQLite database: ``VACUUM INTO``, which reads one snapshot and blocks nobody.

The site's connections take turns to write; these write nothing, so they take no turn.
"""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from django.db import connection, connections

from rpsite.backups.errors import BackupFailed, InUse, NotEmpty
from rpsite.backups.files import to_disk
from rpsite.backups.progress import shown

#: Makes a copy of the present database, with a function that writes it into an empty file.
Keep = Callable[[Callable[[Path], None]], None]

SUFFIX: Final = ".sqlite3"
#: Seconds that a copy waits for a locked database.
PATIENCE: Final = 30.0


def size() -> int:
    """Return the size of the database in bytes; 0 if there is none."""
    path = _file()
    return path.stat().st_size if path.exists() else 0


def copy(draft: Path) -> None:
    """Write a consistent state of the database into an empty file.

    Raises:
        BackupFailed: SQLite reports an error.
    """
    with _opened(_file(), PATIENCE) as source:
        _copy_from(source, draft)


def restore(path: Path, keep: Keep, *, overwrite: bool) -> None:
    """Replace the database by a copy with one rename; ``keep`` copies the present one.

    Raises:
        BackupFailed: the copy, or the present database, is damaged or no database.
        InUse: somebody is connected.
        NotEmpty: a database exists, and may not be replaced.
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
    """Keep out all others until the connection is closed; move the log into the file.

    SQLite leaves write-ahead mode only for the only connection.
    """
    try:
        held.execute("PRAGMA locking_mode=EXCLUSIVE")
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


def _copy_from(source: sqlite3.Connection, draft: Path) -> None:
    try:
        source.execute("VACUUM INTO ?", (str(draft),))
    except sqlite3.Error as problem:
        raise BackupFailed(f"SQLite: {problem}") from None


@contextlib.contextmanager
def _opened(path: Path, patience: float) -> Iterator[sqlite3.Connection]:
    """Open an existing database, without checkpoints: only the web process makes them."""
    try:
        opened = sqlite3.connect(
            f"file:{quote(str(path))}?mode=rw", uri=True, timeout=patience, isolation_level=None
        )
    except sqlite3.Error as problem:
        raise BackupFailed(f"{path.name} cannot be opened: {problem}") from None
    try:
        opened.execute("PRAGMA wal_autocheckpoint=0")
        yield opened
    finally:
        opened.close()


def _file() -> Path:
    return Path(str(connection.settings_dict["NAME"]))
