"""How a process deals with memory that it has let go of.

Source: docs/explanation/security.md "Log-in and reset";
docs/explanation/performance.md "The background".
"""

import contextlib
import ctypes
import gc
import sys
from typing import Final

#: glibc's name for the size from which a block is the system's own, and goes back when it is freed.
_M_MMAP_THRESHOLD: Final = -3
LARGE: Final = 4 * 2**20


def give_back_large_blocks() -> None:
    """Let blocks of 4 MiB and more be mapped; where glibc is not, nothing changes.

    A hash of a password takes 19 MiB for a moment.  glibc keeps freed blocks of that size in the
    heap of whichever thread freed them, so that a flood of log-ins left a web process with hundreds
    of MiB that nobody used.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)


def let_collector_rest() -> None:
    """Let the cyclic collector look once in a while, and never at what is there already.

    Django's own objects live as long as the process: a full collection walks them all, 20 to 90 ms
    that every socket feels, or, in the worker, everybody who waits for its transaction.  What
    actions make is freed without the collector, which finds next to nothing and walks all that
    lives for the moment each time: 5 to 15 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 10, 50)
