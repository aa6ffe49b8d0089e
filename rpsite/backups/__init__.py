"""Backups of the database, made while the site runs, restored while it does not. A copy gets its
name only when it is complete and on the disk; only its owner may read it. Archived journals are
kept once for all copies (``rpsite.backups.journals``).
"""

import contextlib
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Final

from django.conf import settings
from django.db import connection

from rpsite.backups import journals, postgresql, sqlite
from rpsite.backups.files import BackupFailed, NoBackup, draft_in, publish, shown
from rpsite.env import VAR

FOLDER: Final = VAR / "backups"
#: Age of the newest copy after which beat makes the next one, in seconds.
PAUSE: Final = 60 * 60
#: An older draft, or list without a copy, belongs to a process that was killed, in seconds.
ABANDONED: Final = 24 * 60 * 60
#: A copy is about as large as the database; this much more must be free before one is begun.
ROOM: Final = 1.5


def _vendor() -> ModuleType:
    return {"sqlite": sqlite, "postgresql": postgresql}[connection.vendor]


def made(folder: Path = FOLDER) -> list[Path]:
    """Return the copies of this kind of database, the oldest first."""
    return sorted(folder.glob(f"site-*{_vendor().SUFFIX}"))


def find(name: str, folder: Path = FOLDER) -> Path:
    """Return a copy by its path or by its name in the folder. Raises NoBackup."""
    for path in (folder / name, Path(name)):
        if path.is_file():
            return path.resolve()
    raise NoBackup(f"there is no backup {name}")


def room() -> int:
    """Return how many bytes must be free before a copy is begun."""
    return int(_vendor().size() * ROOM)


def make(
    folder: Path = FOLDER, *, kept: int | None = None, copy: Callable[[Path], None] | None = None
) -> Path:
    """Copy a consistent state of the database; return the copy. ``kept``: the number of newest
    copies to keep; None keeps all. ``copy`` writes a whole copy into an empty file; by default
    archived journals are not in it. Raises BackupFailed.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        needed, free = room(), shutil.disk_usage(folder).free
    except OSError as problem:
        raise BackupFailed(str(problem)) from None
    if free < needed:
        raise BackupFailed(f"a copy needs {needed} bytes, and only {free} are free")
    now = datetime.now(UTC)
    name = f"site-{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}Z{_vendor().SUFFIX}"
    final = folder / name
    try:
        with draft_in(folder) as draft:
            # A compressed copy is about as large as the last one.
            expected = next((path.stat().st_size for path in reversed(made(folder))), needed)
            with shown("backup", expected, lambda: draft.stat().st_size):
                if copy is not None:
                    copy(draft)
                else:
                    with _vendor().copied(draft) as snapshot:
                        journals.store(final, snapshot)
            publish(draft, final)
    except FileExistsError:
        raise BackupFailed(f"{name} has just been made by somebody else") from None
    except OSError as problem:
        raise BackupFailed(str(problem)) from None
    _remove_abandoned(folder)
    if kept is not None:
        for path in made(folder)[:-kept]:
            path.unlink(missing_ok=True)
            journals.list_of(path).unlink(missing_ok=True)
    return final


def make_whole(folder: Path = FOLDER) -> Path:
    """Make a copy that is one file and needs no other; delete none. Raises BackupFailed."""
    return make(folder, copy=_vendor().copy)


def make_if_due(folder: Path = FOLDER) -> Path | None:
    """Make a copy if the newest is an hour old; return None if none was due or wanted. Raises
    BackupFailed.
    """
    if settings.BACKUPS_KEPT < 1:
        return None
    newest = max((path.stat().st_mtime for path in made(folder)), default=0.0)
    if time.time() - newest < PAUSE:
        return None
    return make(folder, kept=settings.BACKUPS_KEPT)


def restore(path: Path, *, overwrite: bool, folder: Path = FOLDER) -> Path | None:
    """Replace the database, to which nobody may be connected, by a copy; return the copy made of
    the replaced one. ``overwrite``: also one that is not empty. Raises BackupFailed, InUse,
    NotEmpty.
    """
    kept: list[Path] = []

    def keep(copy: Callable[[Path], None]) -> None:
        kept.append(make(folder, copy=copy))

    _vendor().restore(path, keep, overwrite=overwrite)
    return kept[0] if kept else None


def empty_database(place: Path) -> contextlib.AbstractContextManager[str]:
    """Return the URL of an empty database for the time of the context. Raises BackupFailed."""
    url: contextlib.AbstractContextManager[str] = _vendor().empty_database(place)
    return url


def _remove_abandoned(folder: Path) -> None:
    """Remove what a killed process left: drafts, and lists whose copy was never finished."""
    named = set(folder.glob("site-*"))
    lists = {path for path in named if path.suffix == journals.LIST}
    # A folder may have copies of a database of the other kind, too.
    lists -= {journals.list_of(path) for path in named - lists}
    for left in (*folder.rglob(".draft-*"), *lists):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()
