"""The web process with uvicorn in Daphne's place: the same limits, the same end."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import websockets

from tests.boot import PATIENCE
from tests.platform.prepared import copy_all
from tests.platform.server import Server

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Server]:
    with Server(copy_all(prepared, tmp_path_factory.mktemp("uvicorn"))) as running:
        yield running


@pytest.fixture
def lobby(server: Server) -> str:
    return f"ws://127.0.0.1:{server.port}/ws/lobby/"


async def test_uvicorn_shows_the_lobby_so_the_live_part_has_started_and_not_what_it_is(lobby):
    async with websockets.connect(lobby) as client:
        assert '"type":"lobby"' in await asyncio.wait_for(client.recv(), PATIENCE)
        assert "Server" not in client.response.headers


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
