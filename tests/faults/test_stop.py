import asyncio
import contextlib
import signal
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import connect

from rpsite.db.sqlite.base import Turnstile
from tests.boot import PATIENCE
from tests.faults.client import (
    Client,
    assert_clock_was_given_back,
    assert_journal,
    eventually,
    game_of_two,
    leave_all,
    sat_down,
    tables_of_two,
    under_load,
    until_played,
)
from tests.faults.rig import Rig, sweeping
from tests.forms import IS_LONG, form

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]
IS_FORKING = False


@contextlib.contextmanager
def sweeper(rig: Rig) -> Iterator[None]:
    """Sweep elsewhere: by Celery in the long form, by a process of ours in the short one."""
    if not IS_LONG:
        with sweeping(rig.another_hand()):
            yield
        return
    rig.celery("worker", "-c", "2", "--without-mingle", "--without-gossip", "-n", "worker@%h")
    rig.celery("beat", "--pidfile=")
    yield


@contextlib.contextmanager
def no_writes(rig: Rig) -> Iterator[None]:
    """Hold SQLite's turn: a process that stops within a write stops all others."""
    if rig.is_on_postgresql:
        yield
        return
    turnstile = Turnstile(rig.var / "site.sqlite3")
    turnstile.take(PATIENCE, is_first=True)
    yield
    turnstile.give_back()
    turnstile.close()


async def test_fault_standing_still_with_a_sweeper_elsewhere_folds_nobody(rig: Rig) -> None:
    web = rig.web()
    with sweeper(rig):
        clock = form(10, in_long=20)
        table, clients = await game_of_two(rig, web, stage="betting", betting_clock=clock)
        due_at = rig.hand("clock", match=table["pk"])["due_at"]
        await eventually(lambda: rig.hand("has_passed", due_at=due_at - 4000))
        with no_writes(rig):
            web.send(signal.SIGSTOP)
        # The clock passes before the process is found as lost, which is six seconds later.
        await eventually(lambda: rig.hand("has_passed", due_at=due_at + form(1, in_long=20) * 1000))
        await eventually(lambda: rig.hand("heartbeats")["lost"])
        assert "folded" not in rig.hand("facts", match=table["pk"])
        web.send(signal.SIGCONT)
        # Daphne cuts lines whose pings were not answered for 20 s; browsers then come back.
        await asyncio.sleep(form(0, in_long=5))
        for client in clients:
            if client.code is not None:
                await client.come_back()
        await eventually(lambda: rig.hand("clock", match=table["pk"])["resumed"])
        assert rig.hand("match", match=table["pk"])["status"] == "running"
        assert_clock_was_given_back(rig, table["pk"])
        for client in clients:
            await client.until_view(lambda view: not view["match"]["stalled"])
        turn = clients[clients[0].view["game"]["turn"]]
        assert (await turn.act(kind="call"))["type"] == "ack"
        assert "folded" not in rig.hand("facts", match=table["pk"])
        assert rig.hand("heartbeats") == {"open": 1, "lost": 1}
        # Clocks run again: a player who lets one pass now folds.
        await leave_all(clients)
    rig.prove_calm()


async def test_fault_told_to_end_under_load_closes_with_4412_and_keeps_what_it_said(make_rig):
    with make_rig(SOCKET_RATE="1000", SOCKET_BURST="1000", SOCKETS_PER_ADDRESS="200") as rig:
        count = form(12, in_long=40)
        people, tables = tables_of_two(rig, count)
        played: list[Client] = []
        for _ in range(form(1, in_long=10)):
            web = rig.web()
            clients = await sat_down(web, tables, people)
            async with under_load(clients):
                await until_played(clients, 20 * count)
                taken = await asyncio.to_thread(web.end)
            codes = {await client.until_closed() for client in clients}
            print(f"ended in {taken:.2f} s, acknowledged {sum(len(c.acks) for c in clients)}")
            assert codes == {4412}
            # Its watchdog, which is for an end that takes five seconds, would have made it 1.
            assert web.popen.returncode == 0
            played += clients
            for number, table in enumerate(tables):
                pairs = [played[n : n + 2] for n in range(2 * number, len(played), count)]
                assert_journal(rig, table["pk"], [client for pair in pairs for client in pair])
        assert rig.hand("heartbeats")["open"] == 0
        rig.prove_calm()


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
async def test_fault_drain_closes_tables_first_takes_nobody_new_and_ends_at_a_second_signal(
    make_rig, server
) -> None:
    with make_rig(DRAIN_SECONDS="60") as rig:
        rig.server = server
        web, other = rig.webs()
        _, clients = await game_of_two(rig, web, stage="betting", betting_clock=120)
        lobby = [await connect(f"ws://{web.address}/ws/lobby/", proxy=None) for _ in range(50)]
        web.send(signal.SIGTERM)
        assert [await client.until_closed() for client in clients] == [4412, 4412]
        # A quarter of a second each: most of the others are still here, and get what happens.
        assert lobby[-1].close_code is None
        assert web.is_alive
        with pytest.raises(OSError):
            await connect(f"ws://{web.address}/ws/lobby/", proxy=None)
        taken = await asyncio.to_thread(web.end)
        assert web.popen.returncode == 0
        print(f"ended {taken:.2f} s after the second signal")
        for line in lobby:
            await line.wait_closed()
        assert {line.close_code for line in lobby} == {4412}
        await asyncio.to_thread(other.end)
        assert rig.hand("heartbeats")["open"] == 0
        rig.prove_calm()
