"""Loads the state of matches from the cache, or from a checkpoint and later entries.
Source: docs/explanation/performance.md "The journal".
"""

import logging
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final, TypeVar

import msgspec
from django.db import connection
from django.db.models import BigIntegerField, Model, Q

from accounts.models import User
from economy.sql import (
    BulkRows,
    Compiled,
    GivenMany,
    fetch,
    is_any,
    is_postgresql,
    read_rows,
)
from games import registry
from games.engine.structs import replace
from games.engine.table import RUNNING
from games.matches.journal.entries import EntryRow, read_lines
from games.matches.journal.reading import Range, read_entries
from games.matches.journal.replay import Differs, play_on, table_of
from games.matches.journal.snapshots import Snapshot, seating_of
from games.matches.models import Match, Replaced, Seat

log = logging.getLogger(__name__)

Row = TypeVar("Row", bound=Model)

#: Entries.  A cached match that is further behind is read from its checkpoint, not replayed.
MOST_BEHIND: Final = 64

#: The most users whose rows are known to be as they were read.
MOST_USERS: Final = 10_000

#: The columns that an entry may change when it changes only the game.
TURN_COLUMNS: Final = [
    "phase", "seq", "public_count", "action_count", "at_ms", "due_at", "bot_at", "wake_at",
    "is_slow", "summary",
]  # fmt: skip
#: The checkpoint: long texts, and the number of the entry after which they are current.
CHECKPOINT: Final = ["table", "state", "recent", "state_no"]
#: Every column that a batch may change; written with a whole entry.
ALL_COLUMNS: Final = [
    *TURN_COLUMNS,
    *CHECKPOINT,
    "status", "listed", "spectators", "stalled_at", "started_at", "ended_at", "void_reason",
    "successor", "is_rated", "is_staked", "outcome", "size", "mark",
]  # fmt: skip


class MatchCache:
    """The open and running matches that a process used last, never changed in place; used only when
    the row says that they are current, after a replay of what others appended.
    """

    def __init__(self, most: int = 1_000) -> None:
        self._most = most
        self._held: OrderedDict[int, Snapshot] = OrderedDict()
        #: The matches evicted since ``take_let_go``.
        self.let_go: list[Snapshot] = []
        self._lock = threading.Lock()

    def get(self, match_ids: Iterable[int]) -> dict[int, Snapshot]:
        """Return the cached ones of these matches; they may be behind."""
        with self._lock:
            return {pk: self._held[pk] for pk in match_ids if pk in self._held}

    def put(self, matches: Iterable[Snapshot]) -> None:
        """Cache these matches if live, unless a later state is cached; drop the others."""
        with self._lock:
            for cached in matches:
                match_id = cached.match.id
                held = self._held.get(match_id)
                if held is not None and held.match.action_count > cached.match.action_count:
                    continue
                if cached.state.stage in Match.LIVE:
                    self._held[match_id] = cached
                    self._held.move_to_end(match_id)
                elif held is not None:
                    del self._held[match_id]
            while len(self._held) > self._most:
                self.let_go.append(self._held.popitem(last=False)[1])

    def drop(self, match_ids: Iterable[int]) -> None:
        with self._lock:
            for match_id in match_ids:
                self._held.pop(match_id, None)

    def take_let_go(self) -> list[Snapshot]:
        with self._lock:
            let_go, self.let_go = self.let_go, []
        return let_go

    def everything(self) -> list[Snapshot]:
        with self._lock:
            return list(self._held.values())

    def forget(self) -> None:
        with self._lock:
            self._held.clear()
            self.let_go.clear()


match_cache: Final = MatchCache()


class MatchPosition(msgspec.Struct, frozen=True):
    """The last entry and instant of a match by its row."""

    match_id: int
    public_id: str
    no: int
    at_ms: int


def awake() -> Q:
    """Return the condition for matches whose game is installed here; the others sleep."""
    return Q(game__in=registry.slugs())


def standing(match_ids: Iterable[int], rows: Sequence[Match] = ()) -> dict[int, Snapshot]:
    """Return the state of those that can be played here: one query if cached and current, none with
    their ``rows``, just read.
    """
    wanted = list(match_ids)
    if not wanted:
        return {}
    # Before the rows are read: a cached match ahead of its row then has another history.
    held = {} if connection.in_atomic_block else match_cache.get(wanted)
    marks = [_position(row) for row in rows]
    marks = marks or [MatchPosition(*mark) for mark in _MARKS.rows(keys=wanted)]
    found = catch_up(marks, held)
    if not connection.in_atomic_block:
        match_cache.put(found.values())
    return found


_MARKS: Final = Compiled(
    lambda: Match.objects.filter(pk__in=GivenMany("keys", BigIntegerField())).values_list(
        "pk", "public_id", "action_count", "at_ms"
    )
)


def known_at(match: Match) -> Snapshot | None:
    """Return a live match as cached, None if its row says that something has happened since."""
    known = match_cache.get([match.pk]).get(match.pk)
    return known if known and _position(known.match) == _position(match) else None


def _position(match: Match) -> MatchPosition:
    return MatchPosition(match.pk, match.public_id, match.action_count, match.at_ms)


def standing_of(match: Match) -> Snapshot:
    """Return the state of a match; raises LookupError if it cannot be played here."""
    return standing([match.pk])[match.pk]


def catch_up(marks: Sequence[MatchPosition], held: Mapping[int, Snapshot]) -> dict[int, Snapshot]:
    """Bring matches to their rows' entries: no query if all are current and running, else up to
    six.
    """
    found, opened, behind = dict[int, Snapshot](), dict[int, Snapshot](), list[Snapshot]()
    for mark in marks:
        if (cached := held.get(mark.match_id)) is None:
            continue
        match = cached.match
        same = mark.public_id == match.public_id and mark.at_ms == match.at_ms
        if same and mark.no == match.action_count:
            (found if cached.state.stage == RUNNING else opened)[mark.match_id] = cached
        elif 0 < mark.no - match.action_count <= MOST_BEHIND:
            behind.append(cached)
    if behind:
        found |= _go_on(behind)
    if opened:
        found |= _with_same_users(opened)
    # Not cached, or cached with another history: a database may have been set back.
    if rest := [mark.match_id for mark in marks if mark.match_id not in found]:
        match_cache.drop(pk for pk in rest if pk in held)
        found |= load(rest)
    return found


def load(match_ids: Collection[int]) -> dict[int, Snapshot]:
    """Read matches from checkpoints and later entries: four queries, or five."""
    matches = {match.pk: match for match in read_rows(Match, "id", match_ids)}
    seats = _read_seats(matches)
    rest = read_entries(Range(pk, m.state_no + 1, m.action_count) for pk, m in matches.items())
    found = {}
    for match_id, match in matches.items():
        if cached := _from_checkpoint(match, seats[match_id], rest[match_id]):
            found[match_id] = cached
    return _with_replaced(found)


def _with_same_users(opened: Mapping[int, Snapshot]) -> dict[int, Snapshot]:
    """Return the open matches whose users are as cached, by a query or three: before the start
    their status (frozen, administrator) must be read.
    """
    known = {
        pk: [
            *cached.seating.accounts.values(),
            *filter(None, (cached.match.opened_by, cached.match.invited)),
        ]
        for pk, cached in opened.items()
    }
    users = [user for users in known.values() for user in users]
    texts = _texts_of({user.id for user in users})
    if new := {
        user.id for user in users if _users.get(user.id) != (texts.get(user.id), _row(user))
    }:
        rows = {user.id: _row(user) for user in read_rows(User, "id", new)}
        # A row that changed meanwhile is read again the next time.
        texts = {pk: text for pk, text in _texts_of(texts).items() if text == texts[pk]}
        if len(_users) > MOST_USERS:
            _users.clear()
        _users.update({pk: (texts[pk], row) for pk, row in rows.items() if pk in texts})
    return {
        pk: opened[pk]
        for pk, users in known.items()
        if all(_users.get(user.id) == (texts.get(user.id), _row(user)) for user in users)
    }


def _texts_of(users: Collection[int]) -> dict[int, str]:
    """Return these users' rows, each as one text, whose values need not be read one by one."""
    if not users:
        return {}
    is_one, given = is_any("id", users, "bigint")
    rows = fetch(f"SELECT id, {_text()} FROM accounts_user WHERE {is_one}", [given])  # noqa: S608
    return {row[0]: row[1] for row in rows}


@cache
def _text() -> str:
    columns = ", ".join(f'"{field.column}"' for field in User._meta.concrete_fields)
    return "accounts_user::text" if is_postgresql() else f"json_array({columns})"


#: The users of open matches: their rows as the text that was read last, and as their values.
_users: Final[dict[int, tuple[str | None, tuple[Any, ...]]]] = {}
_row: Final = attrgetter(*(field.attname for field in User._meta.concrete_fields))


def _go_on(behind: Sequence[Snapshot]) -> dict[int, Snapshot]:
    """Replay the entries appended since; leave out matches where that is not possible."""
    older = {cached.match.pk: cached for cached in behind}
    rows = _repaced(cached.match for cached in behind)
    # Including the last known entry, which must be unchanged.
    entries = read_entries(Range(m.pk, older[m.pk].no, m.action_count) for m in rows)
    found = {}
    for match in rows:
        cached, rows_after = older[match.pk], entries[match.pk]
        known, fresh = rows_after[:1], rows_after[1:]
        is_same_past = [entry.at_ms for entry in known] == [cached.match.at_ms]
        if not is_same_past or any(entry.is_whole for entry in fresh):
            continue
        try:
            found[match.pk] = play_on(replace(cached, match=match), fresh)
        except Differs:
            log.exception("%r is read again", match)
    return found


def _from_checkpoint(
    match: Match, seats: Iterable[Seat], rest: Sequence[EntryRow]
) -> Snapshot | None:
    try:
        table = table_of(match)
    except KeyError:
        log.warning("%r has a rules version that is not registered", match)
        return None
    sitting = {seat.no: seat for seat in seats}
    names = None
    if match.opened_by is not None and match.invited is not None:
        names = (match.opened_by.username, match.invited.username)
    state = table.decode(match.table, match.state)
    cached = Snapshot(
        *(match, registry.table(match.game), table, state, sitting, table.deadline(state)),
        seating_of(sitting),
        tuple(read_lines(match.recent)),
        challenge=names,
    )
    try:
        return play_on(cached, rest) if rest else cached
    except Differs:
        log.critical("the journal of %r does not give what is stored", match, exc_info=True)
        return None


def _with_replaced(found: dict[int, Snapshot]) -> dict[int, Snapshot]:
    changed = [pk for pk, cached in found.items() if any(s.successions for s in cached.state.seats)]
    if not changed:
        return found
    gone: dict[int, list[Replaced]] = defaultdict(list)
    rows = Replaced.objects.filter(match__in=changed).select_related("user")
    for row in rows.order_by("entry_no"):
        gone[row.match_id].append(row)
    return found | {pk: replace(found[pk], replaced=tuple(gone[pk])) for pk in changed}


def _read_seats(matches: Mapping[int, Match]) -> dict[int, list[Seat]]:
    """Return the seats in order; load their users, openers and invited users."""
    found: dict[int, list[Seat]] = defaultdict(list)
    if not matches:
        return found
    seats = read_rows(Seat, "match_id", matches)
    rows: Sequence[tuple[Model, str]] = [
        *((seat, "user") for seat in seats),
        *((match, name) for match in matches.values() for name in ("opened_by", "invited")),
    ]
    asked = {getattr(row, f"{name}_id") for row, name in rows} - {None}
    users = {user.pk: user for user in read_rows(User, "id", asked)}
    for row, name in rows:
        setattr(row, name, users.get(getattr(row, f"{name}_id")))
    for seat in sorted(seats, key=lambda seat: seat.no):
        found[seat.match_id].append(seat)
    return found


def names_of(columns: Iterable[str]) -> list[str]:
    return [Match._meta.get_field(name).attname for name in columns]  # type: ignore[union-attr]


def copy_row(row: Row) -> Row:
    """Return a copy of a row to change, faster than Django's."""
    copy: Row = type(row).__new__(type(row))
    copy.__dict__.update(row.__dict__)
    return copy


def _repaced(matches: Iterable[Match]) -> list[Match]:
    """Read pace columns again into copies of these rows, without those gone: one query."""
    known = {match.pk: match for match in matches}
    found = []
    for row in _PACE.select(known):
        match = copy_row(known[row[-1]])
        if row[-2] == match.public_id:
            match.__dict__.update(zip(_PACE_NAMES, row, strict=True))
            found.append(match)
    return found


_PACE: Final = BulkRows(Match, [*TURN_COLUMNS, "public_id", "id"])
_PACE_NAMES: Final = names_of([*TURN_COLUMNS, "public_id", "id"])
