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


def new_bus(taken: list[list[Hint]]) -> Bus:
    return Bus(settings.HINT_BUS_URL, taken.append, lambda: None)


async def test_bus_others_take_what_is_told_and_oneself_does_not() -> None:
    mine: list[list[Hint]] = []
    theirs: list[list[Hint]] = []
    one, other = new_bus(mine), new_bus(theirs)
    one.start()
    other.start()
    async with asyncio.timeout(PATIENCE):
        while not theirs:  # The other may not listen yet.
            one.publish([("m", 7, 3)])
            await asyncio.sleep(0.05)
    assert theirs[0] == [("m", 7, 3)]
    assert mine == []
    await one.stop()
    await other.stop()


@pytest.mark.parametrize(
    "poison",
    ["[" * 100_000, '["x", [["m", 1, Infinity]]]', '["x", [["m", [], 1]]]', "null", '"', "1"],
    ids=["deep", "endless", "list", "null", "cut", "number"],
)
async def test_hostile_68_after_a_hint_that_cannot_be_read_the_next_one_is_taken(
    poison: str,
) -> None:
    taken: list[list[Hint]] = []
    one, other = new_bus([]), Bus(settings.HINT_BUS_URL, taking_keys_into(taken), lambda: None)
    one.start()
    other.start()
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
    await one.stop()
    await other.stop()
    await client.aclose()


def taking_keys_into(taken: list[list[Hint]]) -> Callable[[list[Hint]], None]:
    """Return a function that reads keys as the runtime does, which can fail."""

    def take(hints: list[Hint]) -> None:
        taken.append([(topic, int(key), number) for topic, key, number in hints])

    return take


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
    monkeypatch.setattr(
        redis.ConnectionPool, "make_connection", lambda pool: made.append(Silent()) or made[-1]
    )
    return made


async def test_bus_waits_for_no_answer_and_takes_a_new_line_when_one_breaks(jumping, lines) -> None:
    bus = new_bus([])
    task = asyncio.create_task(bus._send())
    for number in range(3):
        bus.publish([("m", 1, number)])
        await until_true(lambda: not bus._wanted.is_set())
    await until_true(lambda: len(lines[0].written) == 4)
    assert [command[:2] for command in lines[0].written] == [
        ("CLIENT", "REPLY"), *3 * [("PUBLISH", CHANNEL)]
    ]  # fmt: skip
    lines[0].is_broken = True
    bus.publish([("m", 1, 8)])
    await until_true(lambda: lines[0].written[-1] == ("hung up",))
    bus.publish([("m", 1, 9)])
    await until_true(lambda: len(lines) == 2 and len(lines[1].written) == 2)
    task.cancel()


async def test_bus_the_first_hint_goes_at_once_and_what_follows_goes_together(
    jumping, lines
) -> None:
    bus = new_bus([])
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
