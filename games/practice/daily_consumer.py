"""The socket of the daily table: an action is stored before it is shown and acknowledged.
Source: docs/explanation/practice.md "The daily table".
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from games.engine.facts import instant
from games.practice import daily
from games.practice.consumer import RETRY_MS, PracticeConsumer
from games.practice.table_store import Room, now
from games.realtime import protocol
from games.realtime.origin import is_same_site
from games.realtime.protocol import Close

log = logging.getLogger(__name__)


class DailyConsumer(PracticeConsumer):
    """One browser's socket to its user's daily table."""

    allows_guests = False

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
        self,
        frame_id: str,
        action: Mapping[str, Any],
        phase: int,
        words: str | None = None,
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
