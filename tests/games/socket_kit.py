"""Browsers for the tests of the sockets: a login, a connection, frames in and out."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import ExitStack, asynccontextmanager
from datetime import timedelta
from importlib import import_module
from typing import Any
from unittest import mock

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from accounts.models import User
from games.engine.table import clock
from games.matches import services as matches
from games.matches.models import Match
from games.matches.processing import outage, repair
from games.realtime import feeds, hub, runtime
from rpsite.routing import websocket_application
from tests.boot import PATIENCE
from tests.games.match_kit import new_user

_numbers = itertools.count(1)

#: Pauses that say nothing about the order of things: with these the tests wait for less.
PAUSES = ((hub, "SETTLE", 0.02), (feeds, "LEAST_PAUSE", 0.01), (runtime, "CLOSING", 0.01))
#: How often a process looks for what nobody tells it, in seconds.
LOOKS = ("COMPARE", "SWEEP")


@asynccontextmanager
async def running_site() -> AsyncIterator[runtime.Runtime]:
    """Run everything live of a web process in this loop; regular looks only by ``look_often``."""
    with ExitStack() as patches:
        patches.enter_context(mock.patch.object(outage, "LOST", timedelta(hours=1)))
        for module, name, pause in PAUSES:
            patches.enter_context(mock.patch.object(module, name, pause))
        await runtime.start()
        running = runtime.current()
        assert running is not None
        try:
            yield running
        finally:
            await runtime.stop()


def begin_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the clock begin a game soon after all have sat down, also for the audit of the test."""
    monkeypatch.setattr(clock, "COUNTDOWN", 500)


def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the regular looks come quickly, for tests of what is found by them alone."""
    for name in LOOKS:
        monkeypatch.setattr(runtime, name, 0.1)


def see_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off the announcements of ended log-ins, so that sockets must check."""
    nothing = repair.DueCheck(is_anything_due=False, is_untidy=False, login_number=0)
    monkeypatch.setattr(repair, "due_check", lambda: nothing)


def log_in(user: User) -> str:
    """Return the cookie header of a new session of the user."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


async def until_true(found: Callable[[], object], patience: float = PATIENCE) -> None:
    until = asyncio.get_running_loop().time() + patience
    while not found():
        assert asyncio.get_running_loop().time() < until, "it did not become true"
        await asyncio.sleep(0.01)


class Direct:
    """A direct way that notes what is written in one piece, and lets ``line`` receive it."""

    def __init__(self, line: WebsocketCommunicator) -> None:
        self.line = line
        self.pieces: list[list[str]] = []
        self.takers: list[Callable[[str], None] | None] = []

    def listen(self, take: Callable[[str], None] | None) -> None:
        self.takers.append(take)

    def send(self, texts: Iterable[str]) -> None:
        self.pieces.append(list(texts))
        for text in self.pieces[-1]:
            self.line.output_queue.put_nowait({"type": "websocket.send", "text": text})


class Browser:
    """One socket, as a page would hold it."""

    def __init__(self, path: str, cookie: str | None = None, origin: str = "http://localhost"):
        headers = [(b"host", b"localhost"), (b"origin", origin.encode())]
        if cookie is not None:
            headers.append((b"cookie", cookie.encode()))
        self.line = WebsocketCommunicator(websocket_application, path, headers)
        self.view: dict[str, Any] = {}
        self.revision = 0
        self.frames: list[dict[str, Any]] = []
        self.texts: list[str] = []

    async def open(self) -> bool:
        is_open, _ = await self.line.connect(timeout=PATIENCE)
        return bool(is_open)

    async def send(self, **frame: Any) -> None:
        await self.line.send_to(text_data=json.dumps(frame))

    async def receive(self, patience: float = PATIENCE) -> dict[str, Any]:
        text = await self.line.receive_from(patience)
        self.texts.append(text)
        frame: dict[str, Any] = json.loads(text)
        self.frames.append(frame)
        if frame["type"] in ("view", "parts"):
            assert frame["revision"] == self.revision + 1
            self.revision = frame["revision"]
            self.view = frame["view"] if "view" in frame else self.view | frame["parts"]
        return frame

    async def until(
        self, wanted: Callable[[dict[str, Any]], bool], patience: float = PATIENCE
    ) -> dict[str, Any]:
        async with asyncio.timeout(patience):
            while True:
                frame = await self.receive(patience)
                if wanted(frame):
                    return frame

    async def until_view(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        if self.view and wanted(self.view):
            return self.view
        await self.until(lambda frame: frame["type"] in ("view", "parts") and wanted(self.view))
        return self.view

    async def act(self, **action: Any) -> dict[str, Any]:
        frame_id = f"browser-{next(_numbers):06d}"
        await self.send(id=frame_id, type="act", phase=self.view["phase"], action=action)
        return await self.answer(frame_id)

    async def command(self, text: str, **phase: int) -> dict[str, Any]:
        """Type a command and return the ack, reply or error that comes first."""
        frame_id = f"browser-{next(_numbers):06d}"
        await self.send(id=frame_id, type="command", text=text, **phase)
        return await self.answer(frame_id)

    async def say(self, frame_id: str, text: str, room: str = "spectators") -> dict[str, Any]:
        await self.send(id=frame_id, type="say", room=room, text=text)
        return await self.answer(frame_id)

    async def heard(self) -> dict[str, Any]:
        return await self.until(lambda frame: frame["type"] == "said")

    async def answer(self, frame_id: str) -> dict[str, Any]:
        return await self.until(
            lambda frame: frame["type"] in ("ack", "error", "reply") and frame["id"] == frame_id
        )

    async def closed(self, patience: float = PATIENCE) -> int:
        """Return the code with which the server ends the socket."""
        async with asyncio.timeout(patience):
            while True:
                message = await self.line.receive_output(patience)
                if message["type"] == "websocket.close":
                    return int(message["code"])

    async def leave(self) -> None:
        await self.line.disconnect()


def make_table(people: int = 2, **options: object) -> tuple[Match, list[User], list[str]]:
    users = [new_user() for _ in range(people)]
    match = matches.open_match(opened_by=users[0], options=options, game="showdown")
    return match, users, [log_in(user) for user in users]


@asynccontextmanager
async def at_table(people: int = 2, **options: object) -> AsyncIterator[list[Any]]:
    """Give a table for two, its people, their cookies, and then a browser for each."""
    match, users, cookies = await sync_to_async(make_table)(people, seats=2, **options)
    async with running_site():
        browsers = [await opened(match, cookie) for cookie in cookies]
        yield [match, users, cookies, *browsers]


async def opened(match: Match, cookie: str | None) -> Browser:
    browser = Browser(f"/ws/match/{match.public_id}/", cookie)
    assert await browser.open()
    await browser.until_view(lambda view: True)
    return browser


async def started(match: Match, cookies: list[str]) -> list[Browser]:
    browsers = [await opened(match, cookie) for cookie in cookies]
    for seat, browser in enumerate(browsers):
        assert (await browser.act(kind="sit", seat=seat, purse=50))["type"] == "ack"
    for browser in browsers:
        await browser.until_view(lambda view: view["you"]["seat"] is not None)
        assert (await browser.act(kind="ready", configuration=1))["type"] == "ack"
    for browser in browsers:
        await browser.until_view(lambda view: view["match"]["status"] == "running")
    return browsers
