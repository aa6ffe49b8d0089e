"""What the runtime of a web process asks of which part, in order, as text.

After a wanted change: ``WRITE=1 ./run test tests/games/realtime/test_hubs_first.py`` writes it.
"""

import asyncio
import math
import os
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.matches.journal.snapshots import Seating
from games.realtime import hub, runtime
from games.realtime.sessions import Stamp, name_of

TOLD = Path(__file__).parent
PARTS = ("reads", "clock", "lobby", "user_feed", "writer", "timers", "hub", "bus", "_wall_clock")


class Answer:
    """What a part answers, at once or to one that waits."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __await__(self) -> Generator[None, None, Any]:
        yield
        return self.value

    __iter__ = __bool__ = None  # type: ignore[assignment]


class Part:
    """A part of the runtime that writes down what is asked of it."""

    def __init__(self, name: str, told: list[str], **fields: Any) -> None:
        self.__dict__ |= {"name": name, "told": told, "answers": {}} | fields

    def __getattr__(self, asked: str) -> Any:
        def ask(*given: Any) -> Answer:
            if self.__dict__.get("problem"):
                raise self.problem
            names = [getattr(each, "__name__", None) or _plain(each) for each in given]
            self.told.append(f"{self.name}.{asked} {names}")
            return Answer(self.answers.get(names[0] if asked == "run" else asked))

        return ask


def _plain(value: Any) -> Any:
    """Return what a value is, without its address."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return value if isinstance(value, int | float | str | list | dict) else type(value).__name__


class Sockets(list[Any]):
    """All sockets, and whether they live."""

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
    """Do everything that a runtime does."""
    patch.setattr(runtime, "CLOSING", 0.0)
    made = runtime.Runtime()
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
    made.clock.answers |= {"look": (False, 0), "keep_presence": {7: "there"}}
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
    made.user_changed(5)
    made.end_session("key 1")
    made.revoke_user(2)
    await let_run("from other threads", made._note_online, made._note_working, made._sweep)
    made.user_feed.__dict__["watchers"] = {3: 1, 2: 1}
    made.bus.__dict__["is_listening"] = True
    made.clock.answers |= {"look": (True, 5)}
    await let_run(made._note_online, made._note_working, made._sweep, made._sweep)
    await let_run(made._tend, made._log_commitments)
    rooms.clear()
    await let_run(made._tend)
    for problem in (None, OSError("the disk is full")):
        patch.setattr(runtime, "give_time", Part("drain", told, problem=problem).give_time)
        await let_run(made.stop)


class Page:
    """One socket in a room of the hub, which writes down what it is told."""

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
    """Do everything that a hub does."""
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


@pytest.mark.plain
@pytest.mark.parametrize("do", [runtime_story, hub_story])
async def test_parts_of_a_web_process_ask_and_tell_in_order(
    do: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    await do(told, monkeypatch)
    text = TOLD / f"{do.__name__}.txt"
    if "WRITE" in os.environ:
        text.write_text("\n".join([*told, ""]))
    assert told == text.read_text(encoding="utf-8").splitlines()
