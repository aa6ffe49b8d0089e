"""Measure the first throw in a new process, on a site with a thousand running matches."""

import asyncio
from statistics import median

from bench.form import Form
from bench.scenarios.closed import Load
from bench.scenarios.load import PreparedTables
from bench.stand import Stand
from bench.tally import Tally

#: Number of processes, started one after the other.
STARTS = 5
LIMIT = 10.0


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Start processes, and time the first throw in each."""
    people = stand.people[: form.cold * load.seats]
    ids = [person["id"] for person in people]
    groups = [ids[n : n + load.seats] for n in range(0, len(ids), load.seats)]
    tables = stand.hand("tables", users=groups, stage=load.stage, **load.options)
    times = []
    for number in range(STARTS):
        stand.start_web()
        there = slice(number * load.seats, (number + 1) * load.seats)
        times.append(await _first_throw(stand, load, tables[number], people[there]))
        stand.webs.pop().kill()
    return {"first_ms": median(times) * 1000, "slowest_ms": max(times) * 1000}


async def _first_throw(stand: Stand, load: Load, table: dict, people: list[dict]) -> float:
    """Open a table's sockets, let one player throw, and return the seconds to the answer."""
    tally = Tally()
    prepared = PreparedTables(tally, load.decide)
    await prepared.fill(stand, [table], people, 1)
    tally.is_open = True
    async with asyncio.timeout(LIMIT):
        while not any(sitter.go_on() for sitter in prepared.sitters):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while not tally.latencies:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    prepared.close()
    return tally.latencies[0]
