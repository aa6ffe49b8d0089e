"""The socket of a program at a match: calls in, answers and notifications out."""

import secrets
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils import timezone
from msgspec import UNSET

from games.engine.errors import AlreadySeated
from games.engine.facts import instant, iso
from games.engine.structs import canonical, replace
from games.jsonrpc import envelope
from games.jsonrpc.envelope import Call, Done
from games.jsonrpc.errors import METHOD_NOT_FOUND, Problem, own, refused, standard
from games.jsonrpc.generated import interface_of
from games.jsonrpc.interface import SOCKET, Interface, Method, Move, bind
from games.jsonrpc.narrator import NARRATOR, Narrator
from games.jsonrpc.openrpc import document
from games.matches.processing.submissions import Answer, SessionEnded, Submission
from games.posts.chat import Line
from games.posts.queries import SPEECH
from games.realtime import socket_queries
from games.realtime.limits import Bucket
from games.realtime.origin import origin_of
from games.realtime.protocol import Close, Frame, write
from games.realtime.socket import Socket


class ProgramConsumer(Socket):
    """The connection of one program that watches one match, and perhaps plays it."""

    allowance = "programs"

    def __init__(self) -> None:
        super().__init__()
        self.match_id = 0
        self.interface: Interface
        self.has_state = False
        self._early: deque[str | bytes] = deque()
        self._large = Bucket(1, 5)

    @property
    def _narrator(self) -> Narrator:
        narrator: Narrator = self.runtime.runners[NARRATOR]
        return narrator

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
        self._narrator.enter(self.match_id, self, self.interface)

    def left(self) -> None:
        self.runtime.hub.leave(self.match_id, self)
        self._narrator.leave(self.match_id, self)

    def show(self, view: bytes, now: str) -> None:
        """Make the narrator send new facts, since this viewer may see a change."""
        room = self.runtime.hub.rooms.get(self.match_id)
        if room is not None and room.snapshot is not None:
            self._narrator.moved(self.match_id, self, room.snapshot.no)

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
        envelope.carry_out(message, self._send, self._call)

    def _send(self, text: str) -> None:
        """Send answers after the notifications about the same change."""
        self._narrator.afterwards(self.match_id, self, lambda: self.tell(text))

    def _call(self, call: Call, done: Done) -> None:
        """Find the method, bind its parameters and call it; raises the refusal of the call."""
        method = self.interface.find(call.method, SOCKET)
        if method is None:
            raise standard(METHOD_NOT_FOUND)
        arguments = bind(method.takes, call.params)
        if isinstance(arguments, Move):
            self._move(method, arguments, done)
        else:
            QUESTIONS[method.kind](self, done)

    def _move(self, method: Method, arguments: Move, done: Done) -> None:
        """Submit a move to the batch writer; its answer is sent after the commit."""
        if self.stamp is None:
            raise SessionEnded("log in to play, or connect with a token")
        position = self._narrator.position(self.match_id)
        action = method.action(arguments, position)
        if method.kind in SPEECH:
            self.runtime.chat_limits.take(self.stamp.user_id, self.address)
        action_id = arguments.action_id or f"rpc-{secrets.token_urlsafe(12)}"
        phase = position.phase if method.is_phased else None
        body = canonical(["rpc", method.name, replace(arguments, action_id=UNSET)])
        submission = Submission(self.match_id, action, action_id, self.stamp.user_id, phase, body)

        def judged(answer: Answer) -> None:
            done(self._outcome(action, answer))
            if isinstance(answer.error, SessionEnded):
                self.close(Close.SESSION_ENDED)

        self.runtime.writer.submit(submission, judged, self.stamp)

    def _outcome(self, action: Mapping[str, Any], answer: Answer) -> Problem | dict[str, Any]:
        """Return the answer to a move; sitting down where one sits already is no error."""
        error, told = answer.error, {"repeated": answer.repeated}
        if action["kind"] != "sit":
            return told if error is None else refused(error)
        if error is None:
            room = self.runtime.hub.rooms.get(self.match_id)
            return {**told, self.interface.seat: room and room.seat_of(self)}
        if isinstance(error, AlreadySeated):
            seat = error.detail["seat"]
            if action.get("seat", seat) == seat:
                return {**told, self.interface.seat: seat}
        return refused(error)

    def _send_state(self, done: Done) -> None:
        self._limit_large()
        self._narrator.ask(self.match_id, self)
        self._narrator.afterwards(self.match_id, self, lambda: done(True))

    def _server_time(self, done: Done) -> None:
        done(iso(instant(timezone.now())))

    def _discover(self, done: Done) -> None:
        self._limit_large()
        done(document(self.interface, origin_of(self.scope)))

    def _limit_large(self) -> None:
        """Reject more than one large answer a second, or five at once."""
        if not self._large.take():
            raise own("rate_limited")


#: The handlers of the methods that change nothing, by kind.
QUESTIONS: Final[Mapping[str, Callable[[ProgramConsumer, Done], None]]] = {
    "send_state": ProgramConsumer._send_state,
    "server_time": ProgramConsumer._server_time,
    "rpc.discover": ProgramConsumer._discover,
}
