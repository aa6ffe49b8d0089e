"""Limits of a web process for every server: of sockets, memory, and the time to stop it."""

import asyncio
import contextlib
import ctypes
import gc
import logging
import os
import resource
import sys
import threading
import time
from typing import Final

log = logging.getLogger(__name__)

#: Maximum length of a frame, in bytes.
LONGEST_FRAME: Final = 8192
#: Maximum number of pings, pongs and continuation frames of a socket within this many seconds.
MOST_UNHANDLED: Final = 500
UNHANDLED_PERIOD: Final = 10
#: Seconds.
PING_INTERVAL: Final = 15
PING_TIMEOUT: Final = 20
HTTP_TIMEOUT: Final = 60
#: Seconds from the first byte of a request or handshake to its last one.
REQUEST_TIME: Final = 30
#: Maximum length of the head of a request, in bytes; Daphne's own.
LONGEST_HEAD: Final = 16384
#: Seconds from the signal until the live parts have stopped, and until the process is ended.
STOP_LIMIT: Final = 4.0
END_LIMIT: Final = 4.9
#: glibc's parameter: blocks of this size and more are mapped, and returned when freed.
_M_MMAP_THRESHOLD: Final = -3
LARGE: Final = 4 * 2**20


def allow_many_sockets() -> None:
    """Allow this process as many open files as the system lets it have; each socket is one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS refuses an infinite number.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class UnhandledFrames:
    """Counts the frames of one socket that reach no handler, so that no other limit holds them."""

    def __init__(self) -> None:
        self._since, self._frames = 0.0, 0

    def is_flood(self) -> bool:
        """Count one frame and return whether there are too many."""
        now = time.monotonic()
        if now - self._since > UNHANDLED_PERIOD:
            self._since, self._frames = now, 0
        self._frames += 1
        return self._frames > MOST_UNHANDLED


async def until_drained(draining: asyncio.Task[None]) -> None:
    """Wait until a process has drained, or a second signal has cancelled that."""
    await asyncio.wait([draining])
    if not draining.cancelled() and (problem := draining.exception()):
        log.error("the sockets were not closed in portions", exc_info=problem)


def end_in_time() -> None:
    """End this process in a few seconds, even if it is busy."""
    # A thread, because a blocked loop could not end the process.
    watchdog = threading.Timer(END_LIMIT, os._exit, [1])
    watchdog.daemon = True
    watchdog.start()


def give_back_large_blocks() -> None:
    """Make glibc map blocks of 4 MiB and more; does nothing without glibc."""
    # A hash of a password takes 19 MiB, which glibc would keep in the heap of each thread.
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)


def let_collector_rest() -> None:
    """Make the cyclic collector run rarely, and exclude existing objects."""
    # Django's objects live on: a full collection takes 20 to 90 ms, in which every socket waits.
    # Objects of actions are freed without the collector.
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 10, 50)
