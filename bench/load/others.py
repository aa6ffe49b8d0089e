"""People who do not play at tables: in the arena, as spectators, at pages, idle."""

import asyncio
import itertools
import random
import time
from datetime import datetime
from typing import Final

import msgspec

from bench.load.asking import get
from bench.load.client import Client, Person, World
from bench.load.players import HANDS, Player
from bench.visitors import PATH, THINKING
from bench.visitors import Frame as ArenaFrame

ME, LOBBY = "/ws/me/", "/ws/lobby/"
PRACTICE: Final = "/ws/practice/duel/"
#: What guests read, and people with an account.
PAGES: Final = ("/", "/duels/", "/mafia/", "/arena/", "/leaderboard/")
OWN_PAGES: Final = ("/", "/turns/", "/mafia/", "/tables/", "/wallet/")
#: Seconds until a request to join is sent again.
JOIN_AGAIN: Final = 5.0
#: Mean seconds for which a page is read.
READING: Final = 3.0


class Fighter(Client):
    """A player of the arena, who chooses once a round."""

    read = msgspec.json.Decoder(ArenaFrame).decode

    def __init__(self, world: World, person: Person) -> None:
        super().__init__(world, person, PATH)
        self.is_in = False
        self._chosen = self._fought = 0
        self._join_at = 0.0
        self._ends: dict[int, float] = {}

    def look(self, frame: ArenaFrame) -> None:
        """Join, choose, and record when results arrive."""
        arena, you = frame.arena, frame.you
        if arena is None or you is None:
            return
        self.is_in = you.is_in
        if arena.ends_at is not None:
            self._ends = {arena.round: datetime.fromisoformat(arena.ends_at).timestamp()} | {
                no: at for no, at in self._ends.items() if no == arena.round - 1
            }
        if you.last is not None and you.last.round > self._fought:
            self._fought = you.last.round
            if self._fought in self._ends:
                late = time.time() - self._ends[self._fought]
                self.world.counts.answer("arena (result)", time.perf_counter() - late)
        self._do(arena.state, arena.round)

    def _do(self, state: str, number: int) -> None:
        now = time.perf_counter()
        if not self.world.is_acting:
            return
        if not self.is_in and now > self._join_at:
            self._join_at = now + JOIN_AGAIN
            self.act("arena join", number, {"kind": "join"})
        elif self.is_in and state == "selecting" and number > self._chosen:
            self._chosen = number
            delay = random.random() * THINKING
            asyncio.get_running_loop().call_later(delay, self._choose, number)

    def _choose(self, number: int) -> None:
        if self.world.is_acting:
            self.act("arena choose", number, {"kind": "choose", "move": random.choice(HANDS)})


class Spectator(Client):
    """A guest who watches one table after the other."""

    def __init__(self, world: World, person: Person) -> None:
        super().__init__(world, person, "")

    async def follow(self, path: str) -> None:
        """Watch this match from now on."""
        self.close()
        self._is_closed, self.path = False, path
        await self.open()


class Novice(Player):
    """A guest at a practice table, who plays game after game."""

    def __init__(self, world: World, person: Person) -> None:
        super().__init__(world, person, PRACTICE, "practice")

    def _wish(self) -> bytes | None:
        view = self.view
        is_free = self.world.is_acting and not self.unanswered
        if view is not None and "rematch" in view.you.may and is_free:
            return b'{"kind":"rematch"}'
        return super()._wish()


async def read_pages(world: World, person: Person) -> None:
    """Read one page after the other until nobody acts any more."""
    pages = OWN_PAGES if person.cookie else PAGES
    start = random.randrange(len(pages))
    for path in itertools.islice(itertools.cycle(pages), start, None):
        await asyncio.sleep(READING * (0.5 + random.random()))
        if not world.is_acting:
            return
        await get(world, person, path)
