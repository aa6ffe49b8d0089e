"""Nights of people and bots who act at moments alike for every role, and all that others get."""

import asyncio
import contextlib
import itertools
import json
import random
import re
import time
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.boot import PATIENCE
from tests.faults.pages import Pages
from tests.faults.rig import Rig, Web

#: Number of towns with a night at the same time.
AT_ONCE: Final = 20
NIGHT_ROLES: Final = frozenset({"doctor", "sheriff", "mafioso", "agent"})
#: Seconds: the phase, when people act in it, and when the one acts who is late.
PHASE, EARLY, LATE = 60, (1.2, 9.0), (10.5, 18.5)
#: How often somebody is late, and how often a socket breaks off and comes again.
IS_LATE, COMES_ANEW = 0.3, 0.3
#: Seconds between two questions for the time, and about that between two pages.
ASKS_EVERY, LOOKS_EVERY = 0.25, 2.0
PAGES: Final = ("/mafia/{}/", "/mafia/{}/votes/", "/mafia/{}/posts/town/", "/tables/{}/log.json")
#: What a page draws again for each answer.
PASSING: Final = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]+"|nonce="[^"]+"|"now": ?"[^"]+"'
)
_numbers = itertools.count(1)


class Heard(NamedTuple):
    """Something that arrived: when, in seconds since the epoch, how many bytes, what kind."""

    at: float
    size: int
    kind: str = "page"
    took: float = 0.0


class Line:
    def __init__(self, web: Web, path: str, cookie: str | None = None) -> None:
        self.web, self.path, self.cookie = web, path, cookie
        self.heard: list[Heard] = []
        self.sent: list[Heard] = []
        self.refusals: set[int] = set()
        self.view: dict[str, Any] = {}
        self._news = asyncio.Event()
        self.asked = 0.0

    async def open(self) -> Self:
        self._socket: ClientConnection = await connect(
            f"ws://{self.web.address}{self.path}",
            origin=f"http://{self.web.address}",  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookie} if self.cookie else {},
            compression=None, ping_interval=None, proxy=None, max_queue=None,
            open_timeout=PATIENCE, close_timeout=1,
        )  # fmt: skip
        known = len(self.heard)
        self._reader = asyncio.create_task(self._read())
        await self.until(lambda: len(self.heard) > known)
        return self

    async def until(self, found: Any) -> None:
        async with asyncio.timeout(2 * PATIENCE):
            while not found():
                self._news.clear()
                await self._news.wait()

    async def send(self, **frame: Any) -> None:
        text = json.dumps(frame)
        self.sent.append(Heard(time.time(), len(text), frame["type"]))
        await self._socket.send(text)

    async def act(self, **action: Any) -> None:
        frame_id = f"night-{next(_numbers):08d}"
        await self.send(id=frame_id, type="act", phase=1, action=action)

    async def be_refused(self, **action: Any) -> float:
        known = len(self.heard)
        await self.act(**action)
        await self.until(lambda: any(each.kind == "error" for each in self.heard[known:]))
        refusal = next(each for each in self.heard[known:] if each.kind == "error")
        self.refusals.add(refusal.size)
        return refusal.at - self.sent[-1].at

    async def leave(self) -> None:
        with contextlib.suppress(Exception):
            await self._socket.close()
        await asyncio.gather(self._reader, return_exceptions=True)

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in self._socket:
                at, frame = time.time(), json.loads(text)
                took = at - self.asked if frame["type"] == "now" else 0.0
                self.heard.append(Heard(at, len(text), frame["type"], took))
                self.view = frame.get("view", self.view)
                self._news.set()


@dataclass
class Town:
    """One town and its night: who listens to it, what they heard, and what was so."""

    number: int
    lines: list[Line]
    spectator: Line
    lobby: Line
    pages: list[Heard] = field(default_factory=list)
    #: One who has no night action and does nothing but check in, by seat, and their own affairs.
    listener: int | None = None
    affairs: Line | None = None
    told: dict[str, Any] = field(default_factory=dict)

    def is_over(self) -> bool:
        return (self.spectator.view["game"] or {}).get("stage") != "night"


class Gathered(NamedTuple):
    """A town that has begun: its table, its people, and their sockets with a spectator's last."""

    table: dict[str, Any]
    people: list[dict[str, Any]]
    lines: list[Line]


class Nights:
    def __init__(self, rig: Rig) -> None:
        #: Who gathers towns, and who does what must not wait for that: a seat is kept for a minute.
        self._gatherer, self._hurrier = rig.hand, rig.another_hand()
        self.webs = [rig.web(), rig.web()]
        self.towns: list[Town] = []

    async def listen(self, count: int) -> None:
        """Run this many nights, and listen; a town without a plain citizen does not count."""
        numbers = itertools.count()
        while len(self.towns) < count:
            lobby = await Line(self.webs[0], "/ws/lobby/").open()
            some = itertools.islice(numbers, min(AT_ONCE, count - len(self.towns)))
            towns = await asyncio.gather(*(self._town(no, lobby) for no in some))
            self.towns += [town for town in towns if town.listener is not None]
            await lobby.leave()
            print(f"  {len(self.towns)} nights", end="\r", flush=True)

    async def _hand(self, name: str, **given: Any) -> Any:
        hand = self._gatherer if name in ("people", "gather_town") else self._hurrier
        return await asyncio.to_thread(lambda: hand(name, **given))

    async def ask_in_vain(self, count: int) -> dict[str, list[float]]:
        """Try forbidden choices this often; return the milliseconds of each refusal."""
        small = await self._gathered("small", 5, 0, [self.webs[0]])
        large = await self._gathered("large", 9, 0, [self.webs[0]])
        who = {
            "a citizen of 5": _of_role(small, "citizen"),
            "a citizen of 9": _of_role(large, "citizen"),
            "the detective of 9": _of_role(large, "detective"),
        }
        taken: dict[str, list[float]] = {name: [] for name in who}
        for _ in range(count):
            for name, line in who.items():
                taken[name].append(1000 * await line.be_refused(kind="choose", target=0))
        sizes = {size for line in who.values() for size in line.refusals}
        assert len(sizes) == 1, f"a refusal tells something by its size: {sizes}"
        for gathered in (small, large):
            await self._part(gathered)
        return taken

    async def _town(self, number: int, lobby: Line) -> Town:
        chance = random.Random(number)
        size, bots = 5 + number % 5, chance.randrange(3)
        webs = [chance.choice(self.webs) for _ in range(size)]
        gathered = await self._gathered(f"n{number:05d}", size, bots, webs)
        *lines, spectator = gathered.lines
        town = Town(number, lines, spectator, lobby)
        await self._night(town, gathered, chance)
        town.told = await self._hand("night", match=gathered.table["pk"])
        await self._part(gathered)
        if town.affairs is not None:
            await town.affairs.leave()
        return town

    async def _gathered(self, name: str, size: int, bots: int, webs: list[Web]) -> Gathered:
        """Begin a town's first night; everybody, and a spectator after them, has a socket."""
        names = [f"{name}s{seat}" for seat in range(size - bots)]
        people = await self._hand("people", names=names)
        users = [person["id"] for person in people]
        table = await self._hand("gather_town", users=users, bots=bots, phase_seconds=PHASE)
        path, seats = f"/ws/match/{table['public_id']}/", itertools.cycle(webs)
        cookies = [*(person["cookie"] for person in people), None]
        lines = [Line(next(seats), path, cookie) for cookie in cookies]
        await asyncio.gather(*(line.open() for line in lines))
        ready = {"kind": "ready", "configuration": 1}
        await self._hand("do", match=table["pk"], user=users[-1], action=ready)
        await asyncio.gather(*(line.until(lambda line=line: line.view["game"]) for line in lines))
        return Gathered(table, people, lines)

    async def _part(self, gathered: Gathered) -> None:
        await self._hand("call_off", public_id=gathered.table["public_id"])
        await asyncio.gather(*(line.leave() for line in gathered.lines))

    async def _night(self, town: Town, gathered: Gathered, chance: random.Random) -> None:
        began, people = time.time(), gathered.people
        roles = [line.view["game"]["you"]["role"] for line in town.lines]
        plain = [seat for seat, role in enumerate(roles) if role not in NIGHT_ROLES]
        if plain:
            town.listener = chance.choice(plain)
            web = chance.choice(self.webs)
            town.affairs = Line(web, "/ws/me/", people[town.listener]["cookie"])
            await asyncio.gather(town.affairs.open(), town.lines[town.listener].act(kind="done"))
        others = [seat for seat in range(len(people)) if seat != town.listener]
        late = chance.choice(others) if chance.random() < IS_LATE else None
        look = self._look(town, gathered, chance)
        aside = [asyncio.create_task(work) for work in (_ask(town), look)]
        await asyncio.gather(
            *(_act(town, seat, began, random.Random(chance.random()), seat == late)
              for seat in others)
        )  # fmt: skip
        await town.spectator.until(town.is_over)
        for task in aside:
            task.cancel()
        await asyncio.gather(*aside, return_exceptions=True)

    async def _look(self, town: Town, gathered: Gathered, chance: random.Random) -> None:
        """Fetch pages as a guest; a page's size counts only as far as it differs from before."""
        pages, name = Pages(self.webs[town.number % 2].address), gathered.table["public_id"]
        known: dict[str, str] = {}
        while True:
            await asyncio.sleep(chance.uniform(0, 2 * LOOKS_EVERY))
            path, asked = chance.choice(PAGES).format(name), time.time()
            _, body = await asyncio.to_thread(pages.get, path)
            body, at = PASSING.sub("", body), time.time()
            differs = abs(len(body) - len(known.get(path, body))) + (known.get(path, body) != body)
            known[path] = body
            town.pages.append(Heard(at, differs, took=at - asked))


def _of_role(gathered: Gathered, role: str) -> Line:
    people = gathered.lines[:-1]
    return next(line for line in people if line.view["game"]["you"]["role"] == role)


async def _ask(town: Town) -> None:
    while True:
        # The answer says how busy the site is.
        town.spectator.asked = time.time()
        await town.spectator.send(type="seen", revision=0)
        await asyncio.sleep(ASKS_EVERY)


async def _act(town: Town, seat: int, began: float, chance: random.Random, is_late: bool) -> None:
    line = town.lines[seat]
    may_choose = line.view["game"]["you"]["role"] in NIGHT_ROLES
    moments = sorted(chance.uniform(*EARLY) for _ in range(chance.randint(1, 4)))
    moments += [chance.uniform(*LATE)] if is_late else []
    anew_at = chance.randrange(len(moments)) if chance.random() < COMES_ANEW else None
    is_done = False
    for no, moment in enumerate(moments):
        await asyncio.sleep(max(0.0, began + moment - time.time()))
        if no == len(moments) - 1:
            await line.act(kind="done")
        elif may_choose and chance.random() < 0.5:
            await line.act(kind="choose", target=chance.randrange(len(town.lines)))
        else:
            is_done = not is_done
            await line.act(kind="done" if is_done else "undone")
        if no == anew_at:
            await asyncio.sleep(chance.uniform(0, 0.5))
            await line.leave()
            await line.open()
