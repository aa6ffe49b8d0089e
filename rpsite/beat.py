"""Beat with intervals measured by the monotonic clock. Celery's scheduler uses the machine's clock:
set back an hour, it would send nothing for an hour.
Source: docs/explanation/deadlines.md "A clock that is set back".
"""

import logging
from typing import Any

from celery import beat

from games.realtime.clocks import WallClock
from rpsite.processes.signs import sign
from rpsite.pulse import BEAT

log = logging.getLogger(__name__)


class Scheduler(beat.Scheduler):
    """Celery's scheduler with the monotonic clock and without a file."""

    def setup_schedule(self) -> None:
        self.clock = WallClock()
        super().setup_schedule()
        for entry in self.schedule.values():
            vars(entry.schedule)["nowfun"] = self.clock.now
            entry.last_run_at = entry.default_now()

    def tick(self, *given: Any, **named: Any) -> float:
        self.clock.look()
        sign()
        BEAT.beat()
        return float(super().tick(*given, **named))

    def _ensure_connected(self) -> Any:
        """Connect to the broker; a broker that is away is waited for, which is no hang."""

        def tell(problem: Exception, pause: float) -> None:
            log.error(
                "the broker is away: %s; trying again in %.0f s", type(problem).__name__, pause
            )

        return self.connection.ensure_connection(tell, callback=sign)
