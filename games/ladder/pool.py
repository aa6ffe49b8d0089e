"""The pool: the programs that are connected, and their matches, in the memory of the web process
that holds the lease. A killed process loses its matches; their programs are paired again.
"""

import asyncio
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import msgspec
from django.db import transaction

from economy.selectors import settings_starting, with_defaults
from economy.tunables import Tunable
from games.ladder import LABEL, results
from games.ladder.house import HOUSE
from games.ladder.models import Entrant, Pooled
from games.ladder.rules import match as rules
from games.ladder.rules.match import HANDS, LadderMatch, Reason
from games.ladder.rules.pairing import LastDay, Pace, Pair, Waiting, pairs
from games.matches.models.matches import new_public_id
from games.realtime.executors import Executor, Poller
from games.realtime.leases import moment, new_holder
from games.realtime.limits import Bucket
from games.realtime.protocol import Close
from games.realtime.runtime import Runtime
from games.realtime.view_socket import later

if TYPE_CHECKING:
    from games.ladder.consumer import LadderConsumer

log = logging.getLogger(__name__)

#: The pool's name among the runners of a web process.
POOL: Final = f"{__name__}.Pool"
PAUSE: Final = 1.0
#: Seconds that a throw above the limit waits.
LATER: Final = 0.02
#: Seconds that a process which ends leaves to matches.
FAREWELL: Final = 60.0
QUOTED: Final = tuple(f'"{hand}"' for hand in HANDS)
NUMBERS: Final = (
    Tunable("ladder.open", 1, 0, 1, "programs are paired on the ladder; 0: closed"),
    Tunable("ladder.hourly", 30, 1, 10_000, "matches of a program in an hour"),
    Tunable("ladder.daily", 300, 1, 100_000, "matches of a program in a day"),
    Tunable("ladder.rest", 5, 0, 3_600, "between two matches of a program", "s"),
    Tunable("ladder.throws", 5_000, 1, 1_000_000, "throws of a process in a second"),
    Tunable("ladder.days_kept", 30, 1, 3_650, "days for which hands are kept, then in a file"),
    Tunable("ladder.programs", 5, 1, 1_000, "programs of one network address at once"),
)


def numbers() -> Iterator[tuple[str, Tunable]]:
    return (("Ladder", number) for number in NUMBERS)


class HouseSide:
    """A side of a match as a socket is one: a program of the house, which thinks in the loop."""

    trip = 0.0

    def __init__(self, name: str, seed: str) -> None:
        self.name, self._thrower = name, HOUSE[name](Random(seed))

    def begin(self, game: "Game", seat: int) -> None:
        self._game, self._seat = game, seat

    def ask(self, no: int, mine: str, theirs: str) -> None:
        last = None if no == 1 else (QUOTED.index(mine), QUOTED.index(theirs))
        hand = next(self._thrower) if last is None else self._thrower.send(last)
        self._game.answer(self._seat, HANDS[hand])

    def end(self, told: Mapping[str, Any] | None) -> None:
        """Do nothing."""


Side: TypeAlias = "LadderConsumer | HouseSide"


class Game:
    """A match under way between two sides."""

    def __init__(
        self,
        pool: "Pool",
        pair: Pair,
        sides: "tuple[LadderConsumer, Side]",
        seed: str,
    ) -> None:
        self._pool, self.pair, self.sides, self.seed = pool, pair, sides, seed
        self.public_id, self.may_rate = new_public_id(), False
        self.match = LadderMatch(time.monotonic(), rules.THROWS)

    def begin(self) -> None:
        for seat, side in enumerate(self.sides):
            side.begin(self, seat)
        self._ask()

    def answer(self, seat: int, hand: object) -> None:
        at = time.monotonic()
        if self.match.answer(seat, hand, at, self.sides[seat].trip):
            self._go_on()

    def give_up(self, seat: int, reason: Reason) -> None:
        if self.match.reason is None:
            self.match.give_up(seat, reason, time.monotonic())
            self._go_on()

    def look(self) -> None:
        is_over = self.match.reason is not None
        if not is_over and self.match.look(time.monotonic(), [s.trip for s in self.sides]):
            self._go_on()

    def _go_on(self) -> None:
        if self.match.reason is None:
            self._ask()
        else:
            self._pool.ended(self)

    def _ask(self) -> None:
        match = self.match
        if match.reason is not None:
            return
        if not self._pool.throws.take():
            asyncio.get_running_loop().call_later(LATER, self._ask)
            return
        first = second = "null"
        if no := match.played:
            first, second = (QUOTED[hands[-1]] for hands in match.hands)
        match.ask(time.monotonic())
        self.sides[0].ask(no + 1, first, second)
        self.sides[1].ask(no + 1, second, first)

    def told(self, seat: int, changes: Sequence[results.Change]) -> dict[str, Any]:
        """Return the result for a seat."""
        wins, losses = self.match.wins[seat], self.match.wins[1 - seat]
        forfeit, mine = self.match.forfeit, {seat: "you", 1 - seat: "opponent"}
        return {
            "match": self.public_id,
            "wins": wins,
            "losses": losses,
            "ties": self.match.played - wins - losses,
            "reason": self.match.reason,
            "forfeit": None if forfeit is None else mine[forfeit],
            "rating": results.rating_told(changes, seat),
        }


#: Why a socket of the ladder is closed -> its code.
CLOSES: Final[Mapping[str, Close]] = {
    "forbidden": Close.BANNED,
    "in_match": Close.TOO_MANY_SOCKETS,
    "replaced": Close.TOO_MANY_SOCKETS,
    "too_many": Close.TOO_MANY_SOCKETS,
    "elsewhere": Close.RESTART,
    "draining": Close.RESTART,
}


class Begun(NamedTuple):
    """A pair; ``house`` is the name of a program of the house, "" for another program."""

    pair: Pair
    house: str
    may_rate: bool


class Pool(Poller):
    """The pool of this process; its ticks and writes run in one thread of their own."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(Executor(LABEL, 1))
        self._runtime = runtime
        self.name = new_holder()
        self.entered: dict[int, LadderConsumer] = {}
        self.games: dict[str, Game] = {}
        self.numbers = with_defaults({}, "ladder.")
        self.throws = Bucket(0, 0)
        self._pace_throws()
        self._is_leading = False
        self._drains_at: float | None = None
        # Only the thread of the executor uses these.
        self._lately = LastDay()
        self._live = ""

    def _pace_throws(self) -> None:
        rate = self.numbers["ladder.throws"]
        if rate != self.throws.rate:
            self.throws = Bucket(rate, max(1, rate / 10))

    def enter(self, program: "LadderConsumer") -> str:
        """Take a socket in; return why not, "" if so. It takes the place of the former one."""
        user = program.waiting.user
        former = self.entered.get(user)
        if former is not None and former.game is not None:
            return "in_match"
        others = [one for one in self.entered.values() if one is not former]
        most = self.numbers["ladder.programs"]
        if sum(one.network == program.network for one in others) >= most:
            return "too_many"
        if former is not None:
            former.dismiss("replaced")
        self.entered[user] = program
        self._wanted.set()
        return ""

    def leave(self, program: "LadderConsumer") -> None:
        if self.entered.get(program.waiting.user) is program:
            del self.entered[program.waiting.user]

    def ended(self, game: Game) -> None:
        del self.games[game.public_id]
        later(self._end(game))

    async def stop(self) -> None:
        """Drop the matches, and let another process have the pool."""
        await super().stop()
        self._drop()
        await asyncio.sleep(0)
        if self._is_leading:
            await self._executor.run(lambda: Pooled.release(LABEL, self.name, moment()))
        await asyncio.get_running_loop().run_in_executor(None, self._executor.close)

    async def _refresh(self) -> None:
        while True:
            await self._wait(PAUSE)
            try:
                await self._step()
            except Exception:
                log.exception("a tick of the ladder failed")
                await asyncio.sleep(PAUSE)

    async def _step(self) -> None:
        for game in tuple(self.games.values()):
            game.look()
        for program in self.entered.values():
            program.ping()
        if not self.entered and not self.games:
            if self._is_leading:
                self._is_leading = False
                await self._executor.run(lambda: Pooled.release(LABEL, self.name, moment()))
            return
        waiting = [one.waiting for one in self._free()]
        if self._runtime.hub.is_closing:
            self._drain()
            waiting = []
        rows = [
            [*(side.name for side in game.sides), game.match.played, *game.match.wins]
            for game in self.games.values()
        ]
        live = msgspec.json.encode(rows).decode()
        found = await self._executor.run(self._tick, waiting, live)
        self._is_leading = found is not None
        self._pace_throws()
        if found is None:
            self._drop()
            for program in tuple(self.entered.values()):
                program.dismiss("elsewhere")
            return
        for begun in found:
            self._begin(begun)

    def _free(self) -> "list[LadderConsumer]":
        return [
            one
            for one in self.entered.values()
            if one.is_ready and one.game is None and not one.is_closing
        ]

    def _tick(self, waiting: Sequence[Waiting], live: str) -> list[Begun] | None:
        """Renew the lease and return the next pairs; None when another process has the pool."""
        at = moment()
        with transaction.atomic():
            gap = Pooled.take(LABEL, self.name, at)
            if gap is None:
                return None
            if live != self._live:
                Pooled.objects.filter(name=LABEL).update(live=live)
                self._live = live
        if gap or not self._is_leading:
            self._lately = results.read_lately(at)
        self.numbers, now = settings_starting("ladder."), at.timestamp()
        pace = Pace(*(self.numbers[f"ladder.{name}"] for name in ("hourly", "daily", "rest")))
        self._lately.forget(now)
        may = [one for one in waiting if self._lately.may_play(one.user, now, pace)]
        if not may or not self.numbers["ladder.open"]:
            return []
        house = {row.pk: row for row in results.house_entrants()}
        ours = [results.waiting_of(row) for row in house.values()]
        return [
            Begun(
                pair, house[pair[1]].name if pair[1] in house else "", self._lately.may_rate(pair)
            )
            for pair in pairs(may, ours, self._lately.met, time.monotonic())
        ]

    def _begin(self, begun: Begun) -> None:
        """Begin a match, unless a program has left meanwhile."""
        free = {one.waiting.user: one for one in self._free()}
        first, second = (free.get(user) for user in begun.pair)
        seed = token_hex(8) if begun.house else ""
        other: Side | None = HouseSide(begun.house, seed) if begun.house else second
        if first is None or other is None:
            return
        game = Game(self, begun.pair, (first, other), seed)
        game.may_rate = begun.may_rate and (second is None or second.network != first.network)
        self.games[game.public_id] = game
        game.begin()

    async def _end(self, game: Game) -> None:
        """Store a match that counts, and tell both sides."""
        changes: list[results.Change] | None = None
        if game.match.counts:
            try:
                changes = await self._executor.run(self._store, game)
            except Exception:
                log.exception("a match of the ladder could not be stored")
        for seat, side in enumerate(game.sides):
            side.end(None if changes is None else game.told(seat, changes))
            if changes and (program := self.entered.get(game.pair[seat])) is not None:
                old = program.waiting
                program.waiting = old._replace(mu=changes[seat][2], rated=old.rated + 1)

    def _store(self, game: Game) -> list[results.Change]:
        at = moment()
        changes = results.store(game, at)
        self._lately.add(game.pair, at.timestamp(), bool(changes))
        return changes

    def _drain(self) -> None:
        now = time.monotonic()
        self._drains_at = self._drains_at or now + FAREWELL
        if now >= self._drains_at:
            self._drop()

    def _drop(self) -> None:
        for game in self.games.values():
            game.match.reason = Reason.DROPPED
            for side in game.sides:
                side.end(None)
        self.games.clear()


def note_source(entrant: int, source: str) -> None:
    Entrant.objects.filter(pk=entrant).update(source=source)
