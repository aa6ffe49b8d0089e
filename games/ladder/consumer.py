"""A program's socket on the ladder, in JSON-RPC: it asks to be paired, and is asked for throws."""

import time
from collections import deque
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from accounts.devices import line_of
from accounts.models import User
from games.engine.input import LARGEST_FRAME
from games.jsonrpc import envelope
from games.jsonrpc.envelope import VERSION, Done, Invalid
from games.jsonrpc.errors import own
from games.jsonrpc.interface import SOCKET, Interface, Method, Nothing, Parameter
from games.ladder import LABEL
from games.ladder.pool import CLOSES, POOL, Game, Pool, Reason, note_source
from games.ladder.results import new_entrant, waiting_of
from games.realtime import sessions
from games.realtime.origin import origin_of
from games.realtime.protocol import Close, write
from games.realtime.sessions import Stamp
from games.realtime.socket import RUNNING, SEAT, Socket
from games.realtime.view_socket import later

Source = Annotated[str, Meta(pattern=r"\Ahttps://[!#-&(-;=?-~]{3,190}\Z")]
READY: Final = Method(
    "ladder.ready",
    "ready",
    "Join the pool, until you leave or forfeit.",
    (Parameter("source", Source, "an https address where your source stands", required=False),),
    {"type": "boolean"},
    is_move=False,
)
LEAVE: Final = Method(
    "ladder.leave", "leave", "Leave the pool after this match.", (), {"type": "boolean"},
    is_move=False,
)  # fmt: skip
INTERFACE: Final = Interface(
    slug=LABEL,
    title="Ladder",
    methods={method.name: method for method in (READY, LEAVE)},
    notifications=(),
    tell=lambda kind, data: [envelope.notification(kind, **data)],
    state=lambda _: [],
    hides_presence=False,
    http="",
)
#: Pings of which the fastest tells how far a program is.
PINGS: Final = 50


class _Answer(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The usual answer to a throw."""

    jsonrpc: Literal["2.0"]
    id: int
    result: str


_ANSWERS: Final = msgspec.json.Decoder(_Answer)


class LadderConsumer(Socket):
    """The connection of one program to the pool. The ids of its requests count up, so that a late
    answer of a match before is known as one.
    """

    allows_guests = False
    allowance = LABEL
    where = SOCKET
    interface = INTERFACE

    def __init__(self) -> None:
        super().__init__()
        self.game: Game | None = None
        self.is_ready = False
        self.trip = 0.0
        self.name = ""
        self._seat = 0
        #: The last request, the first one of this match, and the one that is open.
        self._asked = self._first = self._open_id = 0
        self._trips: deque[float] = deque(maxlen=PINGS)
        self._ends_after = False

    @property
    def origin(self) -> str:
        return origin_of(self.scope)

    @property
    def network(self) -> str:
        return line_of(self.address)

    @property
    def _pool(self) -> Pool:
        pool: Pool = self.runtime.runners[POOL]
        return pool

    def look_up(self) -> tuple[Stamp | None, Any]:
        """Read the log-in; the subject is the program as one that waits, None for a person."""
        stamp = sessions.read_stamp(self.scope)
        programs = User.objects.filter(is_program=True, is_frozen=False)
        if stamp is None or not programs.filter(pk=stamp.user_id).exists():
            return stamp, None
        return stamp, waiting_of(new_entrant(stamp.user_id))

    def entered(self) -> None:
        self.waiting, self.name = self.subject, self.stamp.name if self.stamp else ""
        why = "forbidden" if self.subject is None else self._pool.enter(self)
        if why:
            self.dismiss(why)

    def left(self) -> None:
        if self.subject is not None:
            self._pool.leave(self)
        if self.game is not None:
            self.game.give_up(self._seat, Reason.LEFT)

    def keeps(self) -> int:
        return RUNNING if self.game is not None else SEAT

    def check_liveness(self) -> None:
        """Check only that the program reads: it may be silent, and answers the server's pings."""
        self.check_reading()

    def dismiss(self, why: str) -> None:
        self.tell(write(envelope.notification("ladder.closed", why=why)))
        super().close(CLOSES[why])

    def close(self, code: int) -> None:
        """End the socket; when the process ends, after the match."""
        if code == Close.RESTART and self.game is not None:
            self._ends_after = True
            return
        if code == Close.FLOOD and self.game is not None:
            self.game.give_up(self._seat, Reason.FLOOD)
        super().close(code)

    def ping(self) -> None:
        if self._direct is not None:
            self._direct.ping(self._measured)

    def _measured(self, trip: float) -> None:
        self._trips.append(trip)
        self.trip = min(self._trips)

    # Sides of a match ----------------------------------------------------------------------

    def begin(self, game: Game, seat: int) -> None:
        self.game, self._seat, self._first = game, seat, self._asked + 1
        opponent, throws = game.sides[1 - seat].name, game.match.throws
        told = {"match": game.public_id, "opponent": opponent, "throws": throws, "seat": seat}
        self.tell(write(envelope.notification("ladder.began", **told)))

    def ask(self, no: int, mine: str, theirs: str) -> None:
        self._asked = self._open_id = self._asked + 1
        self.tell(
            f'{{"jsonrpc":"{VERSION}","method":"ladder.throw","params":'
            f'{{"no":{no},"mine":{mine},"theirs":{theirs}}},"id":{self._open_id}}}'
        )

    def end(self, told: Mapping[str, Any] | None) -> None:
        self.game, self._open_id = None, 0
        if told is None:
            self.tell(write(envelope.notification("ladder.dropped")))
        else:
            self.is_ready = self.is_ready and told["forfeit"] != "you"
            self.tell(write(envelope.notification("ladder.ended", **told)))
        self.waiting = self.waiting._replace(since=time.monotonic())
        if self._ends_after:
            self.dismiss("draining")

    # Messages ------------------------------------------------------------------------------

    def _hear(self, text: str | bytes) -> None:
        """Take the answer to the open request, which no other limit counts."""
        game = self.game
        if game is not None and self._open_id and self._closing is None:
            try:
                given = _ANSWERS.decode(text)
            except (msgspec.DecodeError, UnicodeError):
                given = None
            if given is not None and given.id == self._open_id:
                self._heard, self._open_id = time.monotonic(), 0
                game.answer(self._seat, given.result)
                return
        super()._hear(text)

    def _read(self, text: str | bytes) -> None:
        if isinstance(text, str) and len(text) <= LARGEST_FRAME and self._is_reply(text):
            return
        message = envelope.read_message(text)
        if any(isinstance(element, Invalid) for element in message.elements):
            self._wrong()
        envelope.carry_out(message, self, self.tell)

    def _is_reply(self, text: str) -> bool:
        """Handle an answer that is not the usual one; return whether it was an answer."""
        try:
            given = msgspec.json.decode(text, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return False
        if "method" in given or given.keys().isdisjoint(("result", "error")):
            return False
        known = given["id"] if type(given.get("id")) is int else 0
        if self.game is not None and known and known == self._open_id:
            self._open_id = 0
            self.game.answer(self._seat, None)
        elif not 0 < known < self._first and not (self.game is None and 0 < known <= self._asked):
            self._wrong()
        return True

    def _wrong(self) -> None:
        """Count a message that is none; in a match it forfeits."""
        self._count_bad_frame()
        if self.game is not None:
            self.game.give_up(self._seat, Reason.BAD_ANSWER)

    def call(self, method: Method, arguments: Nothing, done: Done) -> None:
        if method is READY:
            if not self._pool.numbers["ladder.open"]:
                raise own("maintenance", "The ladder is closed")
            if source := method.values(arguments).get("source"):
                later(self.runtime.reads.run(note_source, self.waiting.user, source))
            if not self.is_ready:
                self.waiting = self.waiting._replace(since=time.monotonic())
            self.is_ready = True
        else:
            self.is_ready = False
        done(True)
