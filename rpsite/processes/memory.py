"""Memory that a process has let go of goes back to the system.

A hash of a password takes 19 MiB for a moment.  glibc keeps freed blocks of that size in the heap
of whichever thread freed them, so that a flood of log-ins left a web process with hundreds of MiB
that nobody used.

Source: docs/security.md "Log-in and reset".
"""

import contextlib
import ctypes
import sys
from typing import Final

#: glibc's name for the size from which a block is the system's own, and goes back when it is freed.
_M_MMAP_THRESHOLD: Final = -3
LARGE: Final = 4 * 2**20


def give_back_large_blocks() -> None:
    """Let blocks of 4 MiB and more be mapped; where glibc is not, nothing changes."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)
