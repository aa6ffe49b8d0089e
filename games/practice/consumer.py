"""The sockets of practice and of the daily table: the frames of every table."""

import logging
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import parse_qs

from games import registry
from games.contract import TableGame
from games.engine.errors import refusal, refuse
from games.matches.queries import commands
from games.practice import daily, table_store, tables
from games.practice.memory import in_chips
from games.practice.table_store import STORE, Kind, Room, TableStore, now
from games.practice.tables import PracticeTable
from games.realtime import protocol
from games.realtime.origin import is_same_site
from games.realtime.protocol import Act, Close, Frame, Say, Typed, time_now
from games.realtime.view_socket import ViewSocket, later
from games.text.typed import Command, Query, SideCommand, View

#: Milliseconds after which a client may try again after ``busy`` or ``rate_limited``.
RETRY_MS: Final = 1_000
#: A session, the kind of its table, and what sets one up.
Wanted = tuple[str, Kind, Callable[[], PracticeTable]]

log = logging.getLogger(__name__)


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
        is_foreign = b"origin" in headers and not is_same_site(self.scope, headers)
        wanted = None if is_foreign else await self.wanted()
        if wanted is None:
            return Close.BANNED
        # No await below: the count of tables stays valid until the new one is added.
        self.room = self._store.room_for(self.address, *wanted)
        return None

    async def wanted(self) -> Wanted | None:
        """Return the table that the address asks for; None if nobody gets it."""
        given = self.scope["url_route"]["kwargs"]
        asked = parse_qs(self.scope["query_string"].decode("latin-1"))
        kind, bot = given.get("kind", ""), asked.get("bot", [""])[0]
        game = registry.find(given["slug"])
        if not isinstance(game, TableGame) or not tables.is_offered(game, kind, bot):
            return None
        session = table_store.session_of(self.scope) or table_store.new_session()
        plan = await self.runtime.reads.run(tables.plan_to_play, game, kind, bot, self.user_id)
        name = self.stamp.name if self.stamp else tables.GUEST
        return session, (game.slug, f"{kind} {bot}"), lambda: PracticeTable(plan, name, now())

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

    def read(self, text: str, view: View) -> Command:
        command = super().read(text, view)
        if isinstance(command, SideCommand):
            refuse("command/refused", "That is for real tables: here is no shop and no wallet.")
        return command

    def answer(self, query: Query, view: View) -> str:
        return in_chips(super().answer(query, view))

    def carry_out(self, frame: Typed, command: Any, view: View) -> None:
        words = in_chips(commands.confirmation(command.action, view))
        self.act(Act(frame.id, frame.phase_or(view["phase"]), command.action), words)

    def say(self, frame: Say) -> None:
        self.refuse(frame.id, refusal("forbidden", "only bots sit here, and they do not listen"))

    def act(self, frame: Act, words: str | None = None) -> None:
        room = self.room
        assert room is not None
        if not room.pace.take():
            self.tell(protocol.refusal("rate_limited", frame.id, RETRY_MS))
        elif not self._store.work.take():
            self.tell(protocol.refusal("busy", frame.id, RETRY_MS))
        else:
            self.play(room, frame, words)

    def play(self, room: Room, act: Act, words: str | None) -> None:
        """Do an action at the table, show and acknowledge it."""
        answer = room.table.act(act.action, act.id, act.phase, now())
        if answer.error is None:
            if act.action["kind"] == "rematch" and not answer.repeated:
                room.table = room.table.next(now())
                room.table.start(now())
            room.touch()
        self._store.changed(room)
        self.acknowledge(act.id, answer, words)


class DailyConsumer(PracticeConsumer):
    """One browser's socket to its user's daily table: an action is stored before it is shown."""

    allows_guests = False  # a guest's try would be a rehearsal

    async def wanted(self) -> Wanted | None:
        """Return the user's table of today, set up from its stored actions."""
        table = await self.runtime.reads.run(daily.table_of_today, self.user_id, now())
        if table is None:
            return None
        session, kind = f"daily {self.user_id}", ("daily", table.play.table.day.isoformat())
        room = self._store.rooms.get(session)
        if room is not None and _of(room).known != table.known:
            # It went on in another process.
            self._store.end(room)
        return session, kind, lambda: table

    def play(self, room: Room, act: Act, words: str | None) -> None:
        later(self._keep(room, act, words))

    async def _keep(self, room: Room, act: Act, words: str | None) -> None:
        """Store an action, do it at the table of this process, show and acknowledge it."""
        table = _of(room)
        async with table.turn:
            try:
                answer = await self.runtime.reads.run(daily.record, table.play, act, table.known)
            except daily.OutOfStep as problem:
                self.refuse(act.id, problem)
                self._store.end(room)
                return
            except Exception:
                log.exception("an action at the daily table could not be stored")
                self.tell(protocol.refusal("busy", act.id, RETRY_MS))
                return
            if answer.error is None and not answer.repeated:
                done = table.act(act.action, act.id, act.phase, now())
                table.known += 1
                if done.error is not None:
                    log.error("a daily table differs from its stored actions")
                    self._store.end(room)
                    return
                room.touch()
        self._store.changed(room)
        self.acknowledge(act.id, answer, words)


def _of(room: Room) -> daily.DailyPractice:
    assert isinstance(room.table, daily.DailyPractice)
    return room.table
