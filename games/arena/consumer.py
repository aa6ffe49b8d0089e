"""The arena's socket: parse, one call, answer.  Nothing is decided here.

Source: docs/protocol.md "The arena".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.arena import SLUG, words
from games.arena.hall import HALL, Hall
from games.arena.rules.actions import ArenaAction
from games.arena.work import Item
from games.grammar.typed import Query
from games.kernel.errors import IllegalAction
from games.kernel.structs import Reader, reader_of
from games.live import protocol
from games.live.protocol import Act, Close, Frame, Say, Seen, Typed
from games.live.rendering import time_now
from games.live.socket import Socket
from games.live.window import Window
from games.play.submissions import Answer, Refusal, SessionEnded
from games.reading import commands

#: A client that was told ``busy`` may try again after so long.
RETRY_MS: Final = 500

_READER: Final[Reader[ArenaAction]] = reader_of(ArenaAction)


def arena_frame(revision: int, now: str, members: bytes) -> str:
    """Put what is shown into its envelope; ``members`` are ``arena`` and ``you``, encoded."""
    return f'{{"type":"arena","revision":{revision},"now":"{now}",{members.decode()}}}'


class ArenaConsumer(Socket):
    """One browser or program in the arena, or looking at it."""

    allowance = SLUG

    def __init__(self) -> None:
        super().__init__()
        self.window = Window(arena_frame)
        self._round_no = 0

    @property
    def _hall(self) -> Hall:
        hall: Hall = self.runtime.runners[HALL]
        return hall

    def entered(self) -> None:
        """Look at the arena."""
        self._hall.enter(self)

    def left(self) -> None:
        """Look no more."""
        self._hall.leave(self)

    def show(self, encoded: bytes, now: str, round_no: int) -> None:
        """Send what differs from the last, unless the client lags too far behind."""
        self._round_no = round_no
        frame = self.window.offer(encoded, now)
        if frame is not None:
            self.tell(frame)

    def take(self, frame: Frame) -> None:
        """Pass a frame on to what handles its type."""
        HANDLERS[type(frame)](self, frame)

    def check_liveness(self) -> None:
        """End the socket when it is silent or has lagged for 15 s."""
        super().check_liveness()
        if self.window.is_lost():
            self.close(Close.SLOW_OR_IDLE)

    def act(self, frame: Act) -> None:
        """Submit a button's action."""
        self._submit(frame.id, frame.action, frame.phase)

    def typed(self, frame: Typed) -> None:
        """Carry out a command line and answer in words."""
        view = self._hall.view(self)
        if view is None:
            self.tell(protocol.refusal("busy", frame.id, RETRY_MS))
            return
        try:
            command = commands.parse_of(SLUG, frame.text, view)
        except IllegalAction as problem:
            self._refuse(frame.id, problem, str(problem))
            return
        if isinstance(command, Query):
            self.tell(protocol.reply(frame.id, words.answer(command, view)))
        else:
            action: Mapping[str, Any] = command.action  # type: ignore[union-attr]
            self._submit(frame.id, action, self._round_no, words.confirm(action, view))

    def seen(self, frame: Seen) -> None:
        """Note what the client has shown, and tell it the time."""
        now = time_now()
        held_back = self.window.seen(frame.revision, now)
        self.tell(protocol.now_frame(now))
        if held_back is not None:
            self.tell(held_back)

    def say(self, frame: Say) -> None:
        """Refuse: there is no chat here."""
        self.tell(protocol.refusal("bad_type", frame.id))

    def _submit(
        self, frame_id: str, action: Mapping[str, Any], phase: int, said: str | None = None
    ) -> None:
        """Hand an action to the pump; the answer comes after the commit."""
        try:
            if self.user_id is None:
                raise SessionEnded("log in to play")
            item = Item(self.user_id, _READER.made_of(action), phase)
        except IllegalAction as problem:
            self._refuse(frame_id, problem)
            return

        def done(answer: Answer) -> None:
            self._answer(frame_id, answer, said)

        self.runtime.pump.submit(item, done, self.stamp, self._hall.work)

    def _answer(self, frame_id: str, answer: Answer, said: str | None) -> None:
        if answer.error is not None:
            self._refuse(frame_id, answer.error, said and str(answer.error))
            return
        self.tell(protocol.ack(frame_id, answer.repeated))
        if said is not None:
            self.tell(protocol.reply(frame_id, said))

    def _refuse(self, frame_id: str, problem: Refusal, said: str | None = None) -> None:
        retry_ms = RETRY_MS if problem.code == "busy" else None
        self.tell(protocol.error(problem, frame_id, retry_ms))
        if said is not None:
            self.tell(protocol.reply(frame_id, said))
        if isinstance(problem, SessionEnded) and self.stamp is not None:
            self.close(Close.SESSION_ENDED)


HANDLERS: Final[Mapping[type, Callable[..., None]]] = {
    Act: ArenaConsumer.act,
    Typed: ArenaConsumer.typed,
    Say: ArenaConsumer.say,
    Seen: ArenaConsumer.seen,
}
