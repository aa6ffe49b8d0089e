"""A pump that never rests leaves the database to the others."""

import asyncio
import time
from statistics import quantiles

import pytest

from tests.faults.client import Client, play_chaos
from tests.faults.pages import Pages
from tests.faults.rig import Rig, form

pytestmark = [pytest.mark.processes, pytest.mark.slow]

SECONDS = form(4.0, 10.0)
#: This is for a machine that does other things besides; by itself it is a tenth of it.
P99_LIMIT = form(1.0, 0.1)


def percentile(numbers: list[float], percent: int) -> float:
    """Return a percentile of at least two numbers."""
    return quantiles(numbers, n=100, method="inclusive")[percent - 1]


def log_in_for(pages: Pages, seconds: float) -> list[float]:
    """Log in again and again; return how long each answer took."""
    taken = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pages.forget()
        form = {"login": "visitor", "password": "a long password"}
        token = pages.token("/accounts/login/")
        begun = time.monotonic()
        status = pages.post("/accounts/login/", form, token)
        taken.append(time.monotonic() - begun)
        assert status == 302
        time.sleep(0.02)
    return taken


async def test_fault_saturated_pump_lets_people_log_in(make_rig) -> None:
    with make_rig(SOCKET_RATE="10000", SOCKET_BURST="10000") as rig:
        people = rig.hand("people", names=[f"player{n}" for n in range(16)])
        rig.hand("people", names=["visitor"], password="a long password")
        tables = [
            rig.hand("start_game", users=[a["id"], b["id"]], round_clock=120)
            for a, b in zip(people[::2], people[1::2], strict=True)
        ]
        web = rig.web()
        pages = Pages(web)
        calm = await asyncio.to_thread(log_in_for, pages, SECONDS / 2)
        clients = [
            Client(web, tables[n // 2]["public_id"], who["cookie"]) for n, who in enumerate(people)
        ]
        await asyncio.gather(*(client.open() for client in clients))
        done = asyncio.Event()
        load = [
            asyncio.create_task(play_chaos(client, 1 - n % 2, done))
            for n, client in enumerate(clients)
        ]
        await asyncio.sleep(0.3)
        busy = await asyncio.to_thread(log_in_for, pages, SECONDS)
        done.set()
        await asyncio.gather(*load)
        acked = sum(len(client.acks) for client in clients)
        p99 = percentile(busy, 99)
        print(
            f"{acked / SECONDS:.0f} actions/s beside {len(busy)} log-ins:"
            f" p50 {percentile(busy, 50) * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms;"
            f" alone p50 {percentile(calm, 50) * 1000:.0f} ms"
        )
        assert acked > SECONDS * 20, "the pump was not busy"
        assert p99 < P99_LIMIT
        for client in clients:
            await client.leave()
        rig.prove()
        assert rig.alarms() == []
