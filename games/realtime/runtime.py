"""The runtime of a web process: batch writer, hub, bus, timers, sweeper, heartbeat."""

import asyncio
import logging
import random
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future
from typing import Any, Final

from django.conf import settings
from django.db.models import BigIntegerField

from economy.parts import given
from economy.sql import Compiled, GivenMany
from games.matches.models import Match, Seat
from games.matches.processing import outage, repair, store
from games.matches.processing.status import EVERY, note_working
from games.matches.processing.submissions import Answer, BatchResult
from games.matches.queries import selectors
from games.posts import chat
from games.proofs.commitments import sequence
from games.realtime.batch_writer import BatchWriter
from games.realtime.bus import Bus, Hint
from games.realtime.clocks import Timers, WallClock
from games.realtime.executors import Executor, checkpoint
from games.realtime.feeds import Lobby, UserFeed
from games.realtime.hub import Hub
from games.realtime.limits import ChatLimits
from games.realtime.presence import keep_online, keep_presence
from games.realtime.protocol import Close
from games.realtime.sessions import ended, name_of
from games.realtime.socket_registry import LIVENESS, SocketRegistry, close_in_portions, give_time

log = logging.getLogger(__name__)

COMPARE, SWEEP, LOG, RECHECK, ONLINE = 1.5, 1.0, 1.0, 30.0, 20.0
#: Seconds to postpone clocks, and for the batch under way and the queue, when the process ends.
LAST_POSTPONED = 1.0
LAST_BATCHES = 2.0
#: Seconds for sockets to send their close frames.
CLOSING = 0.1


class Runtime:
    """All live parts of one web process."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.reads = Executor("read", 4)
        self.clock = Executor("clock", 1)
        self.lobby = Lobby(self.reads)
        self.user_feed = UserFeed(self.reads)
        #: The runners of other applications, by dotted name.
        self.runners: dict[str, Any] = {
            f"{runner.__module__}.{runner.__name__}": runner(self) for runner in given("runners")
        }
        self.writer = BatchWriter(self.loop, self._published)
        self.timers = Timers(self.loop, self.writer.wake)
        self.hub = Hub(self.reads, self.timers.watch)
        self.bus = Bus(settings.HINT_BUS_URL, self._hinted, self._look_everywhere)
        self.sockets = SocketRegistry()
        #: Clocks could not be postponed before their sockets close: the end is an outage.
        self.owes_time = False
        self.chat_limits = ChatLimits()
        self._wall_clock = WallClock()
        self._login_number = 0
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def _parts(self) -> list[Any]:
        return [self.hub, self.lobby, self.user_feed, *self.runners.values(), self.bus]

    async def start(self) -> None:
        """Write the first heartbeat, then start all parts."""
        await self.clock.run(outage.open_process)
        for part in (self.writer, *self._parts):
            part.start()
        regular = [(self._tend, COMPARE), (self._sweep, SWEEP), (self._recheck, RECHECK)]
        regular += [(self._log_commitments, LOG), (self._note_working, EVERY)]
        regular += [(self.sockets.check_liveness, LIVENESS), (self._note_online, ONLINE)]
        self._tasks = [asyncio.create_task(self._repeat(*each)) for each in regular]

    async def stop(self) -> None:
        """Finish the batches under way, acknowledge them, close all sockets with 4412, and end."""
        self.hub.is_closing = True
        try:
            async with asyncio.timeout(LAST_POSTPONED):
                await give_time(self, self.hub.rooms)
        except Exception as problem:
            log.warning("clocks could not be postponed: %s", type(problem).__name__)
            self.owes_time = True
        await asyncio.get_running_loop().run_in_executor(None, self.writer.stop, LAST_BATCHES)
        await self.clock.run(store.write_all_checkpoints)
        await asyncio.sleep(0)
        for socket in self.sockets:
            socket.close(Close.RESTART)
        for task in self._tasks:
            task.cancel()
        self.timers.stop()
        await asyncio.sleep(CLOSING)
        for part in self._parts:
            await part.stop()
        if not self.owes_time:
            await self.clock.run(outage.close_process)
        for executor in (self.reads, self.clock):
            await self.loop.run_in_executor(None, executor.close)

    def wake_and_wait(self, match_id: int, patience: float) -> None:
        """From another thread: fire a passed deadline, and wait at most ``patience`` seconds."""
        submissions = repair.wakes([match_id])
        if not submissions:
            return
        waiting: Future[None] = Future()
        for submission in submissions[:-1]:
            self.writer.submit(submission, _ignore)
        self.writer.submit(submissions[-1], lambda _answer: waiting.set_result(None))
        try:
            waiting.result(patience)
        except TimeoutError:
            log.info("a page stopped waiting for a clock")

    def end_session(self, session_key: str) -> None:
        """Close the sockets of a session that ended, here and elsewhere; from any thread."""
        self.loop.call_soon_threadsafe(self._end_session, name_of(session_key))
        hint: Hint = ("x", name_of(session_key), 1)
        self.loop.call_soon_threadsafe(self.bus.publish, [hint])

    def revoke_user(self, user_id: int) -> None:
        """Recheck all sockets of a user, here and elsewhere; from any thread."""
        self.loop.call_soon_threadsafe(self._revoke_user, user_id)
        hint: Hint = ("b", user_id, 1)
        self.loop.call_soon_threadsafe(self.bus.publish, [hint])

    def users_changed(self, user_ids: Iterable[int]) -> None:
        """Reload users' feeds, here and in other processes; from the loop."""
        self.user_feed.look_again(user_ids)
        self.bus.publish([("u", user_id, 1) for user_id in user_ids])

    def _published(self, result: BatchResult) -> None:
        self.hub.publish(result.snapshots)
        self.lobby.look_again()
        if result.moved_points:
            for snap in result.snapshots.values():
                self.user_feed.look_again(snap.people)
        else:
            self.user_feed.moved_on(result.snapshots.values())
        hints: list[Hint] = [("m", pk, snap.no) for pk, snap in result.snapshots.items()]
        self.bus.publish([*hints, ("l", 0, 1)])

    def _hinted(self, hints: list[Hint]) -> None:
        for topic, key, _number in hints:
            if topic == "m":
                self.hub.look_again([int(key)])
                self.user_feed.match_changed(int(key))
            elif topic == "u":
                self.user_feed.look_again([int(key)])
            elif topic == "p":
                self._tasks.append(asyncio.create_task(self._fetch_posts([int(key)])))
            elif topic == "l":
                self.lobby.look_again()
            elif topic == "x":
                self._end_session(str(key))
            elif topic == "b":
                self._revoke_user(int(key))
            else:
                for runner in self.runners.values():
                    runner.hinted(topic, key)

    def _look_everywhere(self) -> None:
        self.hub.look_again(list(self.hub.rooms))
        self.lobby.look_again()

    async def _tend(self) -> None:
        """Write heartbeat and presence, and compare all rooms with the database."""
        rooms = {pk: room for pk, room in self.hub.rooms.items() if room.snapshot}
        here = {pk: {**room.viewers().here, "there": room.there()} for pk, room in rooms.items()}
        elsewhere = await self.clock.run(keep_presence, here)
        self.hub.set_elsewhere(elsewhere)
        held = list(self.hub.rooms)
        if held:
            numbers = await self.reads.run(selectors.numbers, held)
            await self._fetch_posts(self.hub.compare(numbers))
        # Resume a stalled clock once a player's socket is back.
        back = [
            pk
            for pk, room in self.hub.rooms.items()
            if room.snapshot and room.snapshot.match.stalled_at and room.viewers().here["seats"]
        ]
        for submission in await self.reads.run(repair.resume, back) if back else ():
            self.writer.submit(submission, _ignore)

    async def _note_online(self) -> None:
        if self.user_feed.watchers:
            await self.clock.run(keep_online, sorted(self.user_feed.watchers))

    async def _note_working(self) -> None:
        names = ["web", "database", *(["redis"] if self.bus.is_listening else [])]
        await self.reads.run(note_working, names)

    async def _fetch_posts(self, match_ids: Sequence[int]) -> None:
        for match_id in match_ids:
            room = self.hub.rooms.get(match_id)
            if room is not None and room.last_post is not None:
                self.hub.post(match_id, await self.reads.run(chat.lines, match_id, room.last_post))

    async def _sweep(self) -> None:
        self._wall_clock.look()
        self.writer.keep_beating()
        # Query outside the batch writer: usually nothing is due, and actions need not wait.
        is_anything_due, is_untidy, login_number = await self.clock.run(repair.due_check)
        if is_anything_due or is_untidy:
            self.writer.sweep(is_untidy)
        if login_number != self._login_number:
            # Any process may have ended a log-in, with or without a hint.
            await self._recheck()
            self._login_number = login_number
        await self.reads.run(checkpoint)

    async def _log_commitments(self) -> None:
        await self.reads.run(sequence)

    async def _recheck(self) -> None:
        """Close sockets whose sessions are no longer valid; one query for all sockets."""
        stamps = {socket.stamp for socket in self.sockets if socket.stamp is not None}
        gone = await self.reads.run(ended, stamps)
        for socket in self.sockets:
            if socket.stamp in gone:
                socket.close(Close.SESSION_ENDED)

    def _end_session(self, name: str) -> None:
        for socket in self.sockets:
            if socket.stamp is not None and name_of(socket.stamp.session_key) == name:
                socket.close(Close.SESSION_ENDED)

    def _revoke_user(self, user_id: int) -> None:
        if self.sockets.of_user(user_id):
            self._tasks.append(asyncio.create_task(self._recheck()))

    async def _repeat(self, work: object, pause: float) -> None:
        """Run ``work`` every ``pause`` seconds, up to a fifth earlier or later; log failures."""
        while True:
            try:
                await work()  # type: ignore[operator]
            except Exception:
                log.exception("%s failed", getattr(work, "__name__", work))
            self._tasks = [task for task in self._tasks if not task.done()]
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))


#: The runtime of this process, if it is a web process.
_running: list[Runtime] = []


def current() -> Runtime | None:
    """Return this process's runtime; None in workers, commands and most tests."""
    return _running[0] if _running else None


async def start() -> None:
    _running[:] = [Runtime()]
    await _running[0].start()


async def drain() -> None:
    """Close this process's sockets over ``DRAIN_SECONDS``, if another process can take them."""
    if not _running or settings.DRAIN_SECONDS <= 0:
        return
    if await _running[0].clock.run(outage.is_alone):
        log.info("no other web process is alive: the sockets close at once")
    else:
        await close_in_portions(_running[0], settings.DRAIN_SECONDS)


async def stop() -> None:
    if _running:
        await _running[0].stop()
        _running.clear()


def end_session(session_key: str, **options: Any) -> None:
    """Receive ``session_ended``."""
    if (running := current()) is not None:
        running.end_session(session_key)


def revoke_user(user_id: int, **options: Any) -> None:
    """Receive ``user_revoked`` and ``token_revoked``."""
    if (running := current()) is not None:
        running.revoke_user(user_id)
        # Free a banned user's seat without waiting for the worker.
        running.writer.sweep()


_MATCHES: Final = GivenMany("matches", BigIntegerField())
_TOLD: Final = Compiled(
    lambda: Match.objects.filter(pk__in=_MATCHES).values_list("pk", "action_count", "invited_id")
)
_SITTERS: Final = Compiled(lambda: Seat.objects.filter(match__in=_MATCHES).values_list("user_id"))


def tell(matches: Collection[int] = (), users: Collection[int] = ()) -> None:
    """Show changes made outside a socket on all pages; from any thread. Without this call they
    notice them within two seconds.
    """
    here, told = current(), set(users)
    if here is None:
        return
    hints = list[Hint]()
    if matches:
        rows = _TOLD.rows(matches=matches)
        told.update(user for _, _, user in rows if user is not None)
        told.update(user for (user,) in _SITTERS.rows(matches=matches))
        hints = [*(("m", pk, no) for pk, no, _ in rows), ("l", 0, 1)]

    def look() -> None:
        if matches:
            here.hub.look_again(matches)
            here.lobby.look_again()
            here.bus.publish(hints)
        here.users_changed(told)

    here.loop.call_soon_threadsafe(look)


def wake_and_wait(match_id: int, patience: float) -> bool:
    """Wait at most ``patience`` seconds until this process's batch writer has fired a match's
    deadline; return False without a batch writer.
    """
    runtime = current()
    if runtime is not None:
        runtime.wake_and_wait(match_id, patience)
    return runtime is not None


def _ignore(answer: Answer) -> None: ...
