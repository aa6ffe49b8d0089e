"""The socket of a program at a duel: calls in, answers and notifications out.

Source: docs/json-rpc.md; docs/durability.md D8, D9.
"""

import logging
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils import timezone
from msgspec import UNSET

from economy.errors import LedgerError
from games.duel import SLUG
from games.duel.rpc.arguments import Sit
from games.duel.rpc.methods import METHODS, SOCKET, Method
from games.duel.rpc.moves import MOVES, PHASED
from games.duel.rpc.narrator import NARRATOR, Narrator
from games.duel.rpc.openrpc import document
from games.engine.errors import AlreadySeated, IllegalAction
from games.engine.facts import instant, iso
from games.engine.structs import canonical, replace
from games.jsonrpc import envelope
from games.jsonrpc.answers import Answers, Done
from games.jsonrpc.envelope import Call, Invalid
from games.jsonrpc.errors import INTERNAL_ERROR, METHOD_NOT_FOUND, Problem, own, refused, standard
from games.jsonrpc.parameters import Move, bind
from games.matches.processing.submissions import Answer, SessionEnded, Submission
from games.matches.services.posts import Line
from games.realtime import socket_queries
from games.realtime.bucket import Bucket
from games.realtime.origin import origin_of
from games.realtime.protocol import Close, Frame, write
from games.realtime.socket import Socket

log = logging.getLogger(__name__)


class DuelConsumer(Socket):
    """The connection of one program that watches one duel, and perhaps plays it."""

    allowance = "programs"

    def __init__(self) -> None:
        super().__init__()
        self.match_id = 0
        self.has_state = False
        self._early: deque[str | bytes] = deque()
        self._large = Bucket(1, 5)

    @property
    def _narrator(self) -> Narrator:
        narrator: Narrator = self.runtime.runners[NARRATOR]
        return narrator

    async def admit(self) -> int | None:
        """Admit a user who may watch this duel; an unknown and a forbidden duel look the same."""
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        match = await self.runtime.reads.run(socket_queries.admitted, public_id, self.user_id)
        if match is None or match.game != SLUG:
            return Close.BANNED
        self.match_id = match.pk
        return None

    def entered(self) -> None:
        """Subscribe to the match in the hub and in the narrator."""
        self.runtime.hub.enter(self.match_id, self)
        self._narrator.enter(self.match_id, self)

    def left(self) -> None:
        """Unsubscribe from the match."""
        self.runtime.hub.leave(self.match_id, self)
        self._narrator.leave(self.match_id, self)

    def show(self, view: bytes, now: str) -> None:
        """Make the narrator send new facts, since the match may have changed."""
        room = self.runtime.hub.rooms.get(self.match_id)
        if room is not None and room.snapshot is not None:
            self._narrator.moved(self.match_id, room.snapshot.match.public_count)

    def post(self, line: Line) -> None:
        """Ignore a line of chat: programs get none."""

    def begin(self) -> None:
        """Handle the messages that came before the state was sent."""
        self.has_state = True
        while self._early and self._closing is None:
            self._handle(self._early.popleft())

    def check_liveness(self) -> None:
        """Check only that the program reads: it may be silent, and answers the server's pings."""
        self.check_reading()

    def take(self, frame: Frame) -> None:
        """Raise AssertionError: frames of the pages' protocol do not arrive here."""
        raise AssertionError("unreachable")

    def _read(self, text: str | bytes) -> None:
        if self.has_state:
            self._handle(text)
        else:
            self._early.append(text)

    def _handle(self, text: str | bytes) -> None:
        """Handle one message; after an error the socket stays open."""
        try:
            message = envelope.read_message(text)
        except Problem as problem:
            self.tell(write(envelope.failure(None, problem)))
            self._count_bad_frame()
            return
        if not message.is_sound:
            self._count_bad_frame()
        # A batch counts as its number of calls.
        if not all(self._frames.take() for _ in message.elements[1:]):
            self.close(Close.FLOOD)
            return
        answers = Answers(message, self._send)
        for number, element in enumerate(message.elements):
            done = answers.done(number)
            if isinstance(element, Invalid):
                done(element.problem)
            else:
                self._carry_out(element, done)

    def _send(self, text: str) -> None:
        """Send answers after the notifications about the same change."""
        self._narrator.afterwards(self.match_id, lambda: self.tell(text))

    def _carry_out(self, call: Call, done: Done) -> None:
        try:
            self._call(call, done)
        except Problem as problem:
            done(problem)
        except (IllegalAction, LedgerError) as refusal:
            done(refused(refusal))
        except Exception:
            log.exception("a call of %s failed", call.method if call.method in METHODS else "?")
            done(standard(INTERNAL_ERROR))

    def _call(self, call: Call, done: Done) -> None:
        """Find the method, bind its parameters and call it; raises the refusal of the call."""
        method = METHODS.get(call.method)
        if method is None or SOCKET not in method.where:
            raise standard(METHOD_NOT_FOUND)
        arguments = bind(method.takes, call.params)
        if isinstance(arguments, Move):
            self._move(method, arguments, done)
        else:
            QUESTIONS[method.name](self, done)

    def _move(self, method: Method, arguments: Move, done: Done) -> None:
        """Submit a move to the batch writer; its answer is sent after the commit."""
        if self.stamp is None:
            raise SessionEnded("log in to play, or connect with a token")
        action_id = arguments.action_id or f"rpc-{secrets.token_urlsafe(12)}"
        told = self._narrator.told(self.match_id)
        action = MOVES[method.name](arguments, told)
        phase = told.phase if method.name in PHASED else None
        body = canonical(["rpc", method.name, replace(arguments, action_id=UNSET)])
        submission = Submission(self.match_id, action, action_id, self.user_id, phase, body)

        def judged(answer: Answer) -> None:
            done(self._outcome(arguments, answer))
            if isinstance(answer.error, SessionEnded):
                self.close(Close.SESSION_ENDED)

        self.runtime.writer.submit(submission, judged, self.stamp)

    def _outcome(self, arguments: Move, answer: Answer) -> Problem | dict[str, Any]:
        error = answer.error
        if isinstance(arguments, Sit):
            if error is None:
                room = self.runtime.hub.rooms.get(self.match_id)
                seat = room and room.seat_of(self)
                return {"repeated": answer.repeated, "seat_id": seat}
            taken = error.detail["seat"] if isinstance(error, AlreadySeated) else None
            if taken is not None and arguments.seat in (taken, UNSET):
                return {"repeated": answer.repeated, "seat_id": taken}
        return refused(error) if error is not None else {"repeated": answer.repeated}

    def _send_state(self, done: Done) -> None:
        self._limit_large()
        self._narrator.ask(self.match_id, self)
        self._narrator.afterwards(self.match_id, lambda: done(True))

    def _server_time(self, done: Done) -> None:
        done(iso(instant(timezone.now())))

    def _discover(self, done: Done) -> None:
        self._limit_large()
        done(document(origin_of(self.scope)))

    def _limit_large(self) -> None:
        """Reject more than one large answer a second, or five at once."""
        if not self._large.take():
            raise own("rate_limited")


#: Read-only methods: method -> its handler.
QUESTIONS: Final[Mapping[str, Callable[[DuelConsumer, Done], None]]] = {
    "send_state": DuelConsumer._send_state,
    "server_time": DuelConsumer._server_time,
    "rpc.discover": DuelConsumer._discover,
}
