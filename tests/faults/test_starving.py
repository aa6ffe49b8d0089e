"""A pump that never rests leaves the database, and the process, to the others."""

import asyncio
from functools import partial
from statistics import quantiles

import pytest

from tests.faults.client import Client, play_chaos
from tests.faults.rig import form

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile, pytest.mark.alone]

SECONDS = form(4.0, 10.0)
#: A write beside the pump waits for one transaction, not for a gap between many (decision 15); a
#: machine that does other things besides takes its time for that one.
WRITE_LIMIT = 0.4
#: What a log-in may take beside the pump at the 99th percentile; a machine that is busy with other
#: things besides is allowed so many times what a log-in costs there alone, before or after.
LOG_IN_LIMIT, LOG_IN_RATIO = 0.1, 3


def percentile(numbers: list[float], percent: int) -> float:
    """Return a percentile of at least two numbers."""
    return quantiles(numbers, n=100, method="inclusive")[percent - 1]


def spread(name: str, numbers: list[float]) -> float:
    """Print how long something took; return the 99th percentile."""
    p50, p99 = percentile(numbers, 50), percentile(numbers, 99)
    print(f"{name}: {len(numbers)} times, p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms")
    return p99


async def test_fault_saturated_pump_starves_neither_log_ins_nor_other_writers(make_rig) -> None:
    with make_rig(SOCKET_RATE="10000", SOCKET_BURST="10000") as rig:
        visitor, writer = rig.hand, rig.another_hand()
        people = rig.hand("people", names=[f"player{n}" for n in range(16)])
        visitors = [f"visitor{n}" for n in range(10)]
        rig.hand("people", names=visitors, password="a long password")
        tables = [
            rig.hand("start_game", users=[a["id"], b["id"]], round_clock=120)
            for a, b in zip(people[::2], people[1::2], strict=True)
        ]
        web = rig.web()
        time_log_ins = partial(visitor, "log_in_again", address=web.address, names=visitors)
        calm = [time_log_ins(seconds=SECONDS / 3)]
        clients = [
            Client(web, tables[n // 2]["public_id"], who["cookie"]) for n, who in enumerate(people)
        ]
        await asyncio.gather(*(client.open() for client in clients))
        done = asyncio.Event()
        load = [
            asyncio.create_task(play_chaos(client, 1 - n % 2, done))
            for n, client in enumerate(clients)
        ]
        log_ins, writes = await asyncio.gather(
            asyncio.to_thread(time_log_ins, seconds=SECONDS),
            asyncio.to_thread(writer, "write_sessions", seconds=SECONDS),
        )
        done.set()
        await asyncio.gather(*load)
        calm.append(time_log_ins(seconds=SECONDS / 3))
        acked = sum(len(client.acks) for client in clients)
        print(f"{acked / SECONDS:.0f} actions/s, {sum(c.busy for c in clients)} times busy")
        alone = max(spread("log-ins alone", part) for part in calm)
        assert spread("log-ins under load", log_ins) <= max(LOG_IN_LIMIT, LOG_IN_RATIO * alone)
        assert spread("session writes by another process", writes) < WRITE_LIMIT
        assert acked > SECONDS * 20, "the pump was not busy"
        for client in clients:
            await client.leave()
        rig.prove()
        assert rig.alarms() == []
