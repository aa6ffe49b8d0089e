"""Finished matches played again from their journals, cached without names, which may change."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from games import registry
from games.contract import TableGame
from games.engine.errors import IllegalAction
from games.engine.facts import Instant
from games.engine.table import Table, TableState
from games.matches.journal.entries import LINES, EntryRow, Recorded, write_facts
from games.matches.journal.reading import Range, read_entries
from games.matches.journal.replay import Differs, ReplayCache, table_of, whole_step
from games.matches.journal.story import TAKEN_OVER, Finished, HeldFact, Holders
from games.matches.models import Match

#: Entries from one kept frame to the next.
EVERY: Final = 50

#: The kinds of facts of any table at which a replay stops: changes of a running game, and its pay.
MOMENTS: Final = frozenset(
    {
        *(TAKEN_OVER, "clock_stalled", "clock_resumed"),
        *("bonus_paid", "awards_paid", "awards_withheld"),
    }
)
#: Kind of fact -> whether the clock is stopped after it.
_STALLS: Final = {"clock_stalled": True, "clock_resumed": False}


class Frame(msgspec.Struct, frozen=True):
    """A match after an entry, with every secret: only a view built from it is sent. ``heard``: the
    last public facts with a sentence, for the log.
    """

    no: int
    at: Instant
    phase: int
    state: TableState
    users: Mapping[int, int]
    facts: tuple[Recorded, ...] = ()
    heard: tuple[HeldFact, ...] = ()
    is_stalled: bool = False


class Recording(msgspec.Struct, frozen=True):
    """A finished match: the entries at which a replay stops, with their phases, and some frames.
    ``sitters``: all users who ever sat there.
    """

    match: Match
    game: TableGame
    table: Table
    moments: tuple[tuple[int, int], ...]
    frames: tuple[Frame, ...]
    sitters: frozenset[int] = frozenset()

    def frames_between(self, first: int, last: int) -> Iterator[Frame]:
        """Yield the frames after the entries from ``first`` to ``last``, both included."""
        frame = self.frames[min(max(first - 1, 0) // EVERY, len(self.frames) - 1)]
        rows = read_entries([Range(self.match.pk, frame.no + 1, last)])[self.match.pk]
        for entry in rows:
            frame = _after(self, frame, entry)
            if entry.no >= first:
                yield frame


def _record(match: Match) -> Recording:
    table = table_of(match)
    finished = Finished(match)
    state = table.decode(match.origin, "")
    frame = Frame(0, Instant(0), 0, state, finished.opening)
    found = Recording(match, registry.table(match.game), table, (), (frame,))
    kinds = MOMENTS | found.game.replay.moments
    moments, frames, sitters = list[tuple[int, int]](), [frame], set(finished.opening.values())
    for entry in finished.entries:
        frame = _after(found, frame, entry)
        sitters.update(frame.users.values())
        if any(fact.kind in kinds for fact in frame.facts):
            moments.append((frame.no, frame.phase))
        if frame.no % EVERY == 0:
            frames.append(frame)
    return Recording(match, found.game, table, tuple(moments), tuple(frames), frozenset(sitters))


def _after(recording: Recording, frame: Frame, entry: EntryRow) -> Frame:
    """Return the frame after one more entry; raises Differs if the rules now refuse it, or give
    other facts.
    """
    try:
        step = whole_step(recording.match, recording.table, frame.state, entry)
    except IllegalAction as refusal:
        raise Differs(f"entry {entry.no} is refused: {refusal}") from refusal
    if write_facts(step.events) != entry.facts:
        raise Differs(f"entry {entry.no} gives other facts")
    holders, sentences = Holders(frame.users), recording.game.speech.sentences
    told = list(holders.facts_of(entry))
    facts = tuple(held.fact for held in told)
    heard = [
        *frame.heard,
        *(h for h in told if h.fact.audience is None and sentences.get(h.fact.kind) is not None),
    ]
    is_stalled = frame.is_stalled
    for fact in facts:
        is_stalled = _STALLS.get(fact.kind, is_stalled)
    return Frame(
        entry.no,
        Instant(entry.at_ms),
        entry.phase,
        step.state,
        holders.users,
        facts,
        tuple(heard[-LINES:]),
        is_stalled,
    )


#: The recordings of this process.  Making one raises Differs where the journal does not give what
#: is stored.
recordings: Final = ReplayCache(_record)
