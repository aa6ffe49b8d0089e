"""A program at a match, for tests: calls with answers, and what it is told, in order.

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


class Program:
    """One open socket.  ``messages`` is all that came, one entry a message, each a list; ``words``
    are its notifications: (name, *params), or (name, params) where they have names.

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
        """Take the state, which is the first message."""
        await self.receive()
        self._read = len(self.words)
        return self

    @property
    def state(self) -> dict[str, Any]:
        """The last whole view, in a game without names of its own."""
        state: dict[str, Any] = next(w[1] for w in reversed(self.words) if w[0] == "state")
        return state

    @property
    def facts(self) -> list[tuple[str, dict[str, Any]]]:
        """The facts with their data, in a game without names of its own."""
        return [(word[0], *(word[1:] or ({},))) for word in self.words if word[0] != "state"]

    async def call(self, method: str, *params: Any, **named: Any) -> Any:
        """Call a method, again when the server is busy; return its result, or its error's token."""
        number = next(_numbers)
        given = {"params": list(params) or named} if params or named else {}
        request = {"jsonrpc": "2.0", "method": method, "id": number, **given}
        await self.line.send(json.dumps(request))
        answer = await self.answer(number)
        if "error" not in answer:
            return answer["result"]
        data = answer["error"]["data"]
        if data["token"] != "busy":
            return data["token"]
        await asyncio.sleep(data["retry_ms"] / 1000)
        return await self.call(method, *params, **named)

    async def ask(self, text: str) -> Any:
        """Send a text as it is and return the next answer to anything, decoded."""
        await self.line.send(text)
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.receive()
                if any("method" not in each for each in message):
                    self.answers.clear()
                    return json.loads(self.texts[-1])

    async def answer(self, number: Any) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while number not in self.answers:
                await self.receive()
        return self.answers.pop(number)

    async def receive(self) -> list[dict[str, Any]]:
        """Take the next message."""
        text = await self.line.receive()
        content = json.loads(text)
        message = content if isinstance(content, list) else [content]
        self.texts.append(text)
        self.messages.append(message)
        for each in message:
            assert each["jsonrpc"] == "2.0"
            if "method" in each:
                assert each.keys() <= {"jsonrpc", "method", "params"}
                self.words.append(word_of(each))
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

    async def look(self) -> dict[str, Any]:
        assert await self.call("send_state") is True
        return self.state

    def count(self, name: str) -> int:
        return sum(word[0] == name for word in self.words)


def word_of(each: dict[str, Any]) -> tuple[Any, ...]:
    """Return a notification as a tuple of its name and parameters."""
    given = each.get("params", [])
    return (each["method"], *(given if isinstance(given, list) else [given]))


async def seat(*programs: Program, is_beginning: bool = False) -> None:
    """Seat programs in their order, until all are told so as the handbook says; perhaps begin."""
    for number, one in enumerate(programs):
        assert (await one.call("sit", number))["seat_id"] == number
    for one in programs:
        await one.until(lambda word: word[:2] == ("player_sat", len(programs) - 1))
    if is_beginning:
        for one in programs:
            await one.call("ready")
        for one in programs:
            await one.until("throw_started")
