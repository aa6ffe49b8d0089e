import asyncio
from functools import partial
from statistics import quantiles

import pytest

from tests.faults.client import leave_all, sat_down, tables_of_two, under_load
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

SECONDS = form(4.0, in_long=10.0)
#: A write or a log-in beside the batch writer waits for one transaction, not for a gap between many
#: (docs/explanation/decisions/ "Turnstile on SQLite"): nine of ten take at most a multiple of what
#: the same costs there alone, before or after.  Seconds are what any machine may take.
LIMIT, RATIO = 0.25, 10


def spread(name: str, numbers: list[float]) -> float:
    p50, p90, p99 = (quantiles(numbers, n=100, method="inclusive")[n - 1] for n in (50, 90, 99))
    print(f"{name}: {len(numbers)} times, {p50 * 1000:.1f}, {p90 * 1000:.1f}, {p99 * 1000:.1f} ms")
    return p90


def assert_not_starved(name: str, calm: list[list[float]], loaded: list[float]) -> None:
    alone = max(spread(f"{name} alone", part) for part in calm)
    assert spread(f"{name} beside the batch writer", loaded) <= max(LIMIT, RATIO * alone)


async def test_fault_busy_batch_writer_starves_neither_log_ins_nor_other_writers(make_rig) -> None:
    with make_rig(SOCKET_RATE="10000", SOCKET_BURST="10000") as rig:
        visitor, writer = rig.hand, rig.another_hand()
        visitors = [f"visitor{n}" for n in range(10)]
        rig.hand("people", names=visitors, password="a long password")
        people, tables = tables_of_two(rig, 16)
        web = rig.web()
        time_log_ins = partial(visitor, "log_in_again", address=web.address, names=visitors)
        time_writes = partial(writer, "write_sessions")
        calm = [time_log_ins(seconds=SECONDS / 3)]
        calm_writes = [time_writes(seconds=SECONDS / 3)]
        clients = await sat_down(web, tables, people)
        async with under_load(clients):
            log_ins, writes = await asyncio.gather(
                asyncio.to_thread(time_log_ins, seconds=SECONDS),
                asyncio.to_thread(time_writes, seconds=SECONDS),
            )
        calm.append(time_log_ins(seconds=SECONDS / 3))
        acked = sum(len(client.acks) for client in clients)
        print(f"{acked / SECONDS:.0f} actions/s, {sum(c.busy for c in clients)} times busy")
        calm_writes.append(time_writes(seconds=SECONDS / 3))
        assert_not_starved("log-ins", calm, log_ins)
        assert_not_starved("session writes by another process", calm_writes, writes)
        assert acked > 5 * len(log_ins), "the batch writer was not busy"
        await leave_all(clients)
        rig.prove_calm()
