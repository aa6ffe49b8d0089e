"""A socket that shows one subject and acts on it: a match, the arena, a practice table."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from games.matches.processing.submissions import RETRY_MS, Answer, SessionEnded, pause_after
from games.matches.queries import commands
from games.realtime import measures, protocol
from games.realtime.changes import changed_parts
from games.realtime.protocol import Act, Close, Frame, Say, Seen, Typed, time_now
from games.realtime.socket import LAG_LIMIT, Socket
from games.text.telling import sentence
from games.text.typed import Command, Query, View

#: With this many views, or more bytes, unseen, only the newest view is kept.
UNSEEN_VIEWS, UNSEEN_BYTES = 64, 256 * 1024
#: The work of ``later`` under way: a loop holds its tasks weakly.
_UNDER_WAY: Final[set[asyncio.Task[None]]] = set()


class FlowControl:
    """The views of one socket, numbered without gaps, and the one held back for a slow client.
    ``write`` makes a frame of revision, time and encoded view.
    """

    __slots__ = (
        "_encoded", "_held_back", "_lagging_since", "_owes_whole", "_revision", "_unseen",
        "_unseen_bytes", "_write", "gives_parts",
    )  # fmt: skip

    def __init__(self, write: Callable[[int, str, bytes], str] = protocol.view_frame) -> None:
        self._write = write
        self._revision = 0
        self._encoded: bytes | None = None
        self._held_back: bytes | None = None
        self._lagging_since: float | None = None
        self._unseen: deque[tuple[int, int]] = deque()
        self._unseen_bytes = 0
        #: Whether the client gets changed parts of a view, and whether the next one comes whole.
        self.gives_parts = self._owes_whole = False

    @property
    def view(self) -> Mapping[str, Any] | None:
        if self._encoded is None:
            return None
        view: Mapping[str, Any] = msgspec.json.decode(self._encoded)
        return view

    def offer(self, encoded: bytes, now: str) -> str | None:
        """Return the frame to send; None when the view is the last one, or the client lags."""
        if encoded == self._encoded and not self._owes_whole:
            # Sockets that opened at different times then share one bytes object.
            self._encoded, self._held_back = encoded, None
            return None
        if self._is_lagging():
            measures.views_dropped.inc(self._held_back is not None)
            self._held_back = encoded
            return None
        parts = None
        if self.gives_parts and self._encoded is not None and not self._owes_whole:
            parts = changed_parts(self._encoded, encoded)
        self._encoded, self._held_back, self._owes_whole = encoded, None, False
        self._revision += 1
        size = len(encoded if parts is None else parts)
        self._unseen.append((self._revision, size))
        self._unseen_bytes += size
        if parts is not None:
            return protocol.parts_frame(self._revision, now, parts)
        return self._write(self._revision, now, encoded)

    def is_behind(self, revision: int) -> bool:
        """Whether a client that gets parts has missed some; views that came before are whole."""
        return self.gives_parts and revision != self._revision

    def again(self, now: str) -> str | None:
        """Return the newest view, whole; None before the first, or when the client lags."""
        newest = self._held_back or self._encoded
        self._owes_whole = newest is not None
        return None if newest is None else self.offer(newest, now)

    def seen(self, revision: int, now: str) -> str | None:
        """Note the revision that the client has shown; return the held-back view if it may go."""
        while self._unseen and self._unseen[0][0] <= revision:
            self._unseen_bytes -= self._unseen.popleft()[1]
        # Update the lag here too: there may be nothing to offer for a long time.
        self._is_lagging()
        return self.offer(self._held_back, now) if self._held_back is not None else None

    def is_lost(self) -> bool:
        since = self._lagging_since
        return since is not None and time.monotonic() - since > LAG_LIMIT

    def _is_lagging(self) -> bool:
        lags = len(self._unseen) >= UNSEEN_VIEWS or self._unseen_bytes > UNSEEN_BYTES
        if not lags:
            self._lagging_since = None
        elif self._lagging_since is None:
            self._lagging_since = time.monotonic()
        return lags


class ViewSocket(Socket):
    """A socket to a subject that it views and acts on; subclasses define view and actions."""

    def __init__(self, flow: FlowControl | None = None) -> None:
        super().__init__()
        self.flow = flow or FlowControl()

    # For subclasses ---------------------------------------------------------------------

    def may_give_parts(self) -> bool:
        """Whether a client that asks gets changed parts instead of whole views."""
        return False

    def view(self) -> View | None:
        """Return the view against which typed lines are read; None before the first."""
        return self.flow.view

    def read(self, text: str, view: View) -> Command:
        """Read a typed line; raises IllegalAction."""
        return commands.parse(text, view)

    def answer(self, query: Query, view: View) -> str:
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
        if frame.parts is not UNSET and self.may_give_parts():
            self._give_parts(frame.revision, now, wanted=frame.parts)

    def _give_parts(self, revision: int, now: str, *, wanted: bool) -> None:
        """Turn parts on or off; send the whole view to a client that asks again and missed some."""
        is_behind = self.flow.is_behind(revision)
        self.flow.gives_parts = wanted
        if is_behind and self.may_ask():
            whole = self.flow.again(now)
            if whole is not None:
                self.tell(whole)

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
        """Send a refusal with its reason, to be tried again after ``retry_ms``, by default as the
        refusal says; disconnect a client whose session is over.
        """
        self.tell(protocol.error(problem, frame_id, retry_ms or pause_after(problem)))
        if is_typed:
            self.tell(protocol.reply(frame_id, sentence(str(problem))))
        if isinstance(problem, SessionEnded) and self.stamp is not None:
            self.close(Close.SESSION_ENDED)

    def check_liveness(self) -> None:
        super().check_liveness()
        if self.flow.is_lost():
            self.close(Close.SLOW_OR_IDLE)


def later(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run a coroutine that waits for the database, while further frames are handled."""
    task = asyncio.create_task(work)
    _UNDER_WAY.add(task)
    task.add_done_callback(_UNDER_WAY.discard)
    return task
