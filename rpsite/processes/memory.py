"""Settings of glibc's allocator and Python's garbage collector.
Source: docs/explanation/security.md "Log-in and reset", performance.md "The background".
"""

import contextlib
import ctypes
import gc
import sys
from typing import Final

#: glibc's parameter: blocks of this size and more are mapped, and returned when freed.
_M_MMAP_THRESHOLD: Final = -3
LARGE: Final = 4 * 2**20


def give_back_large_blocks() -> None:
    """Make glibc map blocks of 4 MiB and more; does nothing without glibc. A hash of a password
    takes 19 MiB for a moment.  glibc keeps freed blocks of that size in the heap of the thread that
    freed them, so that a flood of log-ins left a web process with hundreds of MiB of unused memory.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)


def let_collector_rest() -> None:
    """Make the cyclic collector run rarely, and exclude existing objects.

    Django's objects live as long as the process: a full collection walks them all and takes 20 to
    90 ms, which delays every socket or, in the worker, all who wait for its transaction.  Objects
    of actions are freed without the collector, which finds almost nothing and takes 5 to 15 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 10, 50)
