"""Backups of a SQLite database: ``VACUUM INTO``, which reads one moment and stops nobody.

The site's own connections take turns to write; these write nothing, so they take none.
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

#: Makes a copy of what is there, by a function that writes it into an empty file.
Keep = Callable[[Callable[[Path], None]], None]

SUFFIX: Final = ".sqlite3"
#: Seconds that a copy waits for a database that is locked.
PATIENCE: Final = 30.0


def size() -> int:
    """Return how many bytes the database has; 0 when there is none."""
    path = _file()
    return path.stat().st_size if path.exists() else 0


def copy(draft: Path) -> None:
    """Write one moment of the database into an empty file.

    Raises:
        BackupFailed: SQLite says no.
    """
    with _opened(_file(), PATIENCE) as source:
        _copy_from(source, draft)


def restore(path: Path, keep: Keep, *, overwrite: bool) -> None:
    """Put a copy in the database's place, as one rename; ``keep`` is called for what is there.

    Raises:
        BackupFailed: the copy is no database, or is damaged; or what is there is.
        InUse: somebody is connected.
        NotEmpty: there is a database, and it may not be replaced.
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
        shutil.copyfile(path, new)
        to_disk(new)
        if is_there:
            _replace(target, new, keep)
        else:
            new.replace(target)
        to_disk(target.parent)
    finally:
        new.unlink(missing_ok=True)


def _replace(target: Path, new: Path, keep: Keep) -> None:
    """Take the place of a file to which nobody is connected, and which nobody can open then."""
    there = target.stat()
    new.chmod(there.st_mode & 0o777)
    if os.geteuid() == 0:
        os.chown(new, there.st_uid, there.st_gid)
    with _opened(target, 0.0) as held:
        _require_alone(held, target)
        keep(lambda draft: _copy_from(held, draft))
        new.replace(target)


def _require_alone(held: sqlite3.Connection, target: Path) -> None:
    """Keep everybody else out until the connection is closed; its log is moved into the file.

    A database leaves its write-ahead log only for a connection that is the only one.
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
    """Open a database that is there; the checkpoints stay the web process's business."""
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
