"""A browser for the fault tests: one socket at a time, an outbox, and a journal of everything."""

import asyncio
import contextlib
import itertools
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any, Self, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.boot import PATIENCE
from tests.faults.rig import Rig, Web

_numbers = itertools.count(1)
Found = TypeVar("Found")
#: The number of views without confirmation after which a browser confirms.
SEEN_EVERY = 16
#: What a live clock has at least after an outage.
GRACE_MS = 20_000


class Client:
    """Looks at one match: answers by id, views and frames of its sockets; repeats if ``busy``."""

    def __init__(self, web: Web, public_id: str, cookie: str | None = None) -> None:
        self.web, self.public_id, self.cookie = web, public_id, cookie
        self.view: dict[str, Any] = {}
        self.views, self.frames, self.texts, self.busy = [], [], [], 0
        self.sent: dict[str, dict[str, Any]] = {}
        self.acks: dict[str, dict[str, Any]] = {}
        self.errors: dict[str, dict[str, Any]] = {}
        self.code: int | None = None
        self.line: ClientConnection
        self._news, self._reader = asyncio.Event(), None

    @property
    def path(self) -> str:
        return f"/ws/match/{self.public_id}/"

    async def open(self, limit: float = PATIENCE) -> Self:
        await self.leave()
        self.code, self.view, known = None, {}, len(self.views)
        self.line = await connect(
            f"ws://{self.web.address}{self.path}",
            origin=f"http://{self.web.address}",
            additional_headers={"Cookie": self.cookie} if self.cookie else {},
            open_timeout=limit,
            close_timeout=1,
            **dict.fromkeys(("compression", "ping_interval", "proxy", "max_queue")),
        )
        self._reader = asyncio.create_task(self._read())
        await self.until(lambda: len(self.views) > known, limit)
        return self

    async def come_back(self, limit: float = 2 * PATIENCE) -> float:
        begun = time.monotonic()
        while time.monotonic() - begun < limit:
            # Nobody listens yet, or the handshake broke off in the middle.
            with contextlib.suppress(OSError, TimeoutError, AssertionError, WebSocketException):
                await self.open(limit=10.0)
                return time.monotonic() - begun
            await asyncio.sleep(0.1)
        raise AssertionError(f"there was no way back within {limit} s")

    async def leave(self) -> None:
        if self._reader is not None:
            with contextlib.suppress(Exception):
                await self.line.close()
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
            self._reader = None

    def prepare(self, frame_id: str | None = None, **action: Any) -> str:
        """Write an action for the present phase, to be sent later; return its id."""
        frame_id = frame_id or f"client-{next(_numbers):08d}"
        frame = {"id": frame_id, "type": "act", "phase": self.view["phase"], "action": action}
        self.sent.setdefault(frame_id, frame)
        return frame_id

    async def send(self, frame_id: str | None = None, **action: Any) -> str:
        frame_id = self.prepare(frame_id, **action)
        await self.line.send(json.dumps(self.sent[frame_id]))
        return frame_id

    async def send_again(self) -> list[str]:
        """Send all unanswered actions again, as browsers do; return the ids."""
        open_ids = [i for i in self.sent if i not in self.acks and i not in self.errors]
        for frame_id in open_ids:
            await self.line.send(json.dumps(self.sent[frame_id]))
        return open_ids

    async def command(self, text: str, **frame: str) -> str:
        frame_id = f"client-{next(_numbers):08d}"
        self.sent[frame_id] = {"id": frame_id, "type": "command", "text": text, **frame}
        await self.line.send(json.dumps(self.sent[frame_id]))
        return frame_id

    async def say(self, limit: float = PATIENCE) -> dict[str, Any]:
        return await self.answer(await self.command("hello", type="say", room="table"), limit)

    async def act(self, limit: float = PATIENCE, **action: Any) -> dict[str, Any]:
        return await self.answer(await self.send(**action), limit)

    async def answer(self, frame_id: str, limit: float = PATIENCE) -> dict[str, Any]:
        return await self.until(lambda: self.acks.get(frame_id) or self.errors.get(frame_id), limit)

    async def until_view(
        self, wanted: Callable[[dict[str, Any]], bool], limit: float = PATIENCE
    ) -> dict[str, Any]:
        return await self.until(lambda: self.view and wanted(self.view) and self.view, limit)

    async def until_closed(self, limit: float = PATIENCE) -> int:
        await self.until(lambda: self.code is not None, limit)
        return self.code

    async def until(self, found: Callable[[], Found], limit: float = PATIENCE) -> Found:
        until = time.monotonic() + limit
        while not (result := found()):
            left = until - time.monotonic()
            assert left > 0, f"it did not come; the last frames: {self.texts[-3:]}"
            assert self.code is None, f"the socket was closed with {self.code}"
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), left)
        return result

    async def _read(self) -> None:
        try:
            async for text in self.line:
                assert isinstance(text, str)
                await self._take(text)
        except ConnectionClosed:
            pass
        finally:
            self.code = self.line.close_code or 1006
            self._news.set()

    async def _retry(self, frame_id: str, pause: float) -> None:
        await asyncio.sleep(pause)
        with contextlib.suppress(ConnectionClosed):
            await self.line.send(json.dumps(self.sent[frame_id]))

    async def _take(self, text: str) -> None:
        self.texts.append(text)
        frame: dict[str, Any] = json.loads(text)
        self.frames.append(frame)
        if frame["type"] == "view":
            self.view = frame["view"]
            self.views.append(self.view)
            if frame["revision"] % SEEN_EVERY == 0:
                await self.line.send(json.dumps({"type": "seen", "revision": frame["revision"]}))
        elif frame["type"] == "ack":
            self.acks[frame["id"]] = frame
        elif frame["type"] == "error" and frame["code"] == "busy":
            self.busy += 1
            self._again = asyncio.create_task(self._retry(frame["id"], frame["retry_ms"] / 1000))
        elif frame["type"] == "error":
            self.errors[frame["id"]] = frame
        self._news.set()


async def play_chaos(client: Client, target: int, done: asyncio.Event) -> None:
    """Choose one weapon after another, as fast as answers come, until the socket or time ends."""
    weapons, line = itertools.cycle(("rock", "paper", "scissors")), client.line

    def is_answered(frame_id: str) -> bool:
        # A request on a lost connection is not answered on another one.
        return frame_id in client.acks or frame_id in client.errors or client.line is not line

    while not done.is_set() and client.code is None and client.line is line:
        try:
            frame_id = await client.send(kind="attack", weapon=next(weapons), target=target)
            await client.until(partial(is_answered, frame_id))
        except (AssertionError, ConnectionClosed):
            return


async def open_all(clients: Iterable[Client]) -> None:
    await asyncio.gather(*(client.open() for client in clients))


async def leave_all(clients: Iterable[Client]) -> None:
    await asyncio.gather(*(client.leave() for client in clients))


def tables_of_two(
    rig: Rig, count: int, **options: Any
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return this many people, and a table in its first round for every two of them."""
    people, options = rig.people(count), {"round_clock": 120, **options}
    pairs = zip(people[::2], people[1::2], strict=True)
    tables = [rig.hand("start_game", users=[a["id"], b["id"]], **options) for a, b in pairs]
    return people, tables


async def sat_down(
    web: Web, tables: list[dict[str, Any]], people: list[dict[str, Any]]
) -> list[Client]:
    clients = [
        Client(web, tables[n // 2]["public_id"], who["cookie"]) for n, who in enumerate(people)
    ]
    await open_all(clients)
    return clients


async def game_of_two(rig: Rig, web: Web, **options: Any) -> tuple[dict[str, Any], list[Client]]:
    """Return a table in its first round, and the open sockets of its two people."""
    people, tables = tables_of_two(rig, 2, **options)
    return tables[0], await sat_down(web, tables, people)


@contextlib.asynccontextmanager
async def under_load(clients: list[Client]) -> AsyncIterator[None]:
    done = asyncio.Event()
    load = [play_chaos(client, 1 - n % 2, done) for n, client in enumerate(clients)]
    playing = [asyncio.create_task(each) for each in load]
    yield
    done.set()
    await asyncio.gather(*playing)


async def until_played(clients: list[Client], count: int) -> None:
    known = sum(len(client.acks) for client in clients)
    while sum(len(client.acks) for client in clients) < known + count:
        assert all(client.code is None for client in clients)
        await asyncio.sleep(0.01)


async def killed_and_back(rig: Rig, clients: list[Client]) -> Web:
    begun, web = time.monotonic(), clients[0].web
    web.kill()
    again = rig.start_web(web.port)
    for client in clients:
        client.web = again
    await asyncio.gather(*(client.come_back() for client in clients))
    print(f"all back after {time.monotonic() - begun:.2f} s")
    return again


async def eventually(
    found: Callable[[], Found], limit: float = PATIENCE, pause: float = 0.1
) -> Found:
    until = time.monotonic() + limit
    while not (result := await asyncio.to_thread(found)):
        assert time.monotonic() < until, "it did not become true"
        await asyncio.sleep(pause)
    return result


def assert_clock_was_given_back(rig: Rig, match: int) -> None:
    """One outage: the clock stopped once, ran again once, and had twenty seconds then."""
    clock = rig.hand("clock", match=match)
    (stalled,), (resumed,) = clock["stalled"], clock["resumed"]
    assert stalled + GRACE_MS <= clock["due_at"] <= resumed + GRACE_MS


def assert_journal(rig: Rig, match: int, clients: list[Client]) -> None:
    """Every acknowledged action is stored once, every other at most once."""
    stored = [i for i in rig.hand("action_ids", match=match) if i.startswith("client-")]
    assert len(stored) == len(set(stored))
    acked = {i for client in clients for i in client.acks}
    sent = {i for client in clients for i in client.sent}
    assert acked <= set(stored) <= sent


def assert_journals(rig: Rig, tables: list[dict[str, Any]], clients: list[Client]) -> None:
    for number, table in enumerate(tables):
        assert_journal(rig, table["pk"], clients[number * 2 : number * 2 + 2])
