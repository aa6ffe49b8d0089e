"""The web process with uvicorn in Daphne's place: the same limits, the same end."""

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import websockets

from tests.boot import PATIENCE, ROOT
from tests.platform.prepared import copy_all
from tests.platform.site import environment, free_port
from tests.platform.test_web import how_closed

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]


class Server:
    """One web process by uvicorn on a database of its own; Redis is away."""

    def __init__(self, var: Path, kind: str = "uvicorn", **more: str) -> None:
        self.port = free_port()
        self.log = var / "web.log"
        variables = environment(var, REDIS_URL="redis://127.0.0.1:1", **more)
        options = ["--port", str(self.port), "--server", kind]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "web", *options],
                cwd=ROOT,
                env=variables,
                stdout=log,
                stderr=log,
            )

    def wait(self) -> None:
        until = time.monotonic() + 2 * PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5).close()
            except OSError:
                assert self.process.poll() is None, self.log.read_text()
                assert time.monotonic() < until, self.log.read_text()
                time.sleep(0.1)
            else:
                return


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Server]:
    running = Server(copy_all(prepared, tmp_path_factory.mktemp("uvicorn")))
    try:
        running.wait()
        yield running
    finally:
        running.process.kill()
        running.process.wait()


@pytest.fixture
def lobby(server: Server) -> str:
    return f"ws://127.0.0.1:{server.port}/ws/lobby/"


async def test_uvicorn_shows_the_lobby_so_the_live_part_has_started(lobby):
    async with websockets.connect(lobby) as client:
        assert '"type":"lobby"' in await asyncio.wait_for(client.recv(), PATIENCE)


async def test_uvicorn_closes_a_socket_with_1009_for_a_frame_above_the_limit(lobby):
    assert await how_closed(lobby, "x" * 8193) == 1009


async def test_uvicorn_reads_a_frame_at_the_limit(lobby):
    async with websockets.connect(lobby) as client:
        await client.send("x" * 8192)
        await asyncio.wait_for(await client.ping(), PATIENCE)


async def test_uvicorn_closes_a_socket_with_1007_for_text_that_is_not_utf8(lobby):
    mask = b"\0\0\0\0"
    assert await how_closed(lobby, raw=b"\x81\x82" + mask + b"\xff\xff") == 1007


async def test_uvicorn_agrees_to_no_compression(lobby):
    async with websockets.connect(lobby, compression="deflate") as client:
        assert "Sec-WebSocket-Extensions" not in client.response.headers


async def test_uvicorn_refuses_a_cookie_from_another_site_with_403(lobby):
    with pytest.raises(websockets.InvalidStatus) as refusal:
        async with websockets.connect(
            lobby, origin="https://evil.example", additional_headers={"Cookie": "sessionid=x"}
        ):
            pass
    assert refusal.value.response.status_code == 403


def test_uvicorn_does_not_say_what_it_is(server):
    with urllib.request.urlopen(
        f"http://127.0.0.1:{server.port}/healthz", timeout=PATIENCE
    ) as answer:
        assert answer.headers["Server"] is None


async def test_uvicorn_told_to_end_closes_sockets_with_4412_and_ends_with_0(server, lobby):
    """The last test of the file: the process is gone afterwards."""
    async with websockets.connect(lobby) as client:
        await client.recv()
        os.kill(server.process.pid, signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
        assert client.close_code == 4412
    # Its watchdog, which is for an end that takes five seconds, would have made it 1.
    assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
    assert "Traceback" not in server.log.read_text()
