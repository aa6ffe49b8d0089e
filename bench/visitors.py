"""Thousands of players of the arena, in a separate process: ``python -m bench.visitors``.

Reads one line of JSON: addresses, cookies, number of rounds, and processors.  Prints ``ready``
when everybody is in, and at the end a line of JSON with figures.
"""

import asyncio
import itertools
import json
import os
import random
import sys
import time
from datetime import datetime
from typing import Any, Final

import msgspec
import uvloop

from bench.stats import percentile
from bench.wire import Line, connect, connect_all

PATH: Final = "/ws/arena/"
MOVES: Final = ("rock", "paper", "scissors")
#: A page confirms every time it has shown this many (static/js/board/connection.js).
SEEN_VIEWS: Final = 12
#: Players choose within these seconds of a selection.
THINKING: Final = 2.0
NICE: Final = 10
#: Seconds within which all of them leave.
PATIENCE: Final = 60.0


class Fought(msgspec.Struct):
    """The number of a fought round."""

    round: int


class You(msgspec.Struct):
    """The decoded part of a player's view."""

    is_in: bool
    last: Fought | None


class Everybody(msgspec.Struct):
    """The decoded part of the common view."""

    state: str
    round: int
    ends_at: str | None


class Frame(msgspec.Struct):
    """The decoded part of a frame."""

    type: str
    revision: int = 0
    arena: Everybody | None = None
    you: You | None = None
    code: str = ""
    id: str | None = None
    retry_ms: int = 0


_read = msgspec.json.Decoder(Frame).decode


class SocketRegistry:
    """The results that all visitors have received; ends with the round after the measured ones."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.begun = sys.maxsize
        self.ended: dict[int, float] = {}
        self.delays: list[float] = []
        self.acks = 0
        self.errors: dict[str, int] = {}
        self.lost = 0
        self.backwards = 0
        self.inside = 0
        self.is_ready, self.is_over, self.is_empty = (asyncio.Event() for _ in range(3))
        self.got: dict[int, int] = {}
        self.people = 0

    def result(self, number: int, now: float) -> None:
        """Record that a visitor received a round's result."""
        if number >= self.begun + self.rounds:
            self.is_over.set()
        if not self.begun <= number < self.begun + self.rounds:
            return
        self.got[number] = self.got.get(number, 0) + 1
        self.delays.append(now - self.ended[number])

    def figures(self) -> dict[str, Any]:
        """Return the final figures."""
        return {
            "rounds": len(self.got),
            "results": sum(self.got.values()),
            "missed": self.people * self.rounds - sum(self.got.values()),
            "backwards": self.backwards,
            "result_p50_ms": percentile(self.delays, 0.5) * 1000,
            "result_p99_ms": percentile(self.delays, 0.99) * 1000,
            "acks": self.acks,
            "refused": sum(self.errors.values()),
            "lost": self.lost,
        }


class Visitor:
    """A player of the arena, who chooses once a round and receives each result."""

    def __init__(self, crowd: SocketRegistry, number: int) -> None:
        self.crowd, self.number = crowd, number
        self.line: Line
        self._ids = itertools.count(1)
        self._sent: dict[str, bytes] = {}
        self._last = self._acted = 0
        self._is_in = False

    async def open(self, address: str, cookie: str) -> None:
        """Connect and request to join."""
        self.line = await connect(address, PATH, self.take, {"Cookie": cookie}, self._hold)
        self.line.lost = self._lost

    def _hold(self, line: Line) -> None:
        self.line = line

    def _lost(self, code: int) -> None:
        self.crowd.lost += 1

    def act(self, phase: int, **action: Any) -> None:
        """Send an action."""
        name = f"visitor-{self.number}-{next(self._ids)}"
        frame = {"id": name, "type": "act", "phase": phase, "action": action}
        self._sent[name] = msgspec.json.encode(frame)
        self.line.send(self._sent[name])

    def take(self, payload: bytes) -> None:
        """Process a frame, and choose when a round starts."""
        frame = _read(payload)
        if frame.type == "arena":
            if frame.revision % SEEN_VIEWS == 0:
                self.line.send(b'{"type":"seen","revision":%d}' % frame.revision)
            assert frame.arena is not None
            assert frame.you is not None
            self._look(frame.arena, frame.you)
        elif frame.type == "ack":
            self.crowd.acks += 1
            self._sent.pop(frame.id or "", None)
        elif frame.type == "error":
            self._refused(frame)

    def _refused(self, frame: Frame) -> None:
        """Count the refusal, and retry after the time in it, as pages do."""
        self.crowd.errors[frame.code] = self.crowd.errors.get(frame.code, 0) + 1
        sent = self._sent.get(frame.id or "") if frame.code == "busy" else None
        if sent is not None:
            asyncio.get_running_loop().call_later(frame.retry_ms / 1000, self.line.send, sent)

    def _look(self, arena: Everybody, you: You) -> None:
        now = time.time()
        if arena.ends_at is not None:
            self.crowd.ended[arena.round] = datetime.fromisoformat(arena.ends_at).timestamp()
        if you.is_in and not self._is_in:
            self._is_in = True
            self.crowd.inside += 1
            if self.crowd.inside == self.crowd.people:
                self.crowd.is_ready.set()
        elif self._is_in and not you.is_in:
            self._is_in = False
            self.crowd.inside -= 1
            if not self.crowd.inside:
                self.crowd.is_empty.set()
        if you.last is not None and you.last.round != self._last:
            self.crowd.backwards += you.last.round < self._last
            self._last = you.last.round
            self.crowd.result(self._last, now)
        if you.is_in and arena.state == "selecting" and arena.round > self._acted:
            self._acted = arena.round
            move = random.choice(MOVES)
            delay = random.random() * THINKING
            loop = asyncio.get_running_loop()
            loop.call_later(delay, lambda: self.act(arena.round, kind="choose", move=move))


async def play(addresses: list[str], cookies: list[str], rounds: int) -> dict[str, Any]:
    """Connect everybody, print ``ready``, and play."""
    crowd = SocketRegistry(rounds)
    crowd.people = len(cookies)
    visitors = [Visitor(crowd, number) for number in range(len(cookies))]
    await connect_all(
        [
            lambda v=v, n=n: v.open(addresses[n % len(addresses)], cookies[n])
            for n, v in enumerate(visitors)
        ]
    )
    for visitor in visitors:
        visitor.act(0, kind="join")
    await crowd.is_ready.wait()
    # The round after the next one is the first in which all of them fight from its beginning.
    crowd.begun = max(crowd.ended) + 1
    print("ready", flush=True)
    await crowd.is_over.wait()
    # Otherwise they would fight on in absence during the next measurement of the tables alone.
    for visitor in visitors:
        visitor.act(0, kind="leave")
    async with asyncio.timeout(PATIENCE):
        await crowd.is_empty.wait()
    for visitor in visitors:
        visitor.line.abort()
    return crowd.figures()


def main() -> int:
    """Play with the parameters from standard input."""
    # The site's processes have priority: real visitors use other machines.
    os.nice(NICE)
    given = json.loads(sys.stdin.readline())
    os.sched_setaffinity(0, given["processors"])
    found = uvloop.run(play(given["addresses"], given["cookies"], given["rounds"]))
    print(json.dumps(found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
