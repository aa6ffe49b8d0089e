"""Files that only their owner may read, and that are flushed to the disk."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path


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
    """Give a complete draft its name, on the disk. Unlike a rename, a link never replaces a file
    that was made at the same time. Raises FileExistsError: there is such a file.
    """
    to_disk(draft)
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
