"""Copies of the database: made while the site runs, put back while it does not.

A copy has its name only when it is whole and on the disk.  It holds hashes of passwords and the
keys of sessions, so only its owner may read it.

Source: docs/how-to/run-a-site.md "Backups".
"""

import contextlib
import os
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Final

from django.conf import settings
from django.db import connection

from rpsite.backups import postgresql, sqlite
from rpsite.backups.errors import BackupFailed, NoBackup
from rpsite.backups.files import draft_in, to_disk
from rpsite.env import VAR

FOLDER: Final = VAR / "backups"
#: How old the newest copy is when beat has the next one made, in seconds.
PAUSE: Final = 60 * 60
#: A draft that is older belongs to a process which was killed, in seconds.
ABANDONED: Final = 24 * 60 * 60
#: A copy is about as large as the database; so much more must be free before one is begun.
ROOM: Final = 1.5


def _vendor() -> ModuleType:
    return {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]


def made(folder: Path = FOLDER) -> list[Path]:
    """Return the copies of this kind of database, the oldest first."""
    return sorted(folder.glob(f"site-*{_vendor().SUFFIX}"))


def find(name: str, folder: Path = FOLDER) -> Path:
    """Return a copy by its path, or by its name in the folder.

    Raises:
        NoBackup: there is none.
    """
    for path in (folder / name, Path(name)):
        if path.is_file():
            return path.resolve()
    raise NoBackup(f"there is no backup {name}")


def make(
    folder: Path = FOLDER,
    *,
    kept: int | None = None,
    copy: Callable[[Path], None] | None = None,
) -> Path:
    """Copy the database as it is at one moment; return the copy.

    Args:
        kept: how many copies stay, the newest; None keeps all.
        copy: writes it into an empty file; by default by a connection of its own.

    Raises:
        BackupFailed: there is no room, or the database or its program says no.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    size, free = _vendor().size(), shutil.disk_usage(folder).free
    if free < size * ROOM:
        raise BackupFailed(f"{size} bytes to copy, and only {free} are free")
    now = datetime.now(UTC)
    name = f"site-{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}Z{_vendor().SUFFIX}"
    final = folder / name
    with draft_in(folder) as draft:
        (copy or _vendor().copy)(draft)
        to_disk(draft)
        try:
            # Unlike a rename, a link never replaces a copy that was made in the same moment.
            os.link(draft, final)
        except FileExistsError:
            raise BackupFailed(f"{name} has just been made by somebody else") from None
    to_disk(folder)
    _remove_drafts(folder)
    if kept is not None:
        for path in made(folder)[:-kept]:
            path.unlink(missing_ok=True)
    return final


def make_if_due(folder: Path = FOLDER) -> Path | None:
    """Make a copy when the newest is an hour old; returns None when none was due or wanted.

    Raises:
        BackupFailed: as ``make``.
    """
    if settings.BACKUPS_KEPT < 1:
        return None
    newest = max((path.stat().st_mtime for path in made(folder)), default=0.0)
    if time.time() - newest < PAUSE:
        return None
    return make(folder, kept=settings.BACKUPS_KEPT)


def restore(path: Path, *, overwrite: bool, folder: Path = FOLDER) -> Path | None:
    """Put a copy in the database's place; return the copy that was made of what was there.

    Nobody may be connected, whatever is allowed.

    Args:
        overwrite: whether a database that holds anything may be replaced.

    Raises:
        BackupFailed: the copy is no good, or what was there could not be copied.
        InUse: somebody is connected to the database.
        NotEmpty: there is a database, and it may not be replaced.
    """
    kept: list[Path] = []

    def keep(copy: Callable[[Path], None]) -> None:
        kept.append(make(folder, copy=copy))

    _vendor().restore(path, keep, overwrite=overwrite)
    return kept[0] if kept else None


def _remove_drafts(folder: Path) -> None:
    for draft in folder.glob(".draft-*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - draft.stat().st_mtime > ABANDONED:
                draft.unlink()
