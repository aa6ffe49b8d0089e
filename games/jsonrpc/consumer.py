"""The socket of a program at a match: calls in, answers and notifications out."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from accounts.models import User
from games.engine.structs import canonical, replace
from games.jsonrpc import envelope
from games.jsonrpc.envelope import QUESTIONS, Done, Invalid
from games.jsonrpc.errors import own
from games.jsonrpc.generated import interface_of
from games.jsonrpc.interface import REMATCH, SOCKET, Interface, Method, Move, Nothing, Words
from games.matches.journal.story import SEATING, HeldFact, Holders, facts_after
from games.matches.models import Match
from games.matches.processing.submissions import Answer, SessionEnded, Submission
from games.matches.queries import selectors
from games.matches.queries.match_view import FULL
from games.posts.chat import Line
from games.posts.queries import SPEECH
from games.realtime import socket_queries
from games.realtime.limits import Bucket
from games.realtime.origin import origin_of
from games.realtime.protocol import Close, write
from games.realtime.socket import Socket
from games.realtime.view_socket import later

log = logging.getLogger(__name__)

#: Seconds until what could not be read is read again.
RETRY: Final = 1.0


class Position(NamedTuple):
    """The last entry that a program was told, with the phase, the revision of the options, and the
    users of the seats after it.
    """

    no: int
    phase: int
    revision: int
    users: Mapping[int, int]


class ProgramConsumer(Socket):
    """The connection of one program that watches one match, and perhaps plays it. First it is told
    the state, then each later fact once that it may hear, in order.
    """

    allowance = "programs"
    where = SOCKET

    def __init__(self) -> None:
        super().__init__()
        self.match_id = 0
        self.interface: Interface
        self._position: Position | None = None
        #: The last entry of which this viewer may see something, and the states asked for.
        self._shown, self._asked = 0, 1
        self._waiting: deque[Callable[[], None]] = deque()
        self._reading: asyncio.Task[None] | None = None
        self._large = Bucket(1, 5)

    @property
    def origin(self) -> str:
        return origin_of(self.scope)

    async def admit(self) -> int | None:
        """Admit a user who may watch this match; an unknown and a forbidden one look the same."""
        given = self.scope["url_route"]["kwargs"]
        match = await self.runtime.reads.run(
            socket_queries.admitted, given["public_id"], self.user_id
        )
        if match is None or match.game != given["slug"]:
            return Close.BANNED
        self.match_id, self.interface = match.pk, interface_of(match.game)
        return None

    def entered(self) -> None:
        self.runtime.hub.enter(self.match_id, self)
        self._catch_up()

    def left(self) -> None:
        self.runtime.hub.leave(self.match_id, self)
        if self._reading is not None:
            self._reading.cancel()

    def show(self, view: bytes, now: str) -> None:
        """Tell new facts, since this viewer may see a change."""
        room = self.runtime.hub.rooms.get(self.match_id)
        if room is not None and room.snapshot is not None:
            self._shown = room.snapshot.no
            self._catch_up()

    def post(self, line: Line) -> None:
        """Ignore a line of chat: programs get none."""

    def check_liveness(self) -> None:
        """Check only that the program reads: it may be silent, and answers the server's pings."""
        self.check_reading()

    # Calls in ---------------------------------------------------------------------------

    def _read(self, text: str | bytes) -> None:
        """Handle one message, after the first state; after an error the socket stays open."""
        if self._position is None:
            self._waiting.append(partial(self._read, text))
        elif self._closing is None:
            self._handle(text)

    def _handle(self, text: str | bytes) -> None:
        message = envelope.read_message(text)
        if any(isinstance(element, Invalid) for element in message.elements):
            self._count_bad_frame()
        # A batch counts as its number of calls.
        if not all(self._frames.take() for _ in message.elements[1:]):
            self.close(Close.FLOOD)
            return
        envelope.carry_out(message, self, self._send)

    def _send(self, text: str) -> None:
        """Send answers after the notifications about the same change."""
        self._afterwards(partial(self.tell, text))

    def call(self, method: Method, arguments: Nothing, done: Done) -> None:
        if isinstance(arguments, Move):
            self._move(method, arguments, done)
        elif method.kind == "send_state":
            self._limit_large()
            self._asked += 1
            self._catch_up()
            self._afterwards(partial(done, True))
        else:
            if method.kind == "rpc.discover":
                self._limit_large()
            done(QUESTIONS[method.kind](self))

    def _limit_large(self) -> None:
        """Reject more than one large answer a second, or five at once."""
        if not self._large.take():
            raise own("rate_limited")

    def _move(self, method: Method, arguments: Move, done: Done) -> None:
        """Submit a move to the batch writer; its answer is sent after the commit."""
        if self.stamp is None:
            raise SessionEnded("log in to play, or connect with a token")
        assert self._position is not None
        action = method.action(arguments, self._position.revision)
        if method.kind in SPEECH:
            self.runtime.chat_limits.take(self.stamp.user_id, self.address)
        phase = self._position.phase if method.is_phased else None
        body = canonical(["rpc", method.name, replace(arguments, action_id=UNSET)])
        user_id = self.stamp.user_id
        submission = Submission(self.match_id, action, arguments.unique_id, user_id, phase, body)

        def seat() -> int | None:
            room = self.runtime.hub.rooms.get(self.match_id)
            return None if room is None else room.seat_of(self)

        def judged(answer: Answer) -> None:
            done(envelope.outcome_of(action, answer, self.interface.seat, seat))
            if isinstance(answer.error, SessionEnded):
                self.close(Close.SESSION_ENDED)

        self.runtime.writer.submit(submission, judged, self.stamp)

    # Notifications out ------------------------------------------------------------------

    @property
    def _is_behind(self) -> bool:
        """Whether there is something to tell. Facts of others alone are nothing: no delay tells of
        what the program may not hear.
        """
        return self._asked > 0 or self._position is None or self._shown > self._position.no

    def _afterwards(self, work: Callable[[], None]) -> None:
        """Do the work after the program was told all that it may know by now."""
        if self._is_behind:
            self._waiting.append(work)
        else:
            work()

    def _catch_up(self) -> None:
        if self._is_behind and self._reading is None:
            self._reading = later(self._read_on())

    async def _read_on(self) -> None:
        """Read and tell until all is told; what cannot be read is read again after ``RETRY`` s."""
        while self._is_behind or self._waiting:
            ready, asked = len(self._waiting), self._asked
            try:
                if self._is_behind:
                    read = self.runtime.reads.run(self._news, self._shown, asked > 0)
                    texts, self._position = await read
                    self._asked -= asked
                    for text in texts:
                        self.tell(text)
                for _ in range(ready):
                    self._waiting.popleft()()
            except Exception:
                log.exception("a program could not be told what is new")
                await asyncio.sleep(RETRY)
        self._reading = None

    def _news(self, last: int, wants_state: bool) -> tuple[list[str], Position]:
        """Read what is new up to entry ``last``, as messages, and the position after them; a state
        comes after exactly the facts that led to it. Raises LookupError: not playable here.
        """
        snapshot = selectors.snapshots([self.match_id])[self.match_id] if wants_state else None
        texts, position = list[str](), self._position
        if position is not None:
            texts, position = self._facts(position, last if snapshot is None else snapshot.no)
        if snapshot is not None:
            view = selectors.match_view(snapshot, snapshot.seat_of(self.user_id))
            texts.append(self._text(self.interface.state(view)))
            revision, users = snapshot.state.options_revision, snapshot.seating.users
            position = Position(snapshot.no, snapshot.match.phase, revision, users)
        assert position is not None
        return texts, position

    def _facts(self, before: Position, last: int) -> tuple[list[str], Position]:
        """Read the facts after a position that the program may hear: a message for each entry."""
        texts, holders = list[str](), Holders(before.users)
        _, phase, revision, _ = before
        facts = facts_after(self.match_id, before.no, last, holders)
        for _, together in groupby(facts, key=lambda held: held.entry.no):
            words: Words = []
            for held in together:
                phase, kind = held.entry.phase, held.fact.kind
                if kind == "configured":
                    revision = held.fact.data["options_revision"]
                if held.is_for(self.user_id):
                    words += self.interface.tell(kind, self._completed(held))
            if words:
                texts.append(self._text(words))
        return texts, Position(last, phase, revision, holders.users)

    def _completed(self, held: HeldFact) -> Mapping[str, Any]:
        """Return a fact's data, with the player's name or the next match's public id if needed."""
        kind, data, _ = held.fact
        if kind in SEATING:
            names = User.objects.filter(pk=held.entry.sitter_id or 0)
            return {**data, "name": names.values_list("username", flat=True).first() or ""}
        if kind == REMATCH:
            following = Match.objects.filter(predecessor=self.match_id)
            return {
                **data,
                "public_id": following.values_list("public_id", flat=True).first() or "",
            }
        return data

    def _text(self, words: Words) -> str:
        """Return notifications as a message. Where roles are hidden, blanks fill it up: sizes show
        through TLS.
        """
        text = write(words if len(words) > 1 else words[0])
        return text + " " * (-len(text.encode()) % FULL if self.interface.hides_presence else 0)
