"""A process that plays a share of the load: ``python -m bench.load.crowd``.

Reads a line of JSON (``Share``) and prints ``ready`` when all games have begun.  After a line it
counts, after a further one it lets the last answers arrive, and prints its counts.
"""

import asyncio
import gc
import importlib.util
import os
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec

from bench.children import own_cpu
from bench.load.circle import Circle
from bench.load.client import Client, Person, Place, World
from bench.load.others import LOBBY, ME, Fighter, Novice, Rider, Spectator, read_pages
from bench.wire import connect_all

#: Requests over HTTP at once.
THREADS: Final = 16
#: Seconds between looks at all clients; until everything has begun; until the last answers arrive.
TEND, PATIENCE, LAST_ANSWERS = 0.5, 300.0, 20.0
NICE: Final = 5


class Share(msgspec.Struct):
    """The part of one process; ``games`` has the game of each table.

    With ``enough`` the process says when each game has had that number of answers.
    """

    places: list[Place]
    run: str
    think: float
    talk: float
    games: list[str]
    people: list[Person]
    fighters: list[Person]
    spectators: list[Person]
    lurkers: list[Person]
    guests: list[Person]
    riders: list[Person]
    enough: int = 0


class Crowd:
    """All clients of this process."""

    def __init__(self, share: Share) -> None:
        self.world = World(share.places, share.run, share.think, share.talk)
        world, pool = self.world, deque(share.people)
        watching: list[list[Spectator]] = [[] for _ in share.games]
        for number, person in enumerate(share.spectators):
            watching[number % len(watching)].append(Spectator(world, person))
        self._circles = [
            Circle(world, game, pool, spectators)
            for game, spectators in zip(share.games, watching, strict=True)
        ]
        self._standing: list[Client] = [Fighter(world, person) for person in share.fighters]
        for person in share.lurkers:
            self._standing.append(Client(world, person, ME if person.cookie else LOBBY))
        self._standing += [Rider(world, person) for person in share.riders]
        self._readers = [*share.guests, *share.people[: len(share.guests)]]
        self._standing += [Novice(world, person) for person in share.guests]
        self._tasks: list[asyncio.Task[None]] = []
        self._played = {*share.games, *(["arena"] if share.fighters else [])}

    async def begin(self) -> None:
        """Open all sockets, and wait until a game has begun at each table."""
        self.begin_task(self._tend())
        await connect_all([client.open for client in self._standing])
        for circle in self._circles:
            self.begin_task(circle.play())
        for person in self._readers:
            self.begin_task(read_pages(self.world, person))
        await asyncio.gather(*(circle.has_begun.wait() for circle in self._circles))

    async def say_enough(self, enough: int) -> None:
        """Print a line once each game has had ``enough`` answers."""
        while True:
            answers = Counter[str]()
            for kind, times in self.world.counts.times.items():
                answers[kind.partition(" ")[0]] += len(times)
            if all(answers[game] >= enough for game in self._played):
                print("enough", flush=True)
                return
            await asyncio.sleep(TEND)

    async def end(self) -> None:
        """Stop acting, wait for the last answers, and close everything."""
        self.world.is_acting = False
        until = time.perf_counter() + LAST_ANSWERS
        while self._unanswered() and time.perf_counter() < until:  # noqa: ASYNC110
            await asyncio.sleep(TEND / 5)
        self.world.counts.numbers["unanswered"] += self._unanswered()
        self.world.is_over = True
        for task in self._tasks:
            task.cancel()
        for client in list(self.world.clients):
            client.close()

    def _unanswered(self) -> int:
        return sum(len(client.unanswered) for client in self.world.clients)

    def begin_task(self, work: Awaitable[None]) -> None:
        """Run something beside until the end."""
        self._tasks.append(asyncio.ensure_future(work))

    async def _tend(self) -> None:
        while True:
            await asyncio.sleep(TEND)
            now = time.perf_counter()
            for client in self.world.clients:
                client.tend(now)


async def run(share: Share) -> None:
    """Play until told to stop."""
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(THREADS))
    crowd = Crowd(share)

    async def heard() -> str:
        return await loop.run_in_executor(reader, sys.stdin.readline)

    reader = ThreadPoolExecutor(1)
    try:
        async with asyncio.timeout(PATIENCE):
            await crowd.begin()
    except TimeoutError:
        raise SystemExit(f"after {PATIENCE:.0f} s not all games had begun") from None
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    counts = crowd.world.counts
    crowd.world.train_at = float((await heard()).partition(" ")[2] or "inf")
    counts.is_open = True
    used = own_cpu()
    if share.enough:
        crowd.begin_task(crowd.say_enough(share.enough))
    await heard()
    counts.is_open = False
    counts.numbers["busy ms"] = round((own_cpu() - used) * 1000)
    counts.numbers["sockets"] = len(crowd.world.clients)
    await crowd.end()
    sys.stdout.buffer.write(msgspec.json.encode(counts.plain()) + b"\n")
    sys.stdout.flush()
    # A request without an answer must not hold the process.
    os._exit(0)


def main() -> None:
    """Play with the share from standard input."""
    # An interrupt of the terminal reaches all; the parent ends this process in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The site's processes have priority: real people use other machines.
    os.nice(NICE)
    # Where it is installed: `./run load` installs nothing into the site's environment.
    loops = importlib.import_module("uvloop" if importlib.util.find_spec("uvloop") else "asyncio")
    loops.run(run(msgspec.json.decode(sys.stdin.readline(), type=Share)))


if __name__ == "__main__":
    main()
