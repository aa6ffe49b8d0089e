"""Files that only their owner may read, and that are flushed to the disk."""

import contextlib
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


def to_disk(path: Path) -> None:
    """Flush a file, or a folder's list, to the disk, so that it survives a power failure."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
