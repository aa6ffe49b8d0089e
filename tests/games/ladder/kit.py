"""Programs of the ladder inside the test's own process."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from random import Random
from typing import Any, NamedTuple

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from economy.models import Setting
from games.ladder import pool, results
from games.ladder.models import Entrant, PlayedMatch
from games.ladder.pool import POOL, Pool
from games.ladder.rules import match as rules
from games.ladder.rules import pairing
from games.ladder.rules.match import LadderMatch, Reason
from games.matches.models import Rating
from games.matches.models.matches import new_public_id
from games.realtime import runtime
from tests.games.jsonrpc.kit import InsideLine, bearer, make_token
from tests.games.match_kit import new_user
from tests.games.socket_kit import running_site

PATH = "/rpc/ladder"


def new_program(rated: int = pairing.FIRST_MATCHES) -> User:
    """Return the user of a program that has this number of rated matches behind it."""
    user = new_user("prog")
    User.objects.filter(pk=user.pk).update(is_program=True)
    Entrant.objects.create(user=user, rated=rated)
    return user


class Played(NamedTuple):
    public_id: str
    pair: tuple[int, int]
    match: LadderMatch
    seed: str
    may_rate: bool


def stored(
    one: Entrant, other: Entrant, *, at: datetime | None = None, throws: int = 205, **given: Any
) -> PlayedMatch:
    """Play a match at random and store it."""
    chance, match = Random(throws), LadderMatch(0.0, throws)
    for _ in range(throws):
        match.ask(0.0)
        for seat in (0, 1):
            match.answer(seat, chance.choice("rrps"[seat:]), 0.25, 0.0)
    if "forfeit" in given:
        match.reason, match.forfeit = Reason.LEFT, given["forfeit"]
    results.store(Played(new_public_id(), (one.pk, other.pk), match, "", True), at)
    return PlayedMatch.objects.latest("pk")


def allow(**numbers: int) -> None:
    for name, value in numbers.items():
        Setting.objects.update_or_create(name=f"ladder.{name}", defaults={"value": value})


class Player:
    """One program: its line, and all that it was told."""

    def __init__(self, line: InsideLine) -> None:
        self.line = line
        self.told: list[dict[str, Any]] = []

    async def send(self, **message: Any) -> None:
        await self.line.send(json.dumps({"jsonrpc": "2.0", **message}))

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        await self.send(method=method, params=params, id="call")
        return await self.until(lambda each: each.get("id") == "call")

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = {}
        while not message:
            # The answer to a batch is a list.
            told = json.loads(await self.line.receive())
            message = told if isinstance(told, dict) else {}
        self.told.append(message)
        return message

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not wanted(message := await self.receive()):
            pass
        return message

    async def next(self, method: str) -> dict[str, Any]:
        """Return the next message of a method."""
        return await self.until(lambda each: each.get("method") == method)

    async def answer(self, request: dict[str, Any], hand: Any = "r") -> None:
        await self.send(result=hand, id=request["id"])

    async def play(self, hand: Callable[[dict[str, Any]], str]) -> dict[str, Any]:
        """Answer every throw; return the result of the match."""
        while True:
            message = await self.receive()
            if message.get("method") == "ladder.throw":
                await self.answer(message, hand(message["params"]))
            elif message.get("method") in ("ladder.ended", "ladder.dropped"):
                return message

    async def code(self) -> int:
        """Read to the end of the socket; return its code."""
        try:
            while True:
                await self.receive()
        except EOFError:
            assert self.line.code is not None
            return self.line.code


async def enter(user: User, *, is_ready: bool = True, address: str = "") -> Player:
    token = await sync_to_async(make_token)(user)
    line = InsideLine(PATH, bearer(token))
    if address:
        line.socket.scope["client"] = (address, 1)
    assert await line.open()
    player = Player(line)
    if is_ready:
        assert (await player.call("ladder.ready"))["result"] is True
    return player


@asynccontextmanager
async def open_ladder(
    monkeypatch: pytest.MonkeyPatch, *, throws: int = 30, rest: int = 3_600
) -> AsyncIterator[Pool]:
    """Run a site whose matches are short, and whose pool looks often; ``rest``: seconds."""
    await sync_to_async(allow)(rest=rest)
    monkeypatch.setattr(rules, "THROWS", throws)
    monkeypatch.setattr(pool, "PAUSE", 0.02)
    async with running_site():
        running = runtime.current()
        assert running is not None
        yield running.runners[POOL]


def rating_of(user: User) -> tuple[float, float]:
    row = Rating.objects.get(user=user, game="ladder")
    return row.mu, row.sigma
