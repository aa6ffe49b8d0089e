"""The narrator: reads the journal of each match once for all its programs, and tells it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, Protocol

from django.db import OperationalError

from games.jsonrpc.interface import REMATCH, Fact, Interface, Position, Words
from games.matches.journal.snapshots import Snapshot
from games.matches.journal.story import SEATING, facts_after
from games.matches.models import Match
from games.matches.queries import selectors
from games.matches.queries.match_view import FULL
from games.realtime.executors import Poller
from games.realtime.protocol import write
from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

#: Seconds until what could not be read is read again.
RETRY: Final = 1.0


@dataclass(frozen=True, slots=True)
class Story:
    """The facts after those told before, their last entry, and the state, if requested."""

    facts: tuple[Fact, ...]
    no: int
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A request to read a match: the facts after entry ``no`` (None: none), and the state."""

    no: int | None
    wants_state: bool


def read_stories(questions: Mapping[int, Question]) -> dict[int, Story]:
    """Read the next part of the story of each match; a match whose read fails is left out. Raises
    OperationalError.
    """
    found = {}
    for match_id, asked in questions.items():
        try:
            found[match_id] = read_story(match_id, asked)
        except OperationalError:
            raise
        except Exception:
            log.exception("the story of match %d could not be read", match_id)
    return found


def read_story(match_id: int, asked: Question) -> Story:
    """Read the next part of a match's story; a state comes with exactly the facts that led to it.
    Raises LookupError: the match cannot be played here.
    """
    if asked.wants_state:
        snapshot = selectors.snapshots([match_id])[match_id]
        return Story(_facts(match_id, asked.no, snapshot.no), snapshot.no, snapshot)
    last: int = Match.objects.values_list("action_count", flat=True).get(pk=match_id)
    return Story(_facts(match_id, asked.no, last), last)


def _facts(match_id: int, no: int | None, last: int) -> tuple[Fact, ...]:
    """Return a match's facts after entry ``no`` up to entry ``last``, in order."""
    found = []
    for told in () if no is None else facts_after(match_id, no, last):
        data = dict(told.data)
        if told.kind in SEATING:
            data["name"] = told.name or ""
        elif told.kind == REMATCH:
            following = Match.objects.filter(predecessor=match_id)
            data["public_id"] = following.values_list("public_id", flat=True).first() or ""
        entry = told.entry
        found.append(Fact(entry.no, entry.phase, told.kind, data, told.audience, entry.sitter_id))
    return tuple(found)


class Listener(Protocol):
    """A program's socket."""

    user_id: int | None
    #: Whether it has got the state; from then on it gets every fact that it may hear.
    has_state: bool

    def tell(self, text: str) -> None: ...

    def begin(self) -> None:
        """Called after the state was sent; may be called again."""


@dataclass(slots=True)
class Audience:
    """The programs at one match. ``asking`` wait for a state, ``behind`` for facts; nobody else
    waits, so that no delay tells of a fact that the program may not hear.
    """

    interface: Interface
    position: Position = field(default_factory=Position)
    listeners: set[Listener] = field(default_factory=set)
    asking: set[Listener] = field(default_factory=set)
    behind: set[Listener] = field(default_factory=set)
    waiting: list[Callable[[], None]] = field(default_factory=list)


#: The key of the narrator among the runners of a web process.
NARRATOR: Final = f"{__name__}.Narrator"


class Narrator(Poller):
    """The narrator of all programs of this process. All that have the state of a match are at the
    same entry; they hear the public facts and those of the seat that their user had then.
    """

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime.reads)
        self._audiences: dict[int, Audience] = {}

    def enter(self, match_id: int, listener: Listener, interface: Interface) -> None:
        """Add a program; it gets the whole state first."""
        audience = self._audiences.setdefault(match_id, Audience(interface))
        audience.listeners.add(listener)
        self.ask(match_id, listener)

    def leave(self, match_id: int, listener: Listener) -> None:
        """Remove a program, and the match with its last program."""
        audience = self._audiences.get(match_id)
        if audience is None:
            return
        for group in (audience.listeners, audience.asking, audience.behind):
            group.discard(listener)
        if not audience.listeners:
            del self._audiences[match_id]

    def ask(self, match_id: int, listener: Listener) -> None:
        """Request the whole state for a program."""
        audience = self._audiences[match_id]
        audience.asking.add(listener)
        self._look_again(audience, listener)

    def moved(self, match_id: int, listener: Listener, no: int) -> None:
        """Request new facts for a program that can see a change, if ``no`` is a later entry."""
        audience = self._audiences[match_id]
        if no > (audience.position.no or 0):
            self._look_again(audience, listener)

    def afterwards(self, match_id: int, listener: Listener, work: Callable[[], None]) -> None:
        """Do the work after the program was told all that it may know by now."""
        audience = self._audiences.get(match_id)
        if audience is None or listener not in audience.behind:
            work()
        else:
            audience.waiting.append(work)

    def position(self, match_id: int) -> Position:
        return self._audiences[match_id].position

    def _look_again(self, audience: Audience, listener: Listener) -> None:
        audience.behind.add(listener)
        self._wanted.set()

    async def _refresh(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            turns = {pk: _Turn(a) for pk, a in self._audiences.items() if a.behind}
            stories: dict[int, Story] = {}
            try:
                questions = {pk: turn.question for pk, turn in turns.items()}
                stories = await self._executor.run(read_stories, questions)
            except Exception:
                log.exception("the stories of %d matches could not be read", len(turns))
            for pk, turn in turns.items():
                self._end(turn, stories.get(pk))

    def _end(self, turn: _Turn, story: Story | None) -> None:
        """Tell what was read; without a result read again after ``RETRY`` s."""
        if story is None:
            turn.give_back()
            asyncio.get_running_loop().call_later(RETRY, self._wanted.set)
            return
        try:
            turn.end(story)
        except Exception:
            log.exception("a story could not be sent")


class _Turn:
    """One read of one match: the requests before it, and the work that waits for it."""

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.question = Question(audience.position.no, bool(audience.asking))
        self._taken = audience.asking, audience.behind, audience.waiting
        audience.asking, audience.behind, audience.waiting = set(), set(), []

    def give_back(self) -> None:
        """Return the requests to the audience for a retry: nothing was told."""
        asking, behind, waiting = self._taken
        self.audience.asking |= asking & self.audience.listeners
        self.audience.behind |= behind & self.audience.listeners
        self.audience.waiting[:0] = waiting

    def end(self, story: Story) -> None:
        """Send the facts to programs with a state, then the state to those who requested it."""
        asking, _, waiting = self._taken
        for _, together in groupby(story.facts, key=lambda fact: fact.entry_no):
            self._tell(tuple(together))
        self.audience.position.no = story.no
        if story.snapshot is not None:
            self._tell_state(story.snapshot, asking)
        for work in waiting:
            work()

    def _tell(self, facts: Sequence[Fact]) -> None:
        """Send what became true together as one message, to each seat what it may hear."""
        audience = self.audience
        for fact in facts:
            audience.position.note(fact)
        told = [(fact.audience, audience.interface.tell(fact)) for fact in facts]
        frames: dict[int | None, str] = {}
        for listener in tuple(audience.listeners):
            seat = audience.position.seat_of(listener.user_id)
            if seat not in frames:
                heard = [words for hearers, words in told if hearers is None or seat in hearers]
                frames[seat] = self._frame([word for words in heard for word in words])
            if listener.has_state and frames[seat]:
                listener.tell(frames[seat])

    def _tell_state(self, snapshot: Snapshot, asking: set[Listener]) -> None:
        audience = self.audience
        audience.position = Position.of(snapshot)
        frames: dict[int | None, str] = {}
        for listener in asking & audience.listeners:
            seat = audience.position.seat_of(listener.user_id)
            if seat not in frames:
                view = selectors.match_view(snapshot, seat)
                frames[seat] = self._frame(audience.interface.state(view))
            listener.tell(frames[seat])
            listener.begin()

    def _frame(self, words: Words) -> str:
        """Return notifications as a message, empty for none. Where roles are hidden, blanks fill it
        up: sizes show through TLS.
        """
        if not words:
            return ""
        text = write(words if len(words) > 1 else words[0])
        fill = -len(text.encode()) % FULL if self.audience.interface.hides_presence else 0
        return text + " " * fill
