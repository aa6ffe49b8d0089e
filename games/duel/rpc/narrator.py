"""The narrator: reads the journal of each duel once for all its programs, and tells it in order.

It lives in the event loop of one process beside the hub, which reports changes of a match.  All
programs at a match that have the state are at the same fact.  A program that comes later, or asks
again, first gets the whole state; the others get the facts that lead to it.
Source: docs/json-rpc.md "Notifications"; docs/durability.md R2.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from games.duel.rpc.notifications import frames_of, state_frame
from games.duel.rpc.story import Question, Story, Told, read_stories
from games.matches.queries import selectors
from games.matches.queries.snapshots import Snapshot
from games.realtime.poller import Poller
from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)


class Listener(Protocol):
    """A program's socket."""

    user_id: int | None
    #: Whether it has got the state; from then on it gets every fact.
    has_state: bool

    def tell(self, text: str) -> None:
        """Send a message to the program."""

    def begin(self) -> None:
        """Called after the state was sent; may be called again."""


@dataclass(slots=True)
class Audience:
    """The programs at one match, and their position in its story.

    ``no`` is the entry of the last fact told, None before the first state; ``count`` is the public
    number of that fact.
    """

    listeners: set[Listener] = field(default_factory=set)
    asking: set[Listener] = field(default_factory=set)
    waiting: list[Callable[[], None]] = field(default_factory=list)
    no: int | None = None
    count: int = 0
    told: Told = field(default_factory=Told)
    is_behind: bool = False


#: The key of the narrator among the runners of a web process.
NARRATOR: Final = f"{__name__}.Narrator"


class Narrator(Poller):
    """The narrator of all programs of this process."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime.reads)
        self._audiences: dict[int, Audience] = {}

    def enter(self, match_id: int, listener: Listener) -> None:
        """Add a program; it gets the whole state first."""
        self._audiences.setdefault(match_id, Audience()).listeners.add(listener)
        self.ask(match_id, listener)

    def leave(self, match_id: int, listener: Listener) -> None:
        """Remove a program, and the match with its last program."""
        audience = self._audiences.get(match_id)
        if audience is None:
            return
        audience.listeners.discard(listener)
        audience.asking.discard(listener)
        if not audience.listeners:
            del self._audiences[match_id]

    def ask(self, match_id: int, listener: Listener) -> None:
        """Request the whole state for a program."""
        audience = self._audiences.get(match_id)
        if audience is not None:
            audience.asking.add(listener)
            self._look_again(audience)

    def moved(self, match_id: int, public_count: int) -> None:
        """Request new facts if the match has more public facts than were told."""
        audience = self._audiences.get(match_id)
        if audience is not None and public_count > audience.count:
            self._look_again(audience)

    def afterwards(self, match_id: int, work: Callable[[], None]) -> None:
        """Do the work after all facts committed by now have been told."""
        audience = self._audiences.get(match_id)
        if audience is None or not audience.is_behind:
            work()
        else:
            audience.waiting.append(work)

    def told(self, match_id: int) -> Told:
        """Return the facts told so far to the programs at a match."""
        audience = self._audiences.get(match_id)
        return audience.told if audience else Told()

    def _look_again(self, audience: Audience) -> None:
        audience.is_behind = True
        self._wanted.set()

    async def _refresh(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            behind = {pk: a for pk, a in self._audiences.items() if a.is_behind}
            turns = {pk: _Turn.begin(audience) for pk, audience in behind.items()}
            stories: dict[int, Story] = {}
            try:
                questions = {pk: turn.question for pk, turn in turns.items()}
                stories = await self._executor.run(read_stories, questions)
            except Exception:
                log.exception("the stories of %d duels could not be read", len(turns))
            for pk, turn in turns.items():
                self._end(turn, stories.get(pk))

    def _end(self, turn: _Turn, story: Story | None) -> None:
        """Tell the facts that were read; without a result retry after one second."""
        if story is None:
            turn.give_back()
            asyncio.get_running_loop().call_later(1.0, self._wanted.set)
            return
        try:
            turn.end(story)
        except Exception:
            log.exception("a duel's story could not be told")


@dataclass(slots=True)
class _Turn:
    """One read of one match: the requests before it, and the work that waits for it."""

    audience: Audience
    asking: set[Listener]
    waiting: list[Callable[[], None]]
    question: Question

    @classmethod
    def begin(cls, audience: Audience) -> _Turn:
        asking, audience.asking = audience.asking, set()
        waiting, audience.waiting = audience.waiting, []
        audience.is_behind = False
        return cls(audience, asking, waiting, Question(audience.no, bool(asking)))

    def give_back(self) -> None:
        """Return the requests to the audience for a retry: nothing was told."""
        self.audience.asking |= self.asking & self.audience.listeners
        self.audience.waiting[:0] = self.waiting
        self.audience.is_behind = True

    def end(self, story: Story) -> None:
        """Send the facts to programs with a state, then the state to those who requested it."""
        audience = self.audience
        for frame in frames_of(story.facts):
            for listener in tuple(audience.listeners):
                if listener.has_state:
                    listener.tell(frame)
        for fact in story.facts:
            audience.told.note(fact)
            audience.count = fact.public_no
        if story.no is not None:
            audience.no = story.no
        if story.snapshot is not None:
            self._tell_state(story.snapshot)
        for work in self.waiting:
            work()

    def _tell_state(self, snapshot: Snapshot) -> None:
        match, audience = snapshot.match, self.audience
        audience.count = match.public_count
        audience.told = Told(match.phase, snapshot.state.options_revision)
        frames: dict[int | None, str] = {}
        for listener in self.asking & audience.listeners:
            seat = snapshot.seat_of(listener.user_id)
            if seat not in frames:
                frames[seat] = state_frame(selectors.match_view(snapshot, seat))
            listener.tell(frames[seat])
            listener.begin()
