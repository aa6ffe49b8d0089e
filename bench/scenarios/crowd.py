"""Measure results of an arena with thousands of players, and its effect on busy tables."""

import asyncio
import json
import os
import sys
import time
from typing import Any

from bench.form import Form
from bench.processes import halves, stolen_seconds
from bench.scenarios.closed import Load, seat
from bench.scenarios.paced import A_SECOND, keep_pace
from bench.stand import Stand
from bench.stats import percentile
from bench.tally import Tally
from rpsite.env import ROOT

ROWS = 100
#: Time limit in seconds until everybody is in the arena.
PATIENCE = 120.0


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Measure the tables alone, then beside the arena, then alone again."""
    tally = Tally()
    prepared = await seat(stand, load, tally, rows=ROWS)
    people = stand.people[ROWS * load.tables * load.seats :][: form.crowd]
    assert len(people) == form.crowd
    first = [sitter for row in prepared.rows for sitter in row[0].sitters]
    pacing = asyncio.create_task(keep_pace(first, A_SECOND))
    try:
        await stretch(stand, tally, form.warm, form.seconds * 3)
        alone = tally.latencies
        figures, beside = await _beside(stand, tally, people, form)
        await stretch(stand, tally, form.warm, form.seconds * 3)
        alone += tally.latencies
    finally:
        pacing.cancel()
        prepared.close()
    p99_alone = percentile(alone, 0.99) * 1000
    return figures | {
        "table_p99_alone_ms": p99_alone,
        "table_p99_ms": beside["p99_ms"],
        "table_p50_alone_ms": percentile(alone, 0.5) * 1000,
        "table_p50_ms": beside["p50_ms"],
        "table_p99_ratio": beside["p99_ms"] / p99_alone,
        "server_busy": beside["server_busy"],
        "stolen": beside["stolen"],
    }


async def stretch(stand: Stand, tally: Tally, warm: float, seconds: float) -> dict[str, float]:
    tally.done, tally.latencies = 0, []
    return await tally.measure(stand, warm, seconds)


async def _beside(
    stand: Stand, tally: Tally, people: list[dict[str, Any]], form: Form
) -> tuple[dict[str, float], dict[str, float]]:
    """Make people play in the arena; return their figures and those of the tables."""
    tables, arena = halves()
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.visitors", cwd=ROOT,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        asked = {
            "addresses": stand.arena_addresses(),
            "cookies": [person["cookie"] for person in people],
            "rounds": form.rounds,
            "processors": sorted(arena if stand.setup.apart else tables | arena),
        }
        child.stdin.write(json.dumps(asked).encode() + b"\n")
        async with asyncio.timeout(PATIENCE):
            assert await child.stdout.readline() == b"ready\n"
        stolen, begun = stolen_seconds(), time.monotonic()
        beside = await stretch(stand, tally, 0, form.seconds * 15)
        lost = stolen_seconds() - stolen
        beside["stolen"] = lost / (time.monotonic() - begun) / (os.cpu_count() or 1)
        async with asyncio.timeout(PATIENCE + 10 * form.rounds):
            figures: dict[str, float] = json.loads(await child.stdout.readline())
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()
    return figures, beside
