"""The sockets of tables, of the lobby and of a user: parse a frame, make one call, answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from django.db import DatabaseError, InterfaceError
from msgspec import UNSET

from economy.errors import LedgerError
from games import registry
from games.engine.errors import IllegalAction
from games.matches.models import Match
from games.matches.processing.submissions import Answer, Busy, SessionEnded, Submission
from games.matches.queries import commands
from games.notices.attention import Affairs
from games.posts.chat import Line
from games.posts.queries import SPEECH
from games.realtime import protocol, socket_queries
from games.realtime.batch_writer import WRITE_RETRY_MS
from games.realtime.limits import TooFast
from games.realtime.protocol import Act, Close, Frame, Say, Seen, Typed, time_now
from games.realtime.sessions import Stamp
from games.realtime.socket import NOTHING, RUNNING, SEAT, Socket
from games.realtime.view_socket import ViewSocket, later
from games.text.table_words import PHRASES
from games.text.typed import SideCommand, View

log = logging.getLogger(__name__)

#: What the owner of a seat loses with the last look at a match of this status.
KEPT: Final[Mapping[str, int]] = {Match.Status.OPEN: SEAT, Match.Status.RUNNING: RUNNING}
#: Errors of a database that is busy, locked, full or away.
AWAY: Final = (DatabaseError, InterfaceError)


class MatchConsumer(ViewSocket):
    def __init__(self) -> None:
        super().__init__()
        self.match_id = 0
        self._hides_roles = True
        self._last_post = 0
        self._is_silent = False
        self._waiting_posts: list[Line] | None = []
        self._history: asyncio.Task[None] | None = None

    def look_up(self) -> tuple[Stamp | None, Match | None]:
        stamp, _ = super().look_up()
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        return stamp, socket_queries.admitted(public_id, stamp.user_id if stamp else None)

    async def admit(self) -> int | None:
        """Admit viewers who may watch; an unknown match and a forbidden one look the same."""
        match, self.subject = self.subject, None
        if match is None:
            return Close.BANNED
        self.match_id, self._is_silent = match.pk, match.last_post == 0
        self._hides_roles = getattr(registry.find(match.game), "hides_presence", True)
        return None

    def entered(self) -> None:
        self.runtime.hub.enter(self.match_id, self)
        room = self.runtime.hub.rooms[self.match_id]
        if self._is_silent and not room.last_post:
            # The room receives every line from now on.
            self._waiting_posts, room.last_post = None, 0
        else:
            self._history = later(self._send_posts())

    def left(self) -> None:
        self.runtime.hub.leave(self.match_id, self)
        if self._history is not None:
            self._history.cancel()

    def keeps(self) -> int:
        """Return what the viewer would lose; before the first snapshot nobody knows."""
        room = self.runtime.hub.rooms.get(self.match_id)
        if room is None or room.snapshot is None:
            return RUNNING
        status = room.snapshot.match.status
        if room.seat_of(self) is None or status not in KEPT:
            return NOTHING
        return KEPT[status]

    def may_give_parts(self) -> bool:
        # Where roles are hidden, sizes and kinds of frames must say nothing (decision 67).
        return not self._hides_roles

    def show(self, view: bytes, now: str) -> None:
        self.offer(view, now)

    def post(self, line: Line) -> None:
        """Send a line of chat once, after the lines posted before this socket opened."""
        if self._waiting_posts is not None:
            self._waiting_posts.append(line)
        elif line.serial > self._last_post:
            self._last_post = line.serial
            self.tell(protocol.said(line.wire))

    def act(self, frame: Act) -> None:
        """Submit a button's action; posts and wills are counted like lines of chat."""
        is_post = frame.action["kind"] in SPEECH and self.stamp is not None
        if not is_post or self._may_talk(frame.id):
            self._submit(frame)

    def carry_out(self, frame: Typed, command: Any, view: View) -> None:
        if isinstance(command, SideCommand):
            later(self._answered(frame.id, self._run(frame.id, command), is_typed=True))
        else:
            words = commands.confirmation(command.action, view)
            act = Act(frame.id, frame.phase_or(view["phase"]), command.action)
            self._submit(act, frame.text, words)

    def say(self, frame: Say) -> None:
        """Store a line of chat and pass it on; a line that is a command is carried out instead."""
        view = self.flow.view
        if view is not None and commands.is_command(frame.text, view):
            self.typed(Typed(frame.id, frame.text))
        elif self.stamp is None:
            self.refuse(frame.id, SessionEnded("log in to talk"))
        elif self._may_talk(frame.id, is_phrase=frame.text in PHRASES.values()):
            later(self._answered(frame.id, self._say(frame, self.stamp)))

    def _may_talk(self, frame_id: str, *, is_phrase: bool = False) -> bool:
        """Count a line or a post; refuse it and return False when it comes too fast."""
        assert self.user_id is not None
        try:
            self.runtime.chat_limits.take(self.user_id, self.address, is_phrase=is_phrase)
        except TooFast as problem:
            self.refuse(frame_id, problem, problem.retry_ms)
            return False
        return True

    def _submit(self, act: Act, typed: str | None = None, words: str | None = None) -> None:
        if self.stamp is None:
            self.refuse(act.id, SessionEnded("log in to play"))
            return

        def done(answer: Answer) -> None:
            self.acknowledge(act.id, answer, words)

        submission = Submission(self.match_id, act.action, act.id, self.user_id, act.phase, typed)
        self.runtime.writer.submit(submission, done, self.stamp)

    async def _answered(
        self, frame_id: str, work: Awaitable[None], *, is_typed: bool = False
    ) -> None:
        """Do what a frame asks for, and answer it when that fails."""
        try:
            await work
        except (IllegalAction, LedgerError) as problem:
            self.refuse(frame_id, problem, is_typed=is_typed)
        except AWAY as problem:
            log.warning("a frame could not be carried out: %s", problem)
            busy = Busy("the site cannot write at the moment", WRITE_RETRY_MS)
            self.refuse(frame_id, busy, is_typed=is_typed)
        except Exception:
            log.exception("a frame could not be carried out")
            self.tell(protocol.refusal("internal", frame_id))

    async def _send_posts(self) -> None:
        """Send the chat so far, as soon as the database can be read."""
        while True:
            try:
                lines, readable = await self.runtime.reads.run(
                    socket_queries.said_before, self.match_id, self.user_id
                )
                break
            except AWAY as problem:
                log.warning("the chat could not be read: %s", problem)
                await asyncio.sleep(WRITE_RETRY_MS / 1000)
        room = self.runtime.hub.rooms.get(self.match_id)
        if room is None:
            return
        if room.last_post is None:
            room.last_post = lines[-1].serial if lines else 0
        waiting, self._waiting_posts = self._waiting_posts or [], None
        for line in [*readable, *waiting]:
            self.post(line)

    async def _run(self, frame_id: str, command: SideCommand) -> None:
        said = await self.runtime.reads.run(
            socket_queries.run_side_command, self.stamp, command, frame_id
        )
        if command.changes and self.stamp is not None:
            self.runtime.hub.look_again([self.match_id])
            self.runtime.users_changed([self.stamp.user_id])
            self.tell(protocol.ack(frame_id))
        self.tell(protocol.reply(frame_id, said))

    async def _say(self, frame: Say, stamp: Stamp) -> None:
        line = await self.runtime.reads.run(socket_queries.say, self.match_id, stamp, frame)
        self.runtime.hub.post(self.match_id, [line])
        self.runtime.bus.publish([("p", self.match_id, line.serial)])
        self.tell(protocol.ack(frame.id))


class FeedSocket(Socket):
    """A socket that only sends: it answers heartbeats and refuses every other frame."""

    def __init__(self) -> None:
        super().__init__()
        self.revision = 0

    def take(self, frame: Frame) -> None:
        if isinstance(frame, Seen):
            self.tell(protocol.now_frame(time_now()))
        else:
            code = "bad_type" if self.stamp else "unauthenticated"
            self.tell(protocol.refusal(code, frame.id))


class LobbyConsumer(FeedSocket):
    """One browser's socket to the list of tables."""

    def __init__(self) -> None:
        super().__init__()
        self._wants_rows = False

    def entered(self) -> None:
        self.runtime.lobby.enter(self)

    def left(self) -> None:
        self.runtime.lobby.leave(self)

    def take(self, frame: Frame) -> None:
        super().take(frame)
        if isinstance(frame, Seen) and frame.since is not UNSET:
            self._send_since(frame.since)

    def show_lobby(self, lists: str, rows: str | None = None) -> None:
        has_lists, self.revision = self.revision > 0, self.revision + 1
        if self._wants_rows and has_lists and rows is not None:
            self.tell(protocol.lobby_frame("rows", self.revision, time_now(), rows))
        else:
            self.tell(protocol.lobby_frame("lobby", self.revision, time_now(), lists))

    def _send_since(self, revision: int) -> None:
        """Send changed rows from now on, and first the lists to a client that misses any; one that
        asks at its beginning gets them anyway.
        """
        misses_some = revision != self.revision and (revision or self._wants_rows)
        self._wants_rows = True
        if misses_some and self.may_ask():
            self.runtime.lobby.show(self)


class MeConsumer(FeedSocket):
    """One page that shows its user's balance and the tables that wait for the user."""

    allows_guests = False
    allowance = "me"

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[int, list[dict[str, str]]] | None = None

    def entered(self) -> None:
        if self.user_id is not None:
            self.runtime.user_feed.enter(self.user_id, self)

    def left(self) -> None:
        if self.user_id is not None:
            self.runtime.user_feed.leave(self.user_id, self)

    def ask(self, told: Callable[[], None]) -> None:
        """Call ``told`` once the page's end answers a ping; at once where a server cannot ping."""
        if self._direct is None:
            told()
        else:
            self._direct.ping(lambda _: told())

    def show_affairs(self, affairs: Affairs) -> None:
        balance, needs_you = affairs.balance, affairs.needs_you
        if self._shown == (balance, needs_you):
            return
        self._shown = balance, needs_you
        self.revision += 1
        frame = {"type": "me", "revision": self.revision, "now": time_now()}
        self.tell(protocol.write({**frame, "balance": balance, "needs_you": needs_you}))
