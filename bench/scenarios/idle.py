"""Measure the memory of an idle socket, each of another user with a session."""

import asyncio
import time

from bench.form import Form
from bench.processes import proportional_kib
from bench.scenarios.closed import CHOICES
from bench.stand import Stand
from bench.wire import connect, connect_all

MATCHES = 50
#: Seconds until buffers of the handshakes are freed.
SETTLE = 2.0


async def run(stand: Stand, form: Form) -> dict[str, float]:
    """Open the sockets and compare the memory before and after."""
    people = stand.people
    ids = [person["id"] for person in people[: 2 * MATCHES]]
    groups = [ids[n : n + 2] for n in range(0, len(ids), 2)]
    tables = stand.hand("tables", users=groups, stage="round", **CHOICES.options)
    stand.start_web()
    lines = await _open(stand, tables, people[:20])
    await asyncio.sleep(SETTLE)
    before, begun = _memory(stand), time.perf_counter()
    fresh = await _open(stand, tables, people[-form.idle :])
    taken = time.perf_counter() - begun
    await asyncio.sleep(SETTLE)
    after = _memory(stand)
    used, rested = stand.cpu(), time.perf_counter()
    await asyncio.sleep(SETTLE * 2)
    idle = (stand.cpu()["server"] - used["server"]) / (time.perf_counter() - rested)
    for line in lines + fresh:
        line.abort()
    return {
        "kib_a_socket": (after - before) / len(fresh),
        "base_mib": before / 1024,
        "accepts_a_second": len(fresh) / taken,
        "idle_busy": idle,
    }


async def _open(stand: Stand, tables: list[dict[str, str]], people: list[dict[str, str]]) -> list:
    openings = [
        lambda n=n, p=p: connect(
            stand.address(n),
            f"/ws/match/{tables[n % len(tables)]['public_id']}/",
            _ignore,
            {"Cookie": p["cookie"]},
        )
        for n, p in enumerate(people)
    ]
    return await connect_all(openings)


def _memory(stand: Stand) -> int:
    return sum(proportional_kib(web.process.pid) for web in stand.webs)


def _ignore(payload: bytes) -> None:
    """Ignore a message."""
