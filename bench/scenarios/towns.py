"""Measure a thousand Mafia games that are due at one instant, beside live tables.

They have no spectators, so the worker processes them.
"""

import asyncio
import time

from bench.form import Form
from bench.scenarios.closed import Load, seat
from bench.scenarios.paced import A_SECOND, keep_pace
from bench.stand import Stand
from bench.stats import percentile
from bench.tally import Tally

ROWS = 100
CITIZENS = 5
#: Seconds: the length of a phase, and the time to create the games and measure the tables.
PHASE, READY = 600, 180


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Measure the tables alone, then while the due games are processed."""
    tally = Tally()
    others = [person["id"] for person in stand.people[ROWS * load.tables * load.seats :]]
    towns = [others[n : n + CITIZENS] for n in range(0, len(others) - CITIZENS + 1, CITIZENS)]
    stand.hand(
        "tables", users=[towns[n % len(towns)] for n in range(form.towns)], stage="started",
        game="agora", ago=PHASE - READY, seats=CITIZENS, phase_seconds=PHASE,
    )  # fmt: skip
    stand.start_worker()
    prepared = await seat(stand, load, tally, rows=ROWS)
    first = [sitter for row in prepared.rows for sitter in row[0].sitters]
    pacing = asyncio.create_task(keep_pace(first, A_SECOND))
    try:
        alone = await tally.measure(stand, form.warm, form.seconds * 2)
        left = stand.hand("seconds_left", game="agora")
        assert left > 0, "the machine is too slow: the games are due before they can be measured"
        await asyncio.sleep(left)
        tally.latencies, tally.is_open, begun = [], True, time.perf_counter()
        await asyncio.to_thread(stand.hand, "work_off", game="agora")
        taken = time.perf_counter() - begun
    finally:
        pacing.cancel()
        prepared.close()
    beside = percentile(tally.latencies, 0.99) * 1000
    return {
        "worked_off_s": taken,
        "table_p99_alone_ms": alone["p99_ms"],
        "table_p99_ms": beside,
        "table_p99_ratio": beside / alone["p99_ms"],
        "refused": float(sum(tally.refused.values())),
    }
