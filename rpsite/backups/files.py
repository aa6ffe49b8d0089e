"""Files of backups: drafts that only their owner may read, flushed to the disk; progress and
errors.
"""

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tqdm import tqdm

#: Seconds between two looks.
PAUSE: Final = 0.2


@contextlib.contextmanager
def draft_in(folder: Path) -> Iterator[Path]:
    """Yield an empty file that only its owner may read, and remove it afterwards."""
    draft = folder / f".draft-{os.getpid()}-{time.monotonic_ns()}"
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def publish(draft: Path, final: Path) -> None:
    """Give a complete draft its name, on the disk. Raises FileExistsError."""
    to_disk(draft)
    # Unlike a rename, a link never replaces a file that was made at the same time.
    os.link(draft, final)
    to_disk(final.parent)


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait for, then keep out, other processes that ask the same for this folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def to_disk(path: Path) -> None:
    """Flush a file, or a folder's list, to the disk, so that it survives a power failure."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def shown(title: str, total: int, done: Callable[[], int]) -> Iterator[None]:
    """Show on a terminal how ``done()``, called from another thread, grows to a ``total`` of bytes
    while the block runs.
    """
    bar = tqdm(desc=title, total=total or None, unit="B", unit_scale=True, disable=None)
    if bar.disable:
        yield
        return
    is_over = threading.Event()

    def look() -> None:
        while not is_over.wait(PAUSE):
            bar.update(done() - bar.n)

    thread = threading.Thread(target=look, name="progress", daemon=True)
    thread.start()
    try:
        yield
        bar.update(done() - bar.n)
    finally:
        is_over.set()
        thread.join()
        bar.close()


class NoBackup(Exception):
    """There is no such copy."""


class BackupFailed(Exception):
    """The copy could not be made or read; the database is as it was."""


class InUse(Exception):
    """Somebody is connected to the database, so it cannot be replaced."""


class NotEmpty(Exception):
    """A database exists, and the command was not told to replace it."""
