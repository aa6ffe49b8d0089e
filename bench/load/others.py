"""People who do not play at tables: in the arena, as spectators, at pages, idle."""

import asyncio
import itertools
import random
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from bench.load.asking import get
from bench.load.client import Client, Head, Person, World
from bench.load.players import HANDS, Player
from bench.visitors import PATH, THINKING
from bench.visitors import Frame as ArenaFrame

ME, LOBBY = "/ws/me/", "/ws/lobby/"
#: What a user's own line says once the next opponent is known, and the addresses of tables.
MEETS, DUELS = "You meet ", "/duels/"
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


class MeFrame(Head):
    """A frame with a user's own affairs."""

    needs_you: list[dict[str, str]] = []


class Passenger(Player):
    """A player at a table of a Train."""

    def act(self, kind: str, phase: int, action: Mapping[str, Any] | msgspec.Raw) -> None:
        """Count the actions apart from those of other tables."""
        super().act("(Train)", phase, action)


class Rider(Client):
    """Somebody in a Train: goes to each table to which the user's own line calls."""

    read = msgspec.json.Decoder(MeFrame).decode

    def __init__(self, world: World, person: Person) -> None:
        super().__init__(world, person, ME)
        self._table: Passenger | None = None
        self._going: asyncio.Task[None] | None = None

    def look(self, frame: MeFrame) -> None:
        """Note when the next opponent is known, and sit at the next table."""
        for need in frame.needs_you:
            opponent = need["what"].removeprefix(MEETS)
            if opponent != need["what"]:
                self.world.counts.known.setdefault(f"{self.person.id} {opponent}", time.time())
            elif need["url"].startswith(DUELS):
                path = f"/ws/match/{need['url'].removeprefix(DUELS)}"
                if self._table is None or self._table.path != path:
                    self._sit(path)

    def _sit(self, path: str) -> None:
        if self._table is not None:
            self._table.close()
        self._table = Passenger(self.world, self.person, path, "duel")
        self._going = asyncio.create_task(self._table.open())


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
