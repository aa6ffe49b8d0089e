"""Programs inside the test's own process: tokens, sockets without a network, players."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator

from accounts import tokens
from accounts.models import User
from games.matches.models import Match
from rpsite.routing import websocket_application

PATIENCE = 60.0
_numbers = itertools.count(1)


def make_token(user: User) -> str:
    return tokens.make_token(user=user, name="test")[1]


def bearer(token: str) -> tuple[bytes, bytes]:
    return (b"authorization", f"Bearer {token}".encode())


class InsideLine:
    def __init__(self, path: str, *headers: tuple[bytes, bytes]) -> None:
        given = [(b"host", b"localhost"), *headers]
        self.socket = WebsocketCommunicator(websocket_application, path, given)
        self.code: int | None = None

    async def open(self) -> bool:
        is_open, _ = await self.socket.connect(timeout=PATIENCE)
        return bool(is_open)

    async def send(self, text: str) -> None:
        await self.socket.send_input({"type": "websocket.receive", "text": text})

    async def receive(self) -> str:
        # Longer than the tests wait: a time-out here would end the application.
        message = await self.socket.output_queue.get()
        if message["type"] == "websocket.close":
            self.code = message["code"]
            raise EOFError(self.code)
        return str(message["text"])

    async def close(self) -> None:
        await self.socket.disconnect()


class Player:
    """A program at a match of any game: its texts, its facts in order, and its last state."""

    def __init__(self, line: InsideLine) -> None:
        self.line, self.texts, self.state = line, [], {}
        self.facts: list[tuple[str, dict[str, Any]]] = []
        self._answers, self._read = [], 0

    async def receive(self) -> None:
        self.texts.append(await self.line.receive())
        content = json.loads(self.texts[-1])
        each = content if isinstance(content, list) else [content]
        if "method" not in each[0]:
            self._answers.append(content)
            return
        for told in each:
            assert told.keys() <= {"jsonrpc", "method", "params"}
            if told["method"] == "state":
                self.state = told["params"]
            else:
                self.facts.append((told["method"], told.get("params", {})))

    async def ask(self, text: str) -> Any:
        await self.line.send(text)
        async with asyncio.timeout(PATIENCE):
            while not self._answers:
                await self.receive()
        return self._answers.pop(0)

    async def call(self, method: str, *params: Any, **named: Any) -> Any:
        content = {"jsonrpc": "2.0", "method": method, "id": next(_numbers)}
        if params or named:
            content["params"] = list(params) or named
        answer = await self.ask(json.dumps(content))
        assert answer["id"] == content["id"]
        return answer["result"] if "error" not in answer else answer["error"]["data"]["token"]

    async def look(self) -> dict[str, Any]:
        assert await self.call("send_state") is True
        return self.state

    async def until(self, kind: str, fits: Callable[[dict[str, Any]], bool] | None = None) -> Any:
        """Return the data of the next fact of this kind, not looked at before, that fits."""
        async with asyncio.timeout(PATIENCE):
            while True:
                while self._read < len(self.facts):
                    name, data = self.facts[self._read]
                    self._read += 1
                    if name == kind and (fits is None or fits(data)):
                        return data
                await self.receive()


async def player(match: Match, user: User | None) -> Player:
    headers = [] if user is None else [bearer(await sync_to_async(make_token)(user))]
    line = InsideLine(f"/ws/rpc/{match.game}/{match.public_id}/", *headers)
    assert await line.open()
    found = Player(line)
    while not found.texts:
        await found.receive()
    return found


async def leave(*players: Player) -> None:
    for each in players:
        await each.line.close()
