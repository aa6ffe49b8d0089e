"""A tiny referee that says what a script tells it to, against which a client is held."""

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.games.jsonrpc.program import PATIENCE

TOKEN = "rrt_of-the-conformance-suite"
Word = tuple[Any, ...]


class Referee:
    """One socket of one client.  ``calls`` is what it has asked for, in order."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.calls: list[Word] = []

    async def say(self, *words: Word) -> None:
        told = [{"jsonrpc": "2.0", "method": w[0], "params": list(w[1:])} for w in words]
        await self.socket.send(json.dumps(told if len(told) > 1 else told[0], ensure_ascii=False))

    async def expect(self, method: str, result: Any = None, error: Any = None) -> list[Any]:
        """Wait for the next call, which must be this one; answer it and return its parameters."""
        async with asyncio.timeout(PATIENCE):
            call = json.loads(await self.socket.recv())
        assert call["jsonrpc"] == "2.0"
        assert type(call["id"]) in (str, int)
        params = call.get("params", [])
        assert isinstance(params, list)
        self.calls.append((call["method"], *params))
        assert call["method"] == method, self.calls
        outcome = {"error": error} if error else {"result": result or {"repeated": False}}
        await self.socket.send(json.dumps({"jsonrpc": "2.0", "id": call["id"], **outcome}))
        return params

    async def expect_nothing(self, seconds: float = 0.4) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(self.socket.recv(), seconds)


def state(*more: Word, revision: int = 1) -> list[Word]:
    options = {"best_of": 3, "no_ties": 1, "clock_seconds": 30, "stake": 0}
    return [
        ("receive_state", "setup"),
        ("player_sat", 1, "J\u00fcrgen \u77f3\u982d \U0001f44a"),
        *((name, None, value) for name, value in options.items()),
        *more,
        *(("configuration", revision), ("state_sent",)),
    ]


async def last_words(client: asyncio.subprocess.Process) -> str:
    """Return what a client has printed; one that does not end in good time is killed."""
    said = asyncio.ensure_future(client.communicate())
    done, _ = await asyncio.wait([said], timeout=2 * PATIENCE)
    if not done:
        client.kill()
    return (await said)[0].decode()


class Stage:
    def __init__(self) -> None:
        self.problem: BaseException | None = None
        self.header: str | None = None
        self.path = ""

    async def run(self, script: Any, client: list[str]) -> tuple[int, str]:
        """Play the script against a client's process; return its exit code and what it printed."""

        async def meet(socket: ServerConnection) -> None:
            assert socket.request is not None
            self.header = socket.request.headers.get("Authorization")
            self.path = socket.request.path
            try:
                await script(Referee(socket))
            except BaseException as problem:
                self.problem = problem
                raise

        async with serve(meet, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            command = [word.format(url=f"http://127.0.0.1:{port}") for word in client]
            process = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
            )
            said = await last_words(process)
        if self.problem is not None:
            raise AssertionError(f"{self.problem!r}; the client said:\n{said}")
        return process.returncode or 0, said
