"""Room on the disks that the site writes to."""

import logging
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connections

log = logging.getLogger(__name__)

LOW, FULL = "low", "full"
#: The disk is low below this many times the least room.
WARNING: Final = 10
#: Seconds between two lines about the same.
SAID_AGAIN: Final = 600.0
_MIB: Final = 2**20


class _Said:
    """The last line of this process about the disk."""

    state = ""
    until = 0.0


def free_bytes() -> int:
    """Return the fewest free bytes of the disks of ``SITE_VAR`` and of the database's files."""
    files = (each for each in connections.all() if each.vendor == "sqlite")
    places = [Path(settings.VAR), *(Path(each.settings_dict["NAME"]).parent for each in files)]
    found = []
    for place in places:
        # What is not there yet is written to by nobody.
        with suppress(OSError):
            disk = os.statvfs(place)
            found.append(disk.f_bavail * disk.f_frsize)
    return min(found, default=2**63)


def disk_state(free: int | None = None) -> str:
    """Return ``FULL`` below the least room, ``LOW`` before that, otherwise ""."""
    free = free_bytes() if free is None else free
    if free < settings.DISK_LEAST_FREE:
        return FULL
    return LOW if free < WARNING * settings.DISK_LEAST_FREE else ""


def warn_of_disk() -> str:
    """Log that the disk is low or full, at once and every ten minutes; return its state."""
    free = free_bytes()
    state = disk_state(free)
    if state and (state != _Said.state or time.monotonic() >= _Said.until):
        level = logging.CRITICAL if state == FULL else logging.WARNING
        log.log(level, "the disk is %s: %d MiB are free", state, free // _MIB)
        _Said.until = time.monotonic() + SAID_AGAIN
    _Said.state = state
    return state
