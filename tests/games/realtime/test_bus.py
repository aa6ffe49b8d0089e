import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import redis.asyncio as redis
from asgiref.sync import sync_to_async
from django.conf import settings

from games.realtime.bus import CHANNEL, GATHER, Bus, Hint
from tests.boot import PATIENCE
from tests.faults.rig import Valkey
from tests.games.match_kit import new_user
from tests.games.socket_kit import log_in, running_site, until_true


@pytest.fixture
async def run_bus() -> AsyncIterator[Callable[..., Bus]]:
    buses: list[Bus] = []

    def run(take: Callable[[list[Hint]], None] = list) -> Bus:
        buses.append(Bus(settings.HINT_BUS_URL, take, lambda: None))
        buses[-1].start()
        return buses[-1]

    yield run
    for bus in buses:
        await bus.stop()


@pytest.fixture
async def heard() -> AsyncIterator[list[Any]]:
    """Return the hints that a listener gets: a list per message."""
    messages: list[Any] = []
    client = redis.from_url(settings.HINT_BUS_URL)
    async with client.pubsub() as line:
        await line.subscribe(CHANNEL)

        async def listen() -> None:
            async for message in line.listen():
                if message["type"] == "message":
                    messages.append(json.loads(message["data"])[1])  # noqa: PERF401 - live

        task = asyncio.create_task(listen())
        yield messages
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await client.aclose()


async def test_bus_others_take_what_is_told_and_oneself_does_not(run_bus) -> None:
    mine: list[list[Hint]] = []
    theirs: list[list[Hint]] = []
    one, _ = run_bus(mine.append), run_bus(theirs.append)
    async with asyncio.timeout(PATIENCE):
        while not theirs:  # The other may not listen yet.
            one.publish([("m", 7, 3)])
            await asyncio.sleep(0.05)
    assert (theirs[0], mine) == ([("m", 7, 3)], [])


@pytest.mark.parametrize(
    "poison",
    ["[" * 100_000, '["x", [["m", 1, Infinity]]]', '["x", [["m", [], 1]]]', "null", '"', "1"],
    ids=["deep", "endless", "list", "null", "cut", "number"],
)
async def test_hostile_68_after_a_hint_that_cannot_be_read_the_next_one_is_taken(run_bus, poison):
    taken: list[list[Hint]] = []

    def take(hints: list[Hint]) -> None:
        # Keys are read as the runtime does it, which can fail.
        taken.append([(topic, int(key), number) for topic, key, number in hints])

    one, _ = run_bus(), run_bus(take)
    client = redis.from_url(settings.HINT_BUS_URL)
    listeners = 0
    async with asyncio.timeout(PATIENCE):
        while listeners < 2:
            listeners = await client.publish(CHANNEL, poison)
            await asyncio.sleep(0.05)
        while not taken:
            one.publish([("m", 7, 3)])
            await asyncio.sleep(0.05)
    assert taken[0] == [("m", 7, 3)]
    await client.aclose()


async def test_bus_that_gets_no_answer_does_not_listen_until_it_gets_one(tmp_path, monkeypatch):
    monkeypatch.setattr("games.realtime.bus.ANSWER_LIMIT", 0.2)
    valkey = Valkey(tmp_path)
    valkey.start()
    told: list[str] = []
    bus = Bus(valkey.url, lambda hints: None, lambda: told.append("lost"))
    bus.start()
    try:
        await until_true(lambda: bus.is_listening)
        valkey.send(signal.SIGSTOP)
        await until_true(lambda: not bus.is_listening)
        # It accepts connections, and takes what is written.
        fresh = Bus(valkey.url, lambda hints: None, lambda: told.append("never"))
        fresh.start()
        await until_true(lambda: fresh._pause > 0.1)
        assert not fresh.is_listening
        await fresh.stop()
        valkey.send(signal.SIGCONT)
        await until_true(lambda: bus.is_listening)
        assert told == ["lost", "lost"]
    finally:
        valkey.send(signal.SIGCONT)
        await bus.stop()
        valkey.stop()


class Silent:
    """A line to a Redis that takes what is written, until it breaks, and never answers."""

    def __init__(self) -> None:
        self.written: list[tuple[Any, ...]] = []
        self.is_broken = False

    async def connect(self) -> None:
        """Be there."""

    async def disconnect(self, nowait: bool = False) -> None:
        self.written.append(("hung up",))

    async def send_command(self, *command: Any, check_health: bool = True) -> None:
        assert not check_health, "that would wait for an answer"
        if self.is_broken:
            raise redis.ConnectionError
        self.written.append(command)


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[Silent]:
    made: list[Silent] = []
    make = lambda pool: made.append(Silent()) or made[-1]  # noqa: E731
    monkeypatch.setattr(redis.ConnectionPool, "make_connection", make)
    return made


async def test_bus_waits_for_no_answer_and_takes_a_new_line_when_one_breaks(jumping, lines) -> None:
    bus = Bus(settings.HINT_BUS_URL, list, lambda: None)
    task = asyncio.create_task(bus._send())
    for number in range(3):
        bus.publish([("m", 1, number)])
        await until_true(lambda: not bus._wanted.is_set())
    await until_true(lambda: len(lines[0].written) == 4)
    commands = [command[:2] for command in lines[0].written]
    assert commands == [("CLIENT", "REPLY"), *3 * [("PUBLISH", CHANNEL)]]
    lines[0].is_broken = True
    bus.publish([("m", 1, 8)])
    await until_true(lambda: lines[0].written[-1] == ("hung up",))
    bus.publish([("m", 1, 9)])
    await until_true(lambda: len(lines) == 2 and len(lines[1].written) == 2)
    task.cancel()


async def test_bus_the_first_hint_goes_at_once_and_what_follows_goes_together(jumping, lines):
    bus = Bus(settings.HINT_BUS_URL, list, lambda: None)
    task, begun = asyncio.create_task(bus._send()), jumping.now
    bus.publish([("m", 1, 5)])
    while not lines or len(lines[0].written) < 2:  # noqa: ASYNC110 - no timer may run
        await asyncio.sleep(0)
    assert jumping.now == begun
    for hint in (("m", 1, 6), ("m", 2, 1), ("m", 1, 7), ("l", 0, 1)):
        bus.publish([hint])
        await asyncio.sleep(GATHER / 8)
    assert len(lines[0].written) == 2
    await until_true(lambda: len(lines[0].written) == 3)
    sent = [json.loads(command[2])[1] for command in lines[0].written[1:]]
    assert sent == [[["m", 1, 5]], [["m", 1, 7], ["m", 2, 1], ["l", 0, 1]]]
    task.cancel()


@pytest.mark.django_db(transaction=True)
async def test_bus_carries_no_key_of_a_session(heard) -> None:
    cookie = await sync_to_async(lambda: log_in(new_user()))()
    key = cookie.split("=")[1]
    async with running_site() as running:
        running.end_session(key)
        await until_true(lambda: any(hint[0] == "x" for message in heard for hint in message))
    assert key not in json.dumps(heard)
