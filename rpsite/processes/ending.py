"""The end of a web process, for every server: it drains, then it has a few seconds left."""

import asyncio
import logging
import os
import threading

from rpsite.processes.limits import END_LIMIT

log = logging.getLogger(__name__)


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
