"""The sockets of practice and of the daily table: the frames of every table."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from django.utils import timezone

from games import registry
from games.contract import TableGame
from games.engine.facts import instant
from games.matches.queries import commands
from games.practice import daily, sessions, tables
from games.practice.memory import in_chips
from games.practice.table_store import STORE, Room, TableStore, now
from games.practice.tables import PracticeTable
from games.realtime import protocol
from games.realtime.origin import is_same_site
from games.realtime.protocol import Act, Close, Frame, Say, Typed, time_now
from games.realtime.view_socket import ViewSocket
from games.text.typed import Command, CommandError, Query, SideCommand, View

#: Milliseconds after which a client may try again after ``busy`` or ``rate_limited``.
RETRY_MS: Final = 1_000


class PracticeConsumer(ViewSocket):
    """One browser's socket to its practice table."""

    allowance = "practice"

    def __init__(self) -> None:
        super().__init__()
        self.room: Room | None = None

    @property
    def _store(self) -> TableStore:
        store: TableStore = self.runtime.runners[STORE]
        return store

    async def admit(self) -> int | None:
        """Refuse other sites; find the session's table, or set one up."""
        headers = dict(self.scope["headers"])
        if b"origin" in headers and not is_same_site(self.scope, headers):
            return Close.BANNED
        given = self.scope["url_route"]["kwargs"]
        kind = (given["slug"], given.get("lesson", ""))
        game = registry.find(kind[0])
        if not isinstance(game, TableGame) or not tables.is_offered(game, kind[1]):
            return Close.BANNED
        session = sessions.session_of(self.scope) or sessions.new_session()
        plan = await self.runtime.reads.run(tables.plan_of, game, kind[1])
        # No await below: the count of tables stays valid until the new one is added.
        self.room = self._store.find(session, kind)
        if self.room is None and self._store.may_open(session, self.address):
            name = self.stamp.name if self.stamp else tables.GUEST
            table = PracticeTable(plan, name, now())
            self.room = Room(session, self.address, kind, table)
            self._store.open(self.room)
        return None

    def entered(self) -> None:
        if self.room is None:
            self.close(Close.PRACTICE_FULL)
        else:
            self._store.enter(self.room, self)

    def left(self) -> None:
        if self.room is not None:
            self._store.leave(self.room, self)

    def show(self) -> None:
        assert self.room is not None
        self.offer(protocol.encode_view(self.room.table.view()), time_now())

    def take(self, frame: Frame) -> None:
        if self.room is not None:
            super().take(frame)

    def check_liveness(self) -> None:
        super().check_liveness()
        if self.room is not None and self.room.is_idle:
            self._store.end(self.room)

    def view(self) -> View | None:
        return self.room.table.view() if self.room else None

    def act(self, frame: Act) -> None:
        self._do(frame.id, frame.action, frame.phase)

    def read(self, text: str, view: View) -> Command:
        command = super().read(text, view)
        if isinstance(command, SideCommand):
            raise CommandError("That is for real tables: here is no shop and no wallet.")
        return command

    def answer(self, query: Query, view: View) -> str:
        return in_chips(super().answer(query, view))

    def carry_out(self, frame: Typed, command: Any, view: View) -> None:
        words = in_chips(commands.confirmation(command.action, view))
        self._do(frame.id, command.action, frame.phase_or(view["phase"]), words)

    def say(self, frame: Say) -> None:
        self.refuse(frame.id, tables.NobodyListens("only bots sit here, and they do not listen"))

    def _do(
        self, frame_id: str, action: Mapping[str, Any], phase: int, words: str | None = None
    ) -> None:
        room = self.room
        if room is None:
            return
        if not room.pace.take():
            self.tell(protocol.refusal("rate_limited", frame_id, RETRY_MS))
            return
        if not self._store.work.take():
            self.tell(protocol.refusal("busy", frame_id, RETRY_MS))
            return
        answer = room.table.act(action, frame_id, phase, now())
        if answer.error is None:
            if action["kind"] == "rematch" and not answer.repeated:
                room.table = room.table.next(now())
                room.table.start(now())
            room.touch()
        self._store.changed(room)
        self.acknowledge(frame_id, answer, words)


log = logging.getLogger(__name__)


class DailyConsumer(PracticeConsumer):
    """One browser's socket to its user's daily table: an action is stored before it is shown."""

    allows_guests = False  # a guest's try would be a rehearsal

    def __init__(self) -> None:
        super().__init__()
        self._tasks: set[asyncio.Task[None]] = set()

    async def admit(self) -> int | None:
        """Find the user's table of today here, or set it up again from its stored actions."""
        headers = dict(self.scope["headers"])
        if b"origin" in headers and not is_same_site(self.scope, headers):
            return Close.BANNED
        assert self.user_id is not None
        table = await self.runtime.reads.run(_table, self.user_id)
        if table is None:
            return Close.BANNED
        session, kind = f"daily {self.user_id}", ("daily", table.play.table.day.isoformat())
        # No await below: the count of tables stays valid until the new one is added.
        self.room = self._store.find(session, kind)
        if self.room is not None and _of(self.room).known != table.known:
            # It went on in another process.
            self._store.end(self.room)
            self.room = None
        if self.room is None and self._store.may_open(session, self.address):
            self.room = Room(session, self.address, kind, table)
            self._store.open(self.room)
        return None

    def _do(
        self, frame_id: str, action: Mapping[str, Any], phase: int, words: str | None = None
    ) -> None:
        room = self.room
        if room is None:
            return
        if not room.pace.take() or not self._store.work.take():
            self.tell(protocol.refusal("rate_limited", frame_id, RETRY_MS))
            return
        task = asyncio.create_task(self._keep(room, frame_id, action, phase, words))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep(
        self, room: Room, frame_id: str, action: Mapping[str, Any], phase: int, words: str | None
    ) -> None:
        """Store an action, do it at the table of this process, show and acknowledge it."""
        table = _of(room)
        async with table.turn:
            asked = daily.Asked(action, frame_id, phase, table.known)
            try:
                answer = await self.runtime.reads.run(daily.record, table.play, asked)
            except daily.OutOfStep as problem:
                self.refuse(frame_id, problem)
                self._store.end(room)
                return
            except Exception:
                log.exception("an action at the daily table could not be stored")
                self.tell(protocol.refusal("busy", frame_id, RETRY_MS))
                return
            if answer.error is None and not answer.repeated:
                done = table.act(action, frame_id, phase, now())
                table.known += 1
                if done.error is not None:
                    log.error("a daily table differs from its stored actions")
                    self._store.end(room)
                    return
                room.touch()
        self._store.changed(room)
        self.acknowledge(frame_id, answer, words)


def _table(user_id: int) -> daily.DailyPractice | None:
    """Return the table of a user who has begun today's play."""
    play = daily.play_of(user_id, daily.today())
    return None if play is None else daily.rebuilt(play, instant(timezone.now()))


def _of(room: Room) -> daily.DailyPractice:
    assert isinstance(room.table, daily.DailyPractice)
    return room.table
