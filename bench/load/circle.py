"""One table at a time, with people from a pool, and the next when its game has ended."""

import asyncio
import random
from collections import deque
from typing import Final

from bench.load.asking import SEATS, open_table
from bench.load.client import Person, World
from bench.load.others import Spectator
from bench.load.players import Player

#: Seconds between two attempts to open a table, and after a game.
PAUSE: Final = 1.0


class Circle:
    """A table of one game with its spectators."""

    def __init__(
        self, world: World, game: str, pool: deque[Person], spectators: list[Spectator]
    ) -> None:
        self._world, self._game, self._pool, self._spectators = world, game, pool, spectators
        #: Whether the first game has begun, with all spectators.
        self.has_begun = asyncio.Event()

    async def play(self) -> None:
        """Play game after game until nobody acts any more."""
        while self._world.is_acting:
            people = [self._pool.popleft() for _ in range(SEATS[self._game])]
            await self._play_once(people)
            self._pool.extend(people)
            await asyncio.sleep(PAUSE * random.random())

    async def _play_once(self, people: list[Person]) -> None:
        world = self._world
        while (public_id := await open_table(world, people[0], self._game)) is None:
            await asyncio.sleep(PAUSE * (0.5 + random.random()))
            if not world.is_acting:
                return
        path, begun, over = f"/ws/match/{public_id}/", asyncio.Event(), asyncio.Event()
        players = [Player(world, person, path, self._game) for person in people]

        def end() -> None:
            # A table may close before its game has begun.
            begun.set()
            over.set()

        for player in players:
            player.began, player.over = begun.set, end
        watching = [each.follow(path) for each in self._spectators]
        await asyncio.gather(*(player.open() for player in players), *watching)
        await begun.wait()
        self.has_begun.set()
        await over.wait()
        world.counts.numbers["games ended"] += 1
        # The others still await the answers to their last actions.
        while any(player.unanswered for player in players):  # noqa: ASYNC110
            await asyncio.sleep(PAUSE / 10)
        for player in players:
            player.close()
