"""The server that is held against the interface: one given by its address, or one of our own."""

import asyncio
import itertools
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.games.jsonrpc.program import PATIENCE, Program, seat

_openers = itertools.count()


class NetworkLine:
    """A websocket; ``code`` is the one with which the server has closed it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.code: int | None = None

    async def send(self, text: str) -> None:
        await self.socket.send(text)

    async def receive(self) -> str:
        try:
            text = await self.socket.recv()
        except ConnectionClosed:
            self.code = self.socket.close_code
            raise EOFError(self.code) from None
        assert isinstance(text, str), "the server sends texts"
        return text

    async def close(self) -> None:
        await self.socket.close()


class Server:
    """A server of the interface, with the tokens of two users, or three.

    ``hand`` reaches behind a server of our own, to let time pass; None for any other.
    ``second`` is the address of another process of the same site, where there is one.
    """

    def __init__(
        self, url: str, tokens: list[str], hand: Callable[..., Any] | None = None, second: str = ""
    ) -> None:
        self.url, self.tokens = url.rstrip("/"), tokens
        self.hand, self.second = hand, second.rstrip("/") or self.url

    async def socket(
        self, public_id: str, token: str | None, *, second: bool = False, **headers: str
    ) -> NetworkLine:
        """Open a websocket; raises what the library raises when it is refused."""
        url = self.second if second else self.url
        given = {"Authorization": f"Bearer {token}"} if token else {}
        socket = await connect(
            f"{url.replace('http', 'ws', 1)}/ws/rpc/duel/{public_id}/",
            additional_headers={**given, **headers},
            compression=None,
            open_timeout=PATIENCE,
            close_timeout=1,
            proxy=None,
        )
        return NetworkLine(socket)

    async def program(self, public_id: str, player: int | None, *, second: bool = False) -> Program:
        """Return a program of a player (None: of nobody) that has been told the state."""
        token = None if player is None else self.tokens[player]
        return await Program(await self.socket(public_id, token, second=second)).begin()

    async def post(self, text: str, token: str | None) -> tuple[int, Any]:
        """Send a text over HTTP; return the status and the answer."""
        return await asyncio.to_thread(self._post, text, token)

    def _post(self, text: str, token: str | None) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(f"{self.url}/rpc/", text.encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                content = answer.read()
                return answer.status, json.loads(content) if content else None
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()

    async def open_duel(self, **options: Any) -> str:
        token = self.tokens[next(_openers) % 2]
        call = {"jsonrpc": "2.0", "method": "open_duel", "params": options, "id": 1}
        status, answer = await self.post(json.dumps(call), token)
        assert status == 200, answer
        assert "result" in answer, answer
        return str(answer["result"]["public_id"])


class Duel:
    """A duel on a server, whose programs are closed, and which is played to an end, afterwards."""

    def __init__(self, server: Server, public_id: str) -> None:
        self.server, self.public_id = server, public_id
        self.programs: list[Program] = []

    async def enter(self, player: int | None, *, second: bool = False) -> Program:
        one = await self.server.program(self.public_id, player, second=second)
        self.programs.append(one)
        return one

    async def post(self, text: str, player: int | None) -> tuple[int, Any]:
        """Send a text of a player over HTTP; return the status and the answer."""
        return await self.server.post(text, None if player is None else self.server.tokens[player])

    async def started(self) -> list[Program]:
        both = [await self.enter(player) for player in (0, 1)]
        await seat(*both, is_beginning=True)
        return both

    async def end(self) -> None:
        """Play the duel to its end, so that it does not count as one that waits for players."""
        for one in self.programs:
            await one.line.close()
        last = Duel(self.server, self.public_id)
        first = await last.enter(0)
        stage = first.words[0][1]
        if stage == "setup":
            both = (first, await last.enter(1))
            for one in both:
                assert "result" in await one.ask('{"jsonrpc":"2.0","method":"sit","id":"end"}')
                await one.call("stake", 0)
            await asyncio.gather(*(one.settle() for one in both))
            for one in both:
                await one.until("configuration") if one.count("stake") > 1 else None
                await one.call("send_state")
                await one.call("ready")
            await first.until("throw_started")
        if stage in ("setup", "active", "suspended"):
            await first.call("resign")
        for one in last.programs:
            await one.line.close()
