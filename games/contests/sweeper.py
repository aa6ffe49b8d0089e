"""The contest sweep in the web process, in case the worker does not run.
Source: docs/explanation/contests.md "How an action is done".
"""

import asyncio
import logging
import random
from typing import Final

from games.contests import services
from games.realtime.executors import Poller
from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

#: Seconds between two sweeps, and their random spread, so that processes do not sweep together.
PAUSE: Final = 5.0
SPREAD: Final = 1.0
_chance = random.SystemRandom()


class Sweeper(Poller):
    """Sweeps the contests for due changes, about every five seconds."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime.reads)

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(PAUSE + _chance.uniform(-SPREAD, SPREAD))
            try:
                await self._executor.run(services.sweep)
            except Exception:
                log.exception("the contests could not be swept")
