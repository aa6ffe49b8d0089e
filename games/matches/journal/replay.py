"""Replay of entries: after a checkpoint, after a cached state, or from the opening.
Source: docs/explanation/durability.md G3; docs/explanation/performance.md "The journal".
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from games import registry
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import replace
from games.engine.table import Table, TableState
from games.matches.journal.entries import EntryRow, lines_of, newest, write_facts
from games.matches.journal.reading import all_entries
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match

DEADLINE = {"kind": "deadline"}
#: One match at a time is replayed as a whole, so that requests cannot take all processors.
_turn: Final = threading.RLock()

Made = TypeVar("Made")


class Differs(Exception):
    """A replayed entry gives other facts than are stored with it."""


def table_of(match: Match) -> Table:
    """Return a match's rules and table; raises KeyError without that version."""
    return Table(registry.rules_of(match.game, match.rules_version))


def play_on(cached: Snapshot, entries: Iterable[EntryRow]) -> Snapshot:
    """Replay entries that changed only the game; raises Differs."""
    sentences, names = cached.game.speech.sentences, cached.seating.names
    table, state, lines, expected = cached.table, cached.state, list(cached.lines), None
    for entry in entries:
        try:
            step = _step(table, state, entry)
        except IllegalAction as refusal:
            raise Differs(f"entry {entry.no} is refused: {refusal}") from refusal
        state = step.state
        if (write_facts(step.events), table.phase(state)) != (entry.facts, entry.phase):
            raise Differs(f"entry {entry.no} gives other facts")
        if entry.last_seq != (expected or entry.last_seq - len(step.events)) + len(step.events):
            raise Differs(f"entry {entry.no} does not follow on the one before it")
        expected = entry.last_seq
        earlier = entry.last_public - sum(fact.audience is None for fact in step.events)
        lines += lines_of(step.events, earlier, entry.phase, names, sentences)
    return replace(cached, state=state, due_at=table.deadline(state), lines=newest(lines))


def _step(table: Table, state: TableState, entry: EntryRow) -> Step[TableState]:
    at = Instant(entry.at_ms)
    if entry.seat is None:
        return table.apply_house(state, DEADLINE, at)
    return table.apply(state, SeatNo(entry.seat), entry.action, at)


@dataclass(frozen=True, slots=True)
class Replay:
    """The final state of a replay in canonical text, and whether it equals what is stored."""

    table: str
    state: str
    is_same: bool


def replay_match(match: Match) -> Replay:
    """Replay and compare the whole journal; raises as ``replayed``."""
    table = table_of(match)
    state = table.decode(match.origin, "")
    is_same = match.state_no > 0 or (match.table, match.state) == table.encode(state)
    last = 0
    for entry, step in replayed(match):
        state, last = step.state, entry.no
        is_same &= write_facts(step.events) == entry.facts
        if entry.no == match.state_no:
            is_same &= (match.table, match.state) == table.encode(state)
    return Replay(*table.encode(state), is_same and last == match.action_count)


def replayed(match: Match) -> Iterator[tuple[EntryRow, Step[TableState]]]:
    """Yield each entry with its step. Raises KeyError, IllegalAction if the rules now refuse it."""
    table = table_of(match)
    state = table.decode(match.origin, "")
    for entry in all_entries(match.pk, match.action_count):
        step = whole_step(match, table, state, entry)
        yield entry, step
        state = step.state


def whole_step(match: Match, table: Table, state: TableState, entry: EntryRow) -> Step[TableState]:
    """Apply any entry; the kind of its action shows whether the house acted."""
    action, at = json.loads(entry.action), Instant(entry.at_ms)
    seat = None if entry.seat is None else SeatNo(entry.seat)
    if table.is_house_action(action, seat):
        given = {**action, "seed": match.seed} if action["kind"] == "start" else action
        return table.apply_house(state, given, at)
    return table.apply(state, seat, action, at)


class ReplayCache(Generic[Made]):
    """Results of ``make`` for the last finished matches asked for."""

    def __init__(self, make: Callable[[Match], Made], most: int = 16) -> None:
        self._make, self._most = make, most
        self._held: OrderedDict[tuple[str, int], Made] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, match: Match) -> Made:
        """Return what is made of a match; raises ValueError if it is live, KeyError."""
        if match.is_live:
            raise ValueError("a running match has secrets")
        key = (match.public_id, match.action_count)
        if (found := self._look(key)) is not None:
            return found
        with _turn:
            found = self._look(key) or self._make(match)
            with self._lock:
                self._held[key] = found
                while len(self._held) > self._most:
                    self._held.popitem(last=False)
        return found

    def forget(self) -> None:
        with self._lock:
            self._held.clear()

    def _look(self, key: tuple[str, int]) -> Made | None:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)
