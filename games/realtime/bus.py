"""The hint bus: tells other processes through Redis which objects to reload."""

import asyncio
import contextlib
import json
import logging
import secrets
from collections.abc import Callable

import redis.asyncio as redis
from redis.asyncio.client import PubSub
from redis.asyncio.connection import AbstractConnection as Connection

log = logging.getLogger(__name__)

Hint = tuple[str, int | str, int]

CHANNEL = "hints"
#: Seconds: the first hint is sent at once, those of the next span go as one message.
GATHER = 0.05
#: Seconds without an answer from Redis after which hints are dropped.
PUBLISH_LIMIT = 0.25
#: Seconds of silence after which Redis is asked whether it answers, and for its answer.
ANSWER_LIMIT = 5.0
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0


class Bus:
    """Publishes coalesced hints and passes on those of others. A hint carries no fact and no
    secret; without hints all works, only up to two seconds later.
    """

    def __init__(
        self, url: str, take: Callable[[list[Hint]], None], lost: Callable[[], None]
    ) -> None:
        self._client = redis.from_url(
            url, socket_timeout=None, socket_connect_timeout=1.0, health_check_interval=0
        )
        self._take, self._lost = take, lost
        self._line: Connection | None = None
        self._token = secrets.token_hex(8)
        #: Whether Redis has accepted the subscription, answers, and has not gone since.
        self.is_listening = False
        self._pause = FIRST_PAUSE
        self._waiting: dict[tuple[str, int | str], int] = {}
        self._wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send())]

    def publish(self, hints: list[Hint]) -> None:
        """Send hints as soon as possible; hints within ``GATHER`` seconds go as one message."""
        for topic, key, number in hints:
            self._waiting[topic, key] = max(number, self._waiting.get((topic, key), 0))
        self._wanted.set()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hang_up()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._client.aclose(), 0.25)

    async def _send(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            hints = [[topic, key, number] for (topic, key), number in self._waiting.items()]
            self._waiting.clear()
            try:
                async with asyncio.timeout(PUBLISH_LIMIT):
                    await self._write(json.dumps([self._token, hints]))
                pause = GATHER
            except (redis.RedisError, OSError, TimeoutError):
                # The comparison makes up for lost hints; publishing never fails an action.
                await self._hang_up()
                pause = PUBLISH_LIMIT
            await asyncio.sleep(pause)

    async def _write(self, message: str) -> None:
        """Write a message without waiting for a reply: replies are switched off."""
        if self._line is None:
            line = self._client.connection_pool.make_connection()
            await line.connect()
            await line.send_command("CLIENT", "REPLY", "OFF", check_health=False)
            self._line = line
        await self._line.send_command("PUBLISH", CHANNEL, message, check_health=False)

    async def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(Exception):
                await line.disconnect(nowait=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._client.pubsub() as subscription:
                    async with asyncio.timeout(ANSWER_LIMIT):
                        await subscription.subscribe(CHANNEL)
                    await self._hear(subscription)
            except (redis.RedisError, OSError) as problem:
                log.warning("the hint bus is away: %s", type(problem).__name__)
                await self._hang_up()
            self.is_listening = False
            await asyncio.sleep(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE)

    async def _hear(self, subscription: PubSub) -> None:
        """Pass on what is heard; raises TimeoutError when Redis does not answer."""
        is_asked = False
        while True:
            message = await subscription.get_message(timeout=ANSWER_LIMIT)
            if message is not None:
                is_asked = False
                if not self.is_listening:
                    self.is_listening, self._pause = True, FIRST_PAUSE
                    self._lost()
                self._read(message)
            elif is_asked:
                raise TimeoutError
            else:
                async with asyncio.timeout(ANSWER_LIMIT):
                    await subscription.ping()
                is_asked = True

    def _read(self, message: dict[str, object]) -> None:
        if message.get("type") != "message":
            return
        try:
            sender, hints = json.loads(str(message["data"], "utf-8"))  # type: ignore[call-overload]
            if sender != self._token:
                self._take([(str(topic), key, int(number)) for topic, key, number in hints])
        except Exception as problem:
            # Anything else would end the listener, and no later hint would be taken.
            log.warning("a hint could not be read: %s", type(problem).__name__)
