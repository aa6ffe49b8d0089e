"""The ladder in real processes: the examples, a delayed line, a killed and a second process."""

import asyncio
import contextlib
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from html import unescape
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.boot import PATIENCE
from tests.faults.client import eventually
from tests.faults.pages import Pages
from tests.faults.rig import Rig, Web
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

EXAMPLES = ("ladder.py", "ladder.py", "ladder.mjs")
#: The programs that the page shows to be copied.
SHOWN = re.compile(r'<code id="copy-\d">(.*?)</code>', re.DOTALL)
#: What an example reads after a few throws.
READ = {"rock", "cycle"}
#: Seconds of the delayed line each way.
DELAY = 0.15


def words_of(example: str) -> list[str]:
    """Return how an example is run, [] if not here: Node 20 has its WebSocket by an option."""
    if example.endswith(".py"):
        return [sys.executable, "-u"]
    node = shutil.which("node")
    has_one = ["-e", "process.exit(typeof WebSocket === 'function' ? 0 : 1)"]
    for option in ([], ["--experimental-websocket"]):
        if node and subprocess.call([node, *option, *has_one], stderr=subprocess.DEVNULL) == 0:
            return [node, *option]
    return []


@pytest.fixture
def climbing(rig: Rig) -> Iterator[list[str]]:
    """Copy the examples from the page into empty folders and run them, each for an account of its
    own; return their names.
    """
    web = rig.web()
    _, page = Pages(web.address).get("/ladder/")
    copies = dict(zip(("ladder.py", "ladder.mjs"), map(unescape, SHOWN.findall(page)), strict=True))
    runs = {f"climber{no}": words_of(example) for no, example in enumerate(EXAMPLES)}
    names = [name for name, words in runs.items() if words]
    made = rig.hand("climbers", names=names, rest=0, hourly=10_000, daily=10_000)
    started = []
    for each in made:
        example, folder = EXAMPLES[int(each["name"][-1])], rig.var / each["name"]
        folder.mkdir()
        (folder / example).write_text(copies[example])
        said = (rig.var / f"{each['name']}.txt").open("w")
        words = [*runs[each["name"]], example, f"http://{web.address}", each["token"]]
        given: Any = {"stdout": said, "stderr": subprocess.STDOUT}
        started.append(subprocess.Popen(words, cwd=folder, **given))
    yield names
    for program in started:
        program.kill()
        program.wait()


async def test_ladder_examples_copied_from_the_page_play_a_hundred_matches(
    rig: Rig, climbing: list[str]
) -> None:
    wanted = form(40, in_all=100)
    await eventually(lambda: len(rig.hand("ladder_matches")) >= wanted, 10 * PATIENCE)
    rows = rig.hand("ladder_matches")
    assert {row["reason"] for row in rows} == {"played"}
    assert {row["throws"] for row in rows} == {1000}
    assert {row["first__user__username"] for row in rows} == set(climbing)
    read = [row for row in rows if row["second__house"] in READ]
    assert all(row["won_first"] > 2 * row["won_second"] for row in read)
    assert len(read) >= len(READ)
    rig.prove_calm()


class Program:
    """A program that always throws paper."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.throws = 0
        self.told: list[dict[str, Any]] = []

    async def ready(self) -> "Program":
        await self.line.send('{"jsonrpc":"2.0","method":"ladder.ready","id":"ready"}')
        return self

    async def play(self, throws: int) -> None:
        """Answer until this number of throws, or the end of the match or of the socket."""
        while self.throws < throws:
            said = json.loads(await self.line.recv())
            self.told.append(said)
            if said.get("method") == "ladder.throw":
                self.throws += 1
                answer = {"jsonrpc": "2.0", "result": "p", "id": said["id"]}
                await self.line.send(json.dumps(answer))
            elif said.get("method") in ("ladder.ended", "ladder.closed"):
                return


@asynccontextmanager
async def program(address: str, token: str) -> AsyncIterator[Program]:
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(
        f"ws://{address}/rpc/ladder", additional_headers=headers, proxy=None
    ) as line:
        yield Program(line)


@asynccontextmanager
async def delayed(web: Web) -> AsyncIterator[str]:
    """Run a proxy of a process whose lines are ``DELAY`` seconds long; return its address."""
    loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                loop.call_later(DELAY, sink.write, data)
        loop.call_later(DELAY, sink.close)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection("127.0.0.1", web.port)
        for one in (pump(reader, forth), pump(back, writer)):
            tasks.add(asyncio.create_task(one))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()


async def test_ladder_clock_does_not_count_a_long_line(rig: Rig) -> None:
    """A line of 0.3 s there and back, which is taken off of each throw."""
    throws = form(40, in_long=1_001)
    web, [made] = rig.web(), rig.hand("climbers", names=["far"])
    async with delayed(web) as address, program(address, made["token"]) as far:
        await far.ready()
        while json.loads(await far.line.recv()).get("method") != "ladder.began":
            pass
        begun = time.monotonic()
        await far.play(throws)
        played, seconds = far.throws, time.monotonic() - begun
    await eventually(lambda: rig.hand("ladder_matches"))
    [row] = rig.hand("ladder_matches")
    assert played == min(throws, 1_000)
    assert row["reason"] == ("left" if throws < 1_000 else "played")
    # All but the line, however busy the machine is; at the first throws it may not be known.
    assert row["thought_first_ms"] < 1000 * (seconds - 2 * DELAY * (played - 4))


async def test_ladder_a_frame_that_is_too_large_ends_the_socket_and_forfeits(rig: Rig) -> None:
    web, [made] = rig.web(), rig.hand("climbers", names=["ann"])
    async with program(web.address, made["token"]) as ann:
        await (await ann.ready()).play(10)
        await ann.line.send("r" * 1_000_000)
        with pytest.raises(ConnectionClosed):
            await ann.play(2_000)
    await eventually(lambda: rig.hand("ladder_matches"))
    [row] = rig.hand("ladder_matches")
    assert (row["reason"], row["forfeit"]) == ("left", 0)
    rig.prove()


async def test_ladder_matches_of_a_killed_process_are_paired_again(rig: Rig) -> None:
    web, [made] = rig.web(), rig.hand("climbers", names=["ann"])
    async with program(web.address, made["token"]) as ann:
        await (await ann.ready()).play(100)
        web.kill()
        with pytest.raises(ConnectionClosed):
            await ann.play(10_000)
    web = rig.web(web.port)
    assert rig.hand("ladder_matches") == []
    async with program(web.address, made["token"]) as ann:
        # The lease of the killed process has to end first.
        while not any(said.get("method") == "ladder.ended" for said in ann.told):
            with contextlib.suppress(ConnectionClosed):
                await (await ann.ready()).play(2_000)
                continue
            await asyncio.sleep(1)
            ann.line = await connect(
                f"ws://{web.address}/rpc/ladder",
                additional_headers={"Authorization": f"Bearer {made['token']}"},
                proxy=None,
            )
            ann.throws = 0
    [row] = rig.hand("ladder_matches")
    assert (row["reason"], row["throws"]) == ("played", 1000)
    rig.prove()


async def test_ladder_of_two_processes_one_has_the_pool(rig: Rig) -> None:
    first, second = rig.webs()
    ann, bob = rig.hand("climbers", names=["ann", "bob"])
    async with program(first.address, ann["token"]) as one:
        await (await one.ready()).play(10)
        async with program(second.address, bob["token"]) as other:
            await other.ready()
            await other.play(1)
            with pytest.raises(ConnectionClosed) as end:
                await other.line.recv()
        assert other.told[-1]["params"] == {"why": "elsewhere"}
        assert end.value.rcvd is not None
        assert end.value.rcvd.code == 4412
        await one.play(2_000)
    assert [row["reason"] for row in rig.hand("ladder_matches")] == ["played"]
