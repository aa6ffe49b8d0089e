import asyncio

import pytest
import websockets

from tests.boot import PATIENCE

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]


async def test_uvicorn_told_to_end_closes_sockets_with_4412_and_ends_with_0(server):
    """The lobby is shown, so the live part has started; what the server is stays untold."""
    async with websockets.connect(f"ws://127.0.0.1:{server.port}/ws/lobby/") as client:
        assert '"type":"lobby"' in await asyncio.wait_for(client.recv(), PATIENCE)
        assert "Server" not in client.response.headers
        server.process.terminate()
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
        assert client.close_code == 4412
    # Its watchdog, which is for an end that takes five seconds, would have made it 1.
    assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
    assert "Traceback" not in server.log.read_text()
