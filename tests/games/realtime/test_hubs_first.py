"""Text of what parts of a web process ask and tell each other; ``WRITE=1 ./run test`` writes it."""

import asyncio
import math
import os
from collections import deque
from collections.abc import Generator
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.matches.journal.snapshots import Seating
from games.realtime import consumers, hub, runtime, view_socket
from games.realtime.runtime import Runtime
from games.realtime.sessions import Stamp, name_of
from games.realtime.socket_registry import SocketRegistry
from tests.games.extra_games import invite

TOLD = Path(__file__).parent
PARTS = ("reads", "clock", "lobby", "user_feed", "writer", "timers", "hub", "bus", "_wall_clock")


class Answer:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __await__(self) -> Generator[None, None, Any]:
        yield
        return self.value

    __iter__ = __bool__ = None  # type: ignore[assignment]


class Part:
    def __init__(self, name: str, told: list[str], **fields: Any) -> None:
        self.__dict__ |= {"name": name, "told": told, "answers": {}} | fields

    def __getattr__(self, asked: str) -> Any:
        def ask(*given: Any, **named: Any) -> Answer:
            if self.__dict__.get("problem"):
                raise self.problem
            more = [value for value in named.values() if value]
            names = [getattr(each, "__name__", None) or _plain(each) for each in (*given, *more)]
            self.told.append(f"{self.name}.{asked} {names}")
            return Answer(self.answers.get(names[0] if asked == "run" else asked))

        return ask


def _plain(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    is_odd = " at 0x" in repr(value) or isinstance(value, Runtime)
    return type(value).__name__ if is_odd else value


class Sockets(list[Any]):
    def of_user(self, user_id: int) -> list[Any]:
        return [each for each in self if each.user_id == user_id]

    async def check_liveness(self) -> None:
        self[0].close("silence")


def socket(told: list[str], user: int, session: str) -> Any:
    stamp = Stamp(session, user, f"u{user}", "hash")
    note = lambda code: told.append(f"socket of {user} closed with {code}")  # noqa: E731
    return SimpleNamespace(user_id=user, stamp=stamp, close=note)


def room(told: list[str], **fields: Any) -> Any:
    viewers = SimpleNamespace(here={"seats": [1], "watching": 2})
    known = {"snapshot": SimpleNamespace(match=SimpleNamespace(stalled_at=None)), "last_post": None}
    return SimpleNamespace(viewers=lambda: viewers, there=lambda: [0], **known | fields)


async def runtime_story(told: list[str], patch: pytest.MonkeyPatch) -> None:
    patch.setattr(runtime, "CLOSING", 0.0)
    made = Runtime()
    for each in (made.reads, made.clock):
        each.close()
    for name in PARTS:
        setattr(made, name, Part(name, told))
    made.runners = {"own": Part("runner", told)}
    made.sockets = Sockets([socket(told, user, f"key {user}") for user in (1, 2, 2)])  # type: ignore[assignment]

    async def let_run(*steps: Any) -> None:
        for step in steps:
            told.append(f"> {getattr(step, '__name__', step)}")
            if asyncio.iscoroutinefunction(step):
                await step()
            for _ in range(9):
                await asyncio.sleep(0)

    rooms = {7: room(told), 8: room(told, last_post=4), 9: room(told, snapshot=None)}
    stalled = SimpleNamespace(match=SimpleNamespace(stalled_at=1), no=3, people={1})
    rooms[10] = room(told, snapshot=stalled)
    made.hub.__dict__ |= {"rooms": rooms, "compare": lambda _numbers: [8]}
    made.user_feed.__dict__["watchers"] = {}
    made.bus.__dict__["is_listening"] = False
    made.reads.answers |= {"ended": {made.sockets[0].stamp}, "resume": ["a move"], "lines": ["a"]}  # type: ignore[index]
    made.clock.answers |= {"due_check": (False, False, 0), "keep_presence": {7: "there"}}
    await made.start()
    await let_run("started")
    for topic, key in (
        ("m", 7),
        ("u", 1),
        ("p", 8),
        ("p", 7),
        ("l", 0),
        ("x", name_of("key 2")),
        ("b", 1),
        ("b", 5),
        ("a", 0),
    ):
        made._hinted([(topic, key, 1)])
        await let_run(f"hint {topic} {key}")
    snapshots = {10: stalled}
    for moved in (True, False):
        made._published(SimpleNamespace(snapshots=snapshots, moved_points=moved))  # type: ignore[arg-type]
        await let_run(f"published, points moved: {moved}")
    made._look_everywhere()
    made.users_changed([5])
    made.end_session("key 1")
    made.revoke_user(2)
    await let_run("from other threads", made._note_online, made._note_working, made._sweep)
    made.user_feed.__dict__["watchers"] = {3: 1, 2: 1}
    made.bus.__dict__["is_listening"] = True
    made.clock.answers |= {"due_check": (True, False, 5)}
    await let_run(made._note_online, made._note_working, made._sweep, made._sweep)
    await let_run(made._tend, made._log_commitments)
    rooms.clear()
    await let_run(made._tend)
    for problem in (None, OSError("the disk is full")):
        patch.setattr(runtime, "give_time", Part("drain", told, problem=problem).give_time)
        await let_run(made.stop)


class Page:
    def __init__(self, told: list[str], user_id: int | None, visible_at: float = 0.0) -> None:
        self.user_id, self.visible_at, self.told = user_id, visible_at, told

    def __hash__(self) -> int:
        return self.user_id or 0

    def __getattr__(self, asked: str) -> Any:
        return lambda what, *_: self.told.append(f"  {self.user_id} {asked} {what}")


class Shown:
    """Instead of views, what they are made from."""

    def __init__(self, snapshot: Any, everywhere: Any, parts: Any) -> None:
        self.text = f"{snapshot.no} {everywhere}"

    def view(self, seat: int | None) -> str:
        return f"{self.text} as {seat}"


def snapshot(no: int, news: Any = None, *, is_slow: bool = False, is_open: bool = True) -> Any:
    """Return a state of a match in which the users 1 and 2 sit."""
    match = SimpleNamespace(action_count=no, is_slow=is_slow, is_open=is_open)
    rooms = lambda _state, viewer: viewer.seat  # noqa: E731
    seat_of = {1: 0, 2: 1}.get
    known = {"match": match, "no": no, "seating": SEATING, "seat_of": seat_of}
    return SimpleNamespace(**known, table=SimpleNamespace(rooms=rooms), state=None, news=news)


def line(serial: int, seats: set[Any], deaf: Any = ()) -> Any:
    return SimpleNamespace(serial=serial, seats=seats, unheard_by=deaf)


SEATING = Seating(users={0: 1, 1: 2})


async def hub_story(told: list[str], patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hub, "SETTLE", 0.0)
    patch.setattr(hub, "Rendering", Shown)
    patch.setattr(hub.selectors, "allows_spectators", lambda match: match.is_open)
    patch.setattr(hub, "may_read", lambda seat, line: seat in line.seats)
    made = hub.Hub(Part("reads", told), lambda state: told.append(f"  watched {state.no}"))  # type: ignore[arg-type]
    made._executor.answers["snapshots"] = {5: snapshot(3)}  # type: ignore[attr-defined]
    ann, bob, eve = Page(told, 1, math.inf), Page(told, 2), Page(told, None, math.inf)
    news = SimpleNamespace(since=4, seats=frozenset({1}))
    steps: list[tuple[str, Any]] = [
        ("early", lambda: (made.post(5, [line(1, {0})]), made.leave(5, ann))),
        ("enter", lambda: [made.enter(5, each) for each in (ann, bob, eve)]),
        ("unread", lambda: made.post(5, [line(1, {0, 1, None})])),
        ("start", made.start),
        (
            "newer",
            lambda: made.publish({5: snapshot(4), 6: snapshot(1), 7: snapshot(1, is_slow=True)}),
        ),
        ("older", lambda: made.publish({5: snapshot(2)})),
        ("news", lambda: made.publish({5: snapshot(5, news)})),
        ("same", lambda: made.publish({5: snapshot(5, is_slow=True)})),
        ("there", lambda: told.append(f"  {made.rooms[5].there()} {made.rooms[5].viewers().here}")),
        ("lines", lambda: made.post(5, [line(9, {0}), line(8, {0, 1}, {1}), line(3, {None})])),
        ("compare", lambda: told.append(f"  {made.compare({5: (5, 9), 6: (1, 1)})} {made._dirty}")),
        ("behind", lambda: told.append(f"  {made.compare({5: (6, 10)})} {made._dirty}")),
        ("elsewhere", lambda: made.set_elsewhere({5: {"seats": [1, 3], "watching": 2}})),
        ("the same", lambda: made.set_elsewhere({5: {"seats": [1, 3], "watching": 2}})),
        ("nobody", lambda: made.set_elsewhere({})),
        ("left", lambda: (made.leave(5, bob), made.leave(5, bob))),
        ("not watched", lambda: made.publish({5: snapshot(6, is_open=False)})),
        ("lost", lambda: (made._executor.answers.update(snapshots={}), made.look_again([5, 6]))),  # type: ignore[attr-defined]
        (
            "all left",
            lambda: (made.leave(5, ann), made.leave(5, eve), told.append(f"  {made.rooms}")),
        ),
    ]
    for name, do in steps:
        told.append(f"> {name}")
        do()
        for _ in range(9):
            await asyncio.sleep(0)
    await made.stop()


class Site:
    """A web process around one socket; each visit is written down."""

    def __init__(self, told: list[str], clock: Any) -> None:
        self.told, self.clock = told, clock
        asked = ("reads", "hub", "lobby", "user_feed", "writer", "chat_limits", "wire", "direct")
        self.parts = {name: Part(name, told) for name in asked}
        self.parts["hub"].__dict__ |= {
            "is_closing": False,
            "rooms": {7: room(told, snapshot=None, last_post=0)},
        }
        self.parts["wire"].__dict__["unsent"] = lambda: self.unsent
        self.parts["chat_limits"].__dict__["answers"] = {}
        self.reads, self.sockets, self.unsent = self.parts["reads"], SocketRegistry(), 0
        self.runtime = SimpleNamespace(
            **self.parts,
            sockets=self.sockets,
            users_changed=self.note,
            bus=SimpleNamespace(publish=self.note),
        )
        match = SimpleNamespace(pk=7, last_post=0, game="odds")
        self.found, self.reads.answers["run_side_command"] = match, "it is so"
        self.reads.answers |= {"say": SimpleNamespace(serial=3), "said_before": ([], [])}

    def note(self, *what: Any) -> None:
        self.told.append(f"  noted {what}")

    async def visit(self, name: str, kind: type[Any], *steps: Any, user: int | None = 1) -> None:
        """Open a socket, send frames or do what is asked for between them, and end it."""
        self.told.append(f"> {name}")
        stamp = None if user is None else Stamp("key", user, "ann", "hash")
        self.reads.answers["look_up"] = (stamp, self.found)
        route = {"kwargs": {"public_id": "x"}}
        scope = {"client": ("::1", 5), "headers": [], "path": "/ws/", "url_route": route}
        scope |= {"wire": self.parts["wire"]} | (
            {"direct": self.parts["direct"]} if user == 3 else {}
        )
        left = deque(["connect", *steps])

        async def receive() -> dict[str, Any]:
            for _ in range(9):
                await asyncio.sleep(0)
            while left and callable(left[0]):
                left.popleft()(made)
                for _ in range(9):
                    await asyncio.sleep(0)
            text = left.popleft() if left else "disconnect"
            if text == "disconnect":
                self.told.append(f"  acted {made.acted}, keeps {made.keeps()}")
            if text in ("connect", "disconnect"):
                return {"type": f"websocket.{text}"}
            return {"type": "websocket.receive", "text": text}

        async def send(message: dict[str, Any]) -> None:
            self.told.append(f"  {message}")

        made = kind()
        await made(scope, receive, send)
        for _ in range(9):
            await asyncio.sleep(0)
        self.told.append(f"  {len(self.sockets)} open")


SIDE = '{"type":"command","id":"action-5","text":"/stand"}'
SEEN = '{"type":"seen","revision":1,"visible":true}'
ACT = '{"type":"act","id":"action-1","phase":2,"action":{"kind":"throw"}}'
POST = '{"type":"act","id":"action-2","phase":2,"action":{"kind":"post"}}'
TYPED, SAY = (
    '{"type":"command","id":"action-3","text":"/help"}',
    '{"type":"say","id":"action-4","room":"table","text":"hi"}',
)


def socket_of(user: int, keeps: int, told: list[str], allowance: str = "tables") -> Any:
    """Return another socket of a user, whose last act was long ago."""
    made = Page(told, user)
    stamp = Stamp("key", user, "ann", "hash")
    made.__dict__ |= {"stamp": stamp, "address": "::1", "allowance": allowance, "acted": -keeps}
    made.__dict__ |= {"is_closing": False, "opened": 0.0, "keeps": lambda: keeps}
    return made


async def socket_story(told: list[str], patch: pytest.MonkeyPatch, clock: Any) -> None:
    for module in (consumers, view_socket):
        patch.setattr(module, "time_now", lambda: "now")
    site = Site(told, clock)
    patch.setattr("django.conf.settings.SOCKETS_PER_USER", 2)
    match, me, lobby = consumers.MatchConsumer, consumers.MeConsumer, consumers.LobbyConsumer
    await site.visit("nothing runs", match)
    patch.setattr(runtime, "_running", [site.runtime])
    await site.visit("the lobby", lobby, SEEN, ACT, lambda made: made.show_lobby('"games":{}'))
    affairs = SimpleNamespace(balance=5, needs_you=[])
    await site.visit("of a guest", me, user=None)
    await site.visit("affairs", me, *[lambda made: made.show_affairs(affairs)] * 2, ACT, "{", SEEN)
    view = lambda made: made.show(  # noqa: E731
        b'{"phase":4,"game":null,"match":{"game":"odds"},"you":{"may":["stand"]}}', "then"
    )
    lines = [SimpleNamespace(serial=serial, wire={"no": serial}) for serial in (2, 1, 3)]
    post = lambda made: [made.post(each) for each in lines]  # noqa: E731
    for user in (1, None, 3):
        frames = (TYPED, view, view, TYPED, SIDE, ACT, POST, SAY, SEEN, post)
        await site.visit(f"a match, as {user}", match, *frames, user=user)
    made_room = site.parts["hub"].rooms[7]
    made_room.snapshot, made_room.seat_of = snapshot(1), lambda page: {1: 0}.get(page.user_id)
    made_room.snapshot.match.status = "running"
    made_room.last_post = None
    site.reads.answers["said_before"] = lines[:1], lines[:1]
    await site.visit("a seat", match, post, '{"type":"no"}', "[" * 9, SAY.replace("hi", "/rules"))
    await site.visit("no seat", match, user=2)
    await site.visit("a frame fails", match, lambda made: setattr(made, "take", None), SEEN)
    await site.visit("a flood", match, *[SEEN] * 80)
    await site.visit("a guest's flood", match, *[SEEN] * 80, user=None)
    await site.visit("bad frames", match, *["{"] * 40)

    def later(seconds: float) -> Any:
        return lambda made: (setattr(clock, "now", clock.now + seconds), made.check_liveness())

    await site.visit("silence", match, later(90.0), SEEN, later(90.5), SEEN)
    site.unsent = 1
    await site.visit("bytes that stay", match, later(1.0), SEEN, later(14.5), SEEN, later(16.0))
    site.unsent = 999_999_999
    await site.visit("unread", match, SEEN, SEEN)
    site.unsent = 0
    idle, busy = socket_of(1, 0, told), socket_of(1, 2, told)
    for others in (
        [idle, busy],
        [busy, socket_of(1, 2, told, "me")],
        [busy, busy.__class__(told, 1)],
    ):
        for each in others[: 2 if "stamp" in others[1].__dict__ else 1]:
            site.sockets.add(each)
        await site.visit(f"beside {len(others)}", match)
        for each in others:
            site.sockets.discard(each)
    for name in ("unknown", "closing"):
        site.found = None
        site.parts["hub"].__dict__["is_closing"] = name == "closing"
        await site.visit(name, match)


@pytest.mark.plain
@pytest.mark.parametrize("do", [runtime_story, hub_story, socket_story])
async def test_parts_of_a_web_process_ask_and_tell_in_order(do, settings, monkeypatch, request):
    invite("tests.games.odds", settings, monkeypatch)
    told: list[str] = []
    more = [request.getfixturevalue("clock")] if do is socket_story else []
    await do(told, monkeypatch, *more)
    # What is told again and again stands there once.
    told = [f"{line} (x{len([*same])})" for line, same in groupby(told)]
    text = TOLD / f"{do.__name__}.txt"
    if "WRITE" in os.environ:
        text.write_text("\n".join([*told, ""]))
    assert told == text.read_text(encoding="utf-8").splitlines()
