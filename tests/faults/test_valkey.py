import asyncio
import signal
import time
from collections.abc import Awaitable

import pytest
import redis

from tests.boot import PATIENCE
from tests.faults.client import Client, eventually, leave_all
from tests.faults.pages import Pages
from tests.faults.rig import Rig, Web

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

PASSWORD = "a long pass phrase"
Seconds = dict[str, float]


async def timed(what: str, work: Awaitable[object], taken: Seconds) -> object:
    begun = time.monotonic()
    result = await asyncio.wait_for(work, PATIENCE)
    taken[what] = max(taken.get(what, 0.0), time.monotonic() - begun)
    return result


def assert_nobody_waited(calm: Seconds, taken: Seconds) -> None:
    """Code that waits for Valkey would wait without end, or longer than these two seconds."""
    print({what: f"{calm[what] * 1000:.0f} -> {taken[what] * 1000:.0f} ms" for what in taken})
    limit = 2.0 + sum(calm.values())
    assert {what: took for what, took in taken.items() if took > limit} == {}


async def use_pages(web: Web, name: str, taken: Seconds) -> None:
    forms: list[tuple[str, dict[str, str]]] = [
        ("/accounts/signup/", {"username": name, "password1": PASSWORD}),
        ("/accounts/login/", {"login": name, "password": PASSWORD}),
        ("/accounts/password/reset/", {"email": f"{name}@example.org"}),
    ]
    for path, form in forms:
        pages = Pages(web.address)
        token = await timed(f"GET {path}", asyncio.to_thread(pages.token, path), taken)
        sending = asyncio.to_thread(pages.post, path, form, str(token))
        status = await timed(f"POST {path}", sending, taken)
        assert status == 302, path


async def use_table(rig: Rig, web: Web, names: tuple[str, str], taken: Seconds) -> None:
    people = rig.hand("people", names=list(names))
    table = rig.hand("open_table", opener=people[0]["id"], seats=2)
    clients = [Client(web, table["public_id"], who["cookie"]) for who in people]
    for seat, client in enumerate(clients):
        await timed("connect", client.open(), taken)
        await timed("sit", acked(client.act(kind="sit", seat=seat, purse=20)), taken)
    for client in clients:
        await client.until_view(lambda view: view["you"]["seat"] is not None)
        await timed("ready", acked(client.act(kind="ready", configuration=1)), taken)
    for client in clients:
        await client.until_view(lambda view: view["match"]["status"] == "running")
    turn = clients[clients[0].view["game"]["turn"]]
    await timed("raise", acked(turn.act(kind="raise_by", amount=3)), taken)
    await timed("leave the table", acked(turn.act(kind="leave")), taken)
    await leave_all(clients)


async def acked(answer: Awaitable[dict[str, object]]) -> None:
    assert (await answer)["type"] == "ack"


@pytest.mark.parametrize("is_killed", [False, True], ids=["hangs", "killed"])
async def test_fault_hanging_or_killed_valkey_is_waited_for_by_nobody_and_taken_up_again(
    rig: Rig, is_killed: bool
) -> None:
    web, calm, taken = rig.web(), {}, {}
    assert await bus_is_used(rig, web)
    await use_pages(web, "while-it-works", calm)
    await use_table(rig, web, ("gina", "hugo"), calm)
    rig.valkey.kill() if is_killed else rig.valkey.send(signal.SIGSTOP)
    await use_pages(web, "while-it-is-gone", taken)
    await use_table(rig, web, ("ann", "bob"), taken)
    if is_killed:
        await use_table(rig, rig.web(), ("emil", "frida"), taken)
        rig.valkey.start()
    else:
        rig.valkey.send(signal.SIGCONT)
    assert await bus_is_used(rig, web)
    await use_table(rig, web, ("carl", "dora"), taken)
    assert_nobody_waited(calm, taken)
    if not is_killed:
        rig.valkey.send(signal.SIGSTOP)
        print(f"ended in {await asyncio.to_thread(web.end):.2f} s")
        assert web.popen.returncode == 0
    rig.prove_calm()


async def bus_is_used(rig: Rig, web: Web) -> bool:
    def is_used() -> bool:
        with redis.from_url(rig.valkey.url + "?db=1", socket_timeout=PATIENCE) as client:
            return dict(client.pubsub_numsub("hints"))[b"hints"] > 0

    return await eventually(is_used, pause=0.2)
