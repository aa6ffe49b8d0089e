"""Limits of a web process, and of the time to stop it, for every server.
Source: docs/explanation/decisions/ "The web command".
"""

import contextlib
import resource
import time
from typing import Final

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


def allow_many_sockets() -> None:
    """Allow this process as many open files as the system lets it have: each socket is one. Many
    systems give a process 1,024 at first, and the right to hundreds of thousands.
    """
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
