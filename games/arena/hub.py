"""The arena hub: the arena's sockets in one web process, and the views sent to them."""

import asyncio
import logging
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from economy.selectors import settings_starting
from economy.tunables import TUNABLES
from games.arena import queries
from games.arena.batch import ArenaWork
from games.arena.guests import GUEST_LIMITS, Guests
from games.arena.presenters import OwnStats, Rivals, Standing, own, public, sees_choices
from games.arena.rules.actions import ArenaAction, Choose
from games.engine.errors import StaleAction
from games.matches.processing.submissions import SessionEnded
from games.realtime import protocol
from games.realtime.executors import Executor, Poller, remove_watcher
from games.realtime.limits import Bucket, LruDict, TooFast
from games.realtime.protocol import time_now
from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

#: The hub's name among the runners of a web process.
ARENA_HUB: Final = f"{__name__}.ArenaHub"
LOOP: Final = f"{__package__}.leader.LeaderLoop"
#: The topic of the arena's hints: a round has ended or begun, or a player has joined.
TOPIC: Final = "a"
#: Seconds between two reads of the players who are in; a new round is shown at once.
PAUSE: Final = 1.0
#: Seconds between two reads of the live choices, for players with that bonus.
LIVE_PAUSE: Final = 0.5
#: Users (or guests' sockets) in a portion; then other work gets its turn.
PORTION: Final = 20
#: With more than ``FEW`` portions the hub rests ``REST`` seconds after each, to leave the
#: interpreter to tables; all rests together take at most ``SPREAD`` seconds: a result must
#: arrive within 2 s.
REST, SPREAD, FEW = 0.003, 0.3, 5

#: The limits of a user's actions besides choices; with those of guests.
ACTION_LIMITS: Final = ("arena.actions_a_minute", "arena.actions_at_once")
LIMITS: Final = (*ACTION_LIMITS, *GUEST_LIMITS)
#: Seconds after a flood in which a user may not connect again: a handshake costs others more than
#: a frame.
FLOOD_REST: Final = 60.0


def rest_between(count: int) -> float:
    """Return the seconds to rest after each portion, given the number of users.
    >>> rest_between(40), rest_between(2000), rest_between(10_000)
    (0.0, 0.003, 0.0006)
    """
    portions = math.ceil(count / PORTION)
    return min(REST, SPREAD / portions) if portions > FEW else 0.0


class Visitor(Protocol):
    """One socket; ``user_id`` is None for a guest."""

    @property
    def user_id(self) -> int | None: ...

    def show(self, encoded: bytes, now: str, round_no: int) -> None:
        """Take the members ``arena`` and ``you`` of a frame."""


class ArenaHub(Poller):
    """All sockets to the arena in this process; the public part of a view is encoded once, each
    player's own part spliced beside it.
    """

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime.reads)
        self._runtime = runtime
        self.work = ArenaWork(self.changed)
        self._limits = {name: TUNABLES[name].default for name in LIMITS}
        self._allowances = LruDict(
            lambda: Bucket(self._limits[ACTION_LIMITS[0]] / 60, self._limits[ACTION_LIMITS[1]])
        )
        self._guests = Guests(self._limits)
        #: When a user and the log-in were closed as a flood.
        self._flooded: dict[int | str | None, float] = {}
        self.standing: Standing | None = None
        self._visitors: dict[int | None, set[Visitor]] = {}
        self._mine: dict[int, OwnStats] = {}
        self._public = b""
        self._new: set[int] = set()
        self._waiting: set[Visitor] = set()
        self._touched: set[int] = set()
        self._is_moved = False
        self._live = _Live(self, runtime.reads)

    @property
    def round_no(self) -> int:
        """The round under way as shown here, 0 for none."""
        standing = self.standing
        return standing.round_no if standing is not None and standing.is_selecting else 0

    @property
    def users(self) -> set[int]:
        return {user for user in self._visitors if user is not None}

    def start(self) -> None:
        super().start()
        self._live.start()

    async def stop(self) -> None:
        await self._live.stop()
        await super().stop()

    def hinted(self, topic: str, key: int | str) -> None:
        if topic == TOPIC:
            self.moved()

    def moved(self) -> None:
        """Reload everything: a round has ended or begun."""
        self._is_moved = True
        self._wanted.set()

    def enter(self, visitor: Visitor) -> None:
        """Add a socket; its first view is sent once it is loaded."""
        user = visitor.user_id
        self._visitors.setdefault(user, set()).add(visitor)
        self._waiting.add(visitor)
        if user is not None:
            self._new.add(user)
        self._wanted.set()

    def leave(self, visitor: Visitor) -> None:
        """Remove a socket, and its user with the last one."""
        user = visitor.user_id
        self._waiting.discard(visitor)
        self._guests.forget(visitor)
        if remove_watcher(self._visitors, user, visitor) and user is not None:
            self._mine.pop(user, None)

    def changed(self, round_no: int, mine: Mapping[int, OwnStats]) -> None:
        """Show players their new stats after a batch."""
        for user, each in mine.items():
            self._touched.add(user)
            if user not in self._visitors or self.standing is None:
                continue
            if round_no != self.standing.round_no:
                # The stats are of a round that is over, or not shown yet: read the current ones.
                self._new.add(user)
                self._wanted.set()
                continue
            known = self._mine.get(user)
            each.fought = known.fought if known else None
            self._mine[user] = each
            self.show(self._visitors[user])
        if self.round_no == 0 and any(each.is_in for each in mine.values()):
            # A player has joined a resting arena: wake the leader, here or in another process.
            self._runtime.runners[LOOP].wake()
            self._runtime.bus.publish([(TOPIC, 0, 0)])

    def count_action(self, user_id: int, action: ArenaAction) -> None:
        """Count an action other than a choice, over all the user's sockets here; raises TooFast."""
        if isinstance(action, Choose):
            return
        allowance = self._allowances.of(user_id)
        if not allowance.take():
            raise TooFast("too many at once, wait a moment", allowance.pause)

    def choose_as_guest(self, visitor: Visitor, address: str, action: Any, phase: int) -> None:
        """Take a guest's choice, which only this guest's socket is shown. Raises SessionEnded for
        any other action, StaleAction, action/no_rounds_left, TooFast.
        """
        if not isinstance(action, Choose):
            raise SessionEnded("log in to play")
        if self.standing is None:
            raise StaleAction("wait for the first view", round=0)
        self._guests.choose(visitor, address, action.move, phase, self.standing)
        self.show((visitor,))

    def note_flood(self, user_id: int | None, credential: str | None) -> None:
        """Note that a socket is closed as a flood; a guest, without log-in, is not noted."""
        now = time.monotonic()
        recent = {key: at for key, at in self._flooded.items() if at > now - FLOOD_REST}
        self._flooded = {**recent, user_id: now, credential: now}
        self._flooded.pop(None, None)

    def rests(self, key: int | str | None) -> bool:
        """Whether a user or log-in was closed as a flood less than ``FLOOD_REST`` seconds ago."""
        flooded_at = self._flooded.get(key)
        return flooded_at is not None and time.monotonic() - flooded_at < FLOOD_REST

    def view(self, visitor: Visitor) -> dict[str, Any] | None:
        """Return a socket's view, for typed commands; None before it is loaded."""
        if self.standing is None or visitor in self._waiting:
            return None
        arena = public(self.standing) | {"last": None}
        user = visitor.user_id
        return {"arena": arena, "you": None if user is None else self._own(user)}

    def granted(self) -> list[int]:
        """Return the users of this process who may see the live choices now."""
        standing = self.standing
        if standing is None or not standing.is_selecting:
            return []
        return [user for user, mine in self._mine.items() if sees_choices(standing, mine)]

    def show(self, visitors: Iterable[Visitor]) -> None:
        """Show the current view to sockets of one user, or of guests."""
        now, encoded = time_now(), None
        for visitor in tuple(visitors):
            if self.standing is None or visitor in self._waiting:
                continue
            if encoded is None:
                user = visitor.user_id
                if user is None:
                    you = b"null" + self._guests.encoded(visitor)
                else:
                    you = protocol.encode_view(self._own(user))
                encoded = self._public + b',"you":' + you
            visitor.show(encoded, now, self.standing.round_no)

    def show_users(self, users: Iterable[int]) -> None:
        for user in users:
            self.show(self._visitors.get(user, ()))

    def _own(self, user: int) -> dict[str, Any]:
        assert self.standing is not None
        live = self._live.shown_to(user, self.standing.round_no)
        return own(self.standing, self._mine.get(user), live)

    async def _refresh(self) -> None:
        while True:
            await self._wait(PAUSE)
            if not self._visitors:
                self.standing = None
                continue
            try:
                await self._look()
            except Exception:
                log.exception("the arena's view could not be sent")
                await asyncio.sleep(PAUSE)

    async def _look(self) -> None:
        """Read the arena and the stats that may have changed, and show them to affected users."""
        is_moved, self._is_moved = self._is_moved or self.standing is None, False
        self._touched.clear()
        waiting, new = set(self._waiting), set(self._new)
        users = self.users if is_moved else new
        known = None if self.standing is None else self.standing.rivals
        standing, mine, limits = await self._executor.run(_read, users, known)
        if limits != self._limits:
            self._limits = limits
            self._allowances.clear()
            self._guests.limit(limits)
        self._new -= new
        # The stats of users who acted meanwhile are newer than those read.
        self._new |= self._touched & users
        self._mine.update(
            {user: each for user, each in mine.items() if user not in self._touched or is_moved}
        )
        self.standing = standing
        self._guests.judge(standing)
        encoded = b'"arena":' + protocol.encode_view(public(standing))
        is_changed, self._public = encoded != self._public, encoded
        self._waiting -= waiting
        if self._new:
            self._wanted.set()
        if is_changed or is_moved:
            await self._fan_out(list(self._visitors))
        else:
            await self._fan_out([*new, *({None} if waiting else ())])

    async def _fan_out(self, users: Sequence[int | None]) -> None:
        """Show the current view to these users, a portion at a time."""
        rest = rest_between(len(users))
        for first in range(0, len(users), PORTION):
            for user in users[first : first + PORTION]:
                visitors = self._visitors.get(user, ())
                if user is not None:
                    self.show(visitors)
                    continue
                for number, guest in enumerate(tuple(visitors), 1):
                    self.show((guest,))
                    if number % PORTION == 0:
                        await asyncio.sleep(0)
            await asyncio.sleep(rest)


def _read(
    users: set[int], known: Rivals | None
) -> tuple[Standing, dict[int, OwnStats], dict[str, int]]:
    standing = queries.read_standing(known)
    mine = queries.read_own_stats(standing, users) if users else {}
    limits = settings_starting("arena.")
    return standing, mine, {name: limits[name] for name in LIMITS}


class _Live(Poller):
    """The live choices of the round under way, for players with that bonus."""

    def __init__(self, arena_hub: ArenaHub, executor: Executor) -> None:
        super().__init__(executor)
        self._arena_hub = arena_hub
        self._round_no = 0
        self._shown: dict[str, Any] | None = None
        self._recorded: set[int] = set()

    def shown_to(self, user: int, round_no: int) -> dict[str, Any] | None:
        """Return the live choices of this round; None for a user without a recorded grant."""
        is_recorded = round_no == self._round_no and user in self._recorded
        return self._shown if is_recorded else None

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(LIVE_PAUSE)
            try:
                await self._look()
            except Exception:
                log.exception("the live choices could not be sent")

    async def _look(self) -> None:
        granted, round_no = set(self._arena_hub.granted()), self._arena_hub.round_no
        if round_no != self._round_no:
            self._round_no, self._shown, self._recorded = round_no, None, set()
        if not granted:
            return
        new = granted - self._recorded
        found = await self._executor.run(queries.read_live, round_no, sorted(new))
        self._recorded |= new
        if round_no == self._arena_hub.round_no and (new or found != self._shown):
            self._shown = found
            self._arena_hub.show_users(granted & self._recorded)
