import asyncio
import os
import re
import resource
import signal
import urllib.error
import urllib.request
from dataclasses import replace
from typing import Self

import pytest

from rpsite.processes import runner
from rpsite.processes.listening import listen
from rpsite.processes.runner import Child
from tests.boot import PATIENCE
from tests.faults.client import (
    Client,
    assert_journals,
    eventually,
    leave_all,
    sat_down,
    tables_of_two,
    under_load,
    until_played,
)
from tests.faults.rig import Rig, Web

#: Time, level, logger and ids of a line.
HEAD = re.compile(r"^\d\d:\d\d:\d\d [A-Z]+ \S+ (?:\[\S+\] )?")

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]
IS_FORKING = False


class Watched:
    def __init__(self, rig: Rig) -> None:
        self._listener = listen("127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.said: list[str] = []
        program = runner.web(rig.environment, self._listener.fileno())
        self._child = Child(replace(program, hang_limit=10.0), self._note)

    @property
    def pid(self) -> int:
        return self._child._process.pid

    def _note(self, name: str, text: str) -> None:
        self.said.append(text)

    async def __aenter__(self) -> Self:
        self._child.start()
        await eventually(lambda: self.health() == 200)
        return self

    async def __aexit__(self, *problem: object) -> None:
        self._child.kill()
        await self._child.stop()
        self._listener.close()
        print(*self.said, sep="\n")

    def health(self) -> int:
        try:
            with urllib.request.urlopen(f"http://{self.address}/healthz", timeout=5.0) as answer:
                return answer.status
        except urllib.error.HTTPError as problem:
            return problem.code
        except OSError:
            return 0


async def test_fault_web_process_that_stands_still_is_replaced_and_no_action_is_lost(make_rig):
    with make_rig(SOCKET_RATE="1000", SOCKET_BURST="1000") as rig:
        people, tables = tables_of_two(rig, 4)
        async with Watched(rig) as web:
            clients = await sat_down(web, tables, people)
            async with under_load(clients):
                await until_played(clients, 100)
                old = web.pid
                os.kill(old, signal.SIGSTOP)
                await eventually(lambda: "gives no sign of life; ending it" in web.said)
                await asyncio.gather(*(client.come_back() for client in clients))
                assert web.pid != old
            for client in clients:
                for frame_id in await client.send_again():
                    await client.answer(frame_id)
            await until_played_on(clients)
            await leave_all(clients)
        assert_journals(rig, tables, clients)
        rig.prove_calm()


async def until_played_on(clients: list[Client]) -> None:
    async with under_load(clients):
        await until_played(clients, 50)


def fact(web: Web, name: str) -> float | None:
    with urllib.request.urlopen(f"http://{web.address}/metrics", timeout=PATIENCE) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith(f"{name} "):
                return float(line.rpartition(" ")[2])
    return None


async def test_fault_redis_that_hangs_is_noticed_and_its_worker_replaced(rig: Rig) -> None:
    web, said = rig.web(), list[str]()
    program = replace(runner.worker(rig.environment), hang_limit=10.0)
    worker = Child(program, lambda name, text: said.append(text))
    worker.start()
    works = 'rr_component_timestamp_seconds{component="worker"}'
    try:
        await eventually(lambda: fact(web, works))
        rig.valkey.send(signal.SIGSTOP)
        await eventually(lambda: fact(web, "rr_redis_connected") == 0.0)
        await eventually(lambda: "gives no sign of life; ending it" in said)
        last = fact(web, works)
        rig.valkey.send(signal.SIGCONT)
        await eventually(lambda: fact(web, "rr_redis_connected") == 1.0)
        await eventually(lambda: fact(web, works) != last, limit=2 * PATIENCE)
    finally:
        worker.kill()
        await worker.stop()
        print(*said, sep="\n")


@pytest.mark.sqlite
async def test_fault_full_disk_is_told_and_no_action_is_lost(make_rig) -> None:
    with make_rig(SOCKET_RATE="1000", SOCKET_BURST="1000") as rig:
        people, tables = tables_of_two(rig, 4)
        async with Watched(rig) as web:
            clients = await sat_down(web, tables, people)
            await until_played_on(clients)
            before, lines = web.pid, len(web.said)
            # No file may grow: SQLite fails as it does on a full disk.
            resource.prlimit(before, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
            await eventually(lambda: web.health() == 503)
            waiting = [
                await client.send(kind="attack", weapon="rock", target=1 - n % 2)
                for n, client in enumerate(clients)
            ]
            asked = [*zip(clients, waiting, strict=True)]
            await eventually(lambda: all(client.busy >= 5 for client in clients))
            assert not any(client.acks.get(frame_id) for client, frame_id in asked)
            resource.prlimit(before, resource.RLIMIT_FSIZE, (-1, -1))
            await eventually(lambda: web.health() == 200)
            for client, frame_id in asked:
                assert (await client.answer(frame_id))["type"] == "ack"
            assert web.pid == before
            # One line of each kind, though much goes on failing.
            heads = [line for line in web.said[lines:] if HEAD.match(line)]
            kinds = {HEAD.sub("", line) for line in heads}
            assert 0 < len(heads) <= len(kinds) + 2, heads
            await until_played_on(clients)
            await leave_all(clients)
        assert_journals(rig, tables, clients)
        rig.prove()
