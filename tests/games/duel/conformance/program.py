"""A program at a duel, for tests: calls with answers, and the referee's words in order.

It knows only the interface of docs/reference/json-rpc.md; its transport is given.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_numbers = itertools.count(1)
PATIENCE = 60.0


class Refused(Exception):
    """The server answered a call with an error; ``code``, ``token`` and ``data`` say which."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(json.dumps(error))
        self.code: int = error["code"]
        self.data: Any = error.get("data")
        self.token = self.data.get("token") if isinstance(self.data, dict) else None


class Program:
    """One open socket.  ``messages`` is all that came, one entry a message, each a list.

    ``line`` carries texts: ``send``, ``receive``, which raises EOFError at its end, ``close``; its
    ``code`` is the one with which the server closed it.
    """

    def __init__(self, line: Any) -> None:
        self.line = line
        self.texts: list[str] = []
        self.messages: list[list[dict[str, Any]]] = []
        self.words: list[tuple[Any, ...]] = []
        self.answers: dict[Any, dict[str, Any]] = {}
        self._read = 0

    async def begin(self) -> Program:
        await self.until("state_sent")
        return self

    async def call(self, method: str, *params: Any, **named: Any) -> Any:
        """Call a method, again when the server is busy, and return its result; raises Refused."""
        while True:
            try:
                return await self._call(method, *params, **named)
            except Refused as refusal:
                if refusal.token != "busy":
                    raise
                await asyncio.sleep(refusal.data["retry_ms"] / 1000)

    async def _call(self, method: str, *params: Any, **named: Any) -> Any:
        number = next(_numbers)
        given = {"params": list(params) or named} if params or named else {}
        request = {"jsonrpc": "2.0", "method": method, "id": number, **given}
        await self.line.send(json.dumps(request))
        answer = await self.answer(number)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    async def ask(self, text: str) -> Any:
        """Send a text as it is and return the next answer to anything, decoded."""
        await self.line.send(text)
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.receive()
                if any("method" not in each for each in message):
                    return json.loads(self.texts[-1])

    async def answer(self, number: Any) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while number not in self.answers:
                await self.receive()
        return self.answers.pop(number)

    async def receive(self) -> list[dict[str, Any]]:
        """Take the next message; notifications are remembered as (name, *params)."""
        text = await self.line.receive()
        content = json.loads(text)
        message = content if isinstance(content, list) else [content]
        self.texts.append(text)
        self.messages.append(message)
        for each in message:
            assert each["jsonrpc"] == "2.0"
            if "method" in each:
                assert "id" not in each
                self.words.append((each["method"], *each.get("params", [])))
            else:
                assert ("result" in each) != ("error" in each)
                self.answers[each["id"]] = each
        return message

    async def until(self, wanted: str | Callable[[tuple[Any, ...]], bool]) -> tuple[Any, ...]:
        """Return the next word, not looked at before, that has this name or is as wanted."""
        fits = wanted if callable(wanted) else lambda word: word[0] == wanted
        async with asyncio.timeout(PATIENCE):
            while True:
                while self._read < len(self.words):
                    word = self.words[self._read]
                    self._read += 1
                    if fits(word):
                        return word
                await self.receive()

    async def until_closed(self) -> int | None:
        """Receive until the server closes the line; return its code."""
        async with asyncio.timeout(PATIENCE):
            with suppress(EOFError):
                while True:
                    await self.receive()
        return self.line.code

    async def settle(self) -> None:
        await self.call("server_time")

    def count(self, name: str) -> int:
        return sum(word[0] == name for word in self.words)


async def seat(*programs: Program, is_beginning: bool = False) -> None:
    """Seat programs in their order, until all are told so; perhaps begin the duel."""
    for number, one in enumerate(programs):
        assert (await one.call("sit", number))["seat_id"] == number
    for one in programs:
        await one.until(lambda word: word[:2] == ("player_sat", len(programs) - 1))
    if is_beginning:
        for one in programs:
            await one.call("ready")
        for one in programs:
            await one.until("throw_started")
