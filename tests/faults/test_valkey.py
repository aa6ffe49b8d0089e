"""F6: Valkey hangs or is gone.  Nothing waits for it, and it is taken up again by itself."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable

import pytest

from tests.faults.client import Client
from tests.faults.pages import Pages
from tests.faults.rig import Rig, Web

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile, pytest.mark.alone]

LIMIT = 2.0
PASSWORD = "a long pass phrase"


async def timed(what: str, work: Awaitable[object]) -> object:
    """Wait for something, say how long it took, and insist on the limit."""
    begun = time.monotonic()
    result = await asyncio.wait_for(work, 15)
    taken = time.monotonic() - begun
    print(f"{what}: {taken * 1000:.0f} ms")
    assert taken < LIMIT, what
    return result


async def use_pages(web: Web, name: str) -> None:
    """Sign up, log in and ask for a new password."""
    forms: list[tuple[str, dict[str, str]]] = [
        (
            "/accounts/signup/",
            {
                "username": name,
                "email": f"{name}@example.org",
                "password1": PASSWORD,
                "password2": PASSWORD,
            },
        ),
        ("/accounts/login/", {"login": name, "password": PASSWORD}),
        ("/accounts/password/reset/", {"email": f"{name}@example.org"}),
    ]
    for path, form in forms:
        pages = Pages(web.address)
        token = await timed(f"GET {path}", asyncio.to_thread(pages.token, path))
        status = await timed(f"POST {path}", asyncio.to_thread(pages.post, path, form, str(token)))
        assert status == 302, path


async def use_table(rig: Rig, web: Web, names: tuple[str, str]) -> None:
    """Sit down, get ready, play a hand."""
    people = rig.hand("people", names=list(names))
    table = rig.hand("open_table", opener=people[0]["id"], seats=2)
    clients = [Client(web, table["public_id"], who["cookie"]) for who in people]
    for seat, client in enumerate(clients):
        await timed("connect", client.open())
        await timed("sit", acked(client.act(kind="sit", seat=seat, purse=20)))
    for client in clients:
        await client.until_view(lambda view: view["you"]["seat"] is not None)
        await timed("ready", acked(client.act(kind="ready", configuration=1)))
    for client in clients:
        await client.until_view(lambda view: view["match"]["status"] == "running", LIMIT)
    turn = clients[clients[0].view["game"]["turn"]]
    await timed("raise", acked(turn.act(kind="raise_by", amount=3)))
    await timed("leave the table", acked(turn.act(kind="leave")))
    for client in clients:
        await client.leave()


async def acked(answer: Awaitable[dict[str, object]]) -> None:
    """Insist on an acknowledgement."""
    assert (await answer)["type"] == "ack"


async def test_fault_hanging_valkey_is_waited_for_by_nobody(rig: Rig) -> None:
    web = rig.web()
    rig.valkey.send(signal.SIGSTOP)
    await use_pages(web, "while-it-hangs")
    await use_table(rig, web, ("ann", "bob"))
    rig.valkey.send(signal.SIGCONT)
    await use_table(rig, web, ("carl", "dora"))
    rig.valkey.send(signal.SIGSTOP)
    taken = await asyncio.to_thread(web.end)
    print(f"ended in {taken:.2f} s")
    assert taken < 5
    assert web.popen.returncode == 0
    rig.prove()
    assert rig.alarms() == []


async def test_fault_killed_valkey_is_missed_by_nobody_and_taken_up_again(
    rig: Rig, bus_is_used: Callable[[Rig, Web], Awaitable[bool]]
) -> None:
    web = rig.web()
    assert await bus_is_used(rig, web)
    rig.valkey.kill()
    await use_pages(web, "while-it-is-gone")
    await use_table(rig, web, ("ann", "bob"))
    fresh = Web(rig.var / "web-fresh.log", rig.environment, web.port + 1)
    rig.processes.append(fresh)
    fresh.wait_until_ready()
    await use_table(rig, fresh, ("emil", "frida"))
    rig.valkey.start()
    assert await bus_is_used(rig, web)
    await use_table(rig, web, ("carl", "dora"))
    rig.prove()
    assert rig.alarms() == []


@pytest.fixture
def bus_is_used() -> Callable[[Rig, Web], Awaitable[bool]]:
    """Whether a web process listens on the bus, within ten seconds."""
    import redis

    async def ask(rig: Rig, web: Web) -> bool:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with redis.from_url(rig.valkey.url + "?db=1", socket_timeout=2) as client:
                if dict(client.pubsub_numsub("hints"))[b"hints"] > 0:
                    return True
            await asyncio.sleep(0.2)
        return False

    return ask
