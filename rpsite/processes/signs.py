"""Signs of life of a process, for who replaces it when it hangs without ending.

The web process gives them from its event loop, worker and beat from the loops in which they work.
The runner reads them from a pipe, systemd from a socket (``WatchdogSec=`` in ``deploy/systemd``).

Source: docs/how-to/run-a-site.md "A process that hangs"; sd_notify(3).
"""

import asyncio
import contextlib
import os
import socket
from typing import Final

#: The runner's pipe.
VARIABLE: Final = "SITE_SIGNS"
_OF_SYSTEMD: Final = "NOTIFY_SOCKET"
#: Variables of systemd that are for the runner, and not for its children.
FOR_PARENT: Final = (_OF_SYSTEMD, "WATCHDOG_PID", "WATCHDOG_USEC")
#: Seconds between two signs of an event loop.
EVERY: Final = 2.0
#: Seconds for a start until the first sign: libraries are loaded, a database is looked at.
FIRST: Final = 180.0
#: Seconds between two looks of who watches.
LOOK: Final = 1.0


def sign() -> None:
    """Give a sign of life if somebody watches; never waits."""
    # Who watches may be gone, or have many to read.
    with contextlib.suppress(OSError):
        if pipe := os.environ.get(VARIABLE):
            os.write(int(pipe), b".")
        elif address := os.environ.get(_OF_SYSTEMD):
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
                wire.setblocking(False)
                wire.sendto(b"WATCHDOG=1", address.replace("@", "\0", 1))


async def give_signs() -> None:
    """Give signs as long as the event loop turns."""
    while True:
        sign()
        await asyncio.sleep(EVERY)


class Signs:
    """The signs of a process as who watches it sees them, by the watcher's clock in seconds."""

    def __init__(self, limit: float, now: float) -> None:
        self._limit = limit
        self._due_at = now + max(limit, FIRST)
        self._looked_at = now

    def note(self, now: float) -> None:
        """Note a sign."""
        self._due_at = now + self._limit

    def is_overdue(self, now: float) -> bool:
        """Look whether a sign is overdue; call it every ``LOOK`` seconds. After a look that comes
        late the whole machine may have slept: waiting begins again.
        """
        if now - self._looked_at > 5 * LOOK:
            self._due_at = max(self._due_at, now + self._limit)
        self._looked_at = now
        return now > self._due_at
