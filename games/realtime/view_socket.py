"""A socket that shows one subject and acts on it: a match, the arena, a practice table. This class
reads and writes frames; subclasses define the view and handle the actions.
Source: docs/reference/protocol.md "Frames from the client".
"""

import math
import time
from typing import Any

from msgspec import UNSET

from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from games.matches.processing.submissions import RETRY_MS, Answer, SessionEnded, pause_after
from games.matches.queries import commands
from games.realtime import protocol
from games.realtime.flow_control import FlowControl
from games.realtime.protocol import Act, Close, Frame, Say, Seen, Typed
from games.realtime.rendering import time_now
from games.realtime.socket import Socket
from games.text.telling import sentence
from games.text.typed import Command, Query, View


class ViewSocket(Socket):
    """One browser's or program's socket to a subject that it views and acts on. ``flow``: puts
    views into frames.
    """

    def __init__(self, flow: FlowControl | None = None) -> None:
        super().__init__()
        self.flow = flow or FlowControl()

    # For subclasses ---------------------------------------------------------------------

    def view(self) -> View | None:
        """Return the client's view, against which typed lines are read; None before the first."""
        return self.flow.view

    def read(self, text: str, view: View) -> Command:
        """Read a typed line; raises IllegalAction."""
        return commands.parse(text, view)

    def answer(self, query: Query, view: View) -> str:
        """Return the text answer to a typed question."""
        return commands.answer(query, view)

    def carry_out(self, frame: Typed, command: Any, view: View) -> None:
        """Carry out a typed command that is not a question."""
        raise NotImplementedError

    def act(self, frame: Act) -> None:
        """Carry out a button's action."""
        raise NotImplementedError

    def say(self, frame: Say) -> None:
        """Take a line of chat; the default refuses it."""
        self.tell(protocol.refusal("bad_type", frame.id))

    # Frames in --------------------------------------------------------------------------

    def take(self, frame: Frame) -> None:
        if not isinstance(frame, Seen):
            self.acted = time.monotonic()
        match frame:
            case Act():
                self.act(frame)
            case Typed():
                self.typed(frame)
            case Say():
                self.say(frame)
            case Seen():
                self.seen(frame)

    def typed(self, frame: Typed) -> None:
        """Carry out a command line and answer in text."""
        view = self.view()
        if view is None:
            self.tell(protocol.refusal("busy", frame.id, RETRY_MS))
            return
        try:
            command = self.read(frame.text, view)
        except IllegalAction as problem:
            self.refuse(frame.id, problem, is_typed=True)
            return
        if isinstance(command, Query):
            self.tell(protocol.reply(frame.id, self.answer(command, view)))
        else:
            self.carry_out(frame, command, view)

    def seen(self, frame: Seen) -> None:
        """Note the revision that the client has shown, and send it the time."""
        if frame.visible is not UNSET:
            self.visible_at = time.monotonic() if frame.visible else -math.inf
        now = time_now()
        held_back = self.flow.seen(frame.revision, now)
        self.tell(protocol.now_frame(now))
        if held_back is not None:
            self.tell(held_back)

    # Frames out -------------------------------------------------------------------------

    def offer(self, encoded: bytes, now: str) -> None:
        """Send a view if it differs from the last one and the client keeps up."""
        frame = self.flow.offer(encoded, now)
        if frame is not None:
            self.tell(frame)

    def acknowledge(self, frame_id: str, answer: Answer, words: str | None) -> None:
        """Send the outcome of an action; ``words`` answer an accepted typed one."""
        if answer.error is not None:
            self.refuse(frame_id, answer.error, is_typed=words is not None)
            return
        self.tell(protocol.ack(frame_id, answer.repeated))
        if words is not None:
            self.tell(protocol.reply(frame_id, words))

    def refuse(
        self,
        frame_id: str,
        problem: IllegalAction | LedgerError,
        retry_ms: int | None = None,
        *,
        is_typed: bool = False,
    ) -> None:
        """Send a refusal with its reason; disconnect a client whose session is over. ``retry_ms``:
        milliseconds after which to try again; by default as the refusal says.
        """
        self.tell(protocol.error(problem, frame_id, retry_ms or pause_after(problem)))
        if is_typed:
            self.tell(protocol.reply(frame_id, sentence(str(problem))))
        if isinstance(problem, SessionEnded) and self.stamp is not None:
            self.close(Close.SESSION_ENDED)

    def check_liveness(self) -> None:
        """End the socket when it is silent or has lagged for 15 s."""
        super().check_liveness()
        if self.flow.is_lost():
            self.close(Close.SLOW_OR_IDLE)
