"""Measure latency at a hundred actions a second, far below the limit of the tables."""

import asyncio
import itertools
import time

from bench.form import Form
from bench.scenarios.closed import Load, seat
from bench.sitter import Sitter
from bench.stand import Stand
from bench.tally import Tally

A_SECOND = 100


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Send an action every hundredth of a second, and return the figures."""
    tally = Tally()
    prepared = await seat(stand, load, tally, rows=100)
    first = [sitter for row in prepared.rows for sitter in row[0].sitters]
    pacing = asyncio.create_task(keep_pace(first, A_SECOND))
    try:
        return await tally.measure(stand, form.warm, form.seconds * 2)
    finally:
        pacing.cancel()
        prepared.close()


async def keep_pace(sitters: list[Sitter], a_second: float) -> None:
    """Make the sitters act in turn; skip those who cannot act now."""
    begun, turn = time.perf_counter(), itertools.cycle(sitters)
    for number in itertools.count(1):
        for sitter in itertools.islice(turn, len(sitters)):
            if sitter.go_on():
                break
        await asyncio.sleep(max(0.0, begun + number / a_second - time.perf_counter()))
