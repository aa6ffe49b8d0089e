"""A locked match in a batch: its state at the lock, its new state, the rows to store.
Source: docs/explanation/performance.md "The journal".
"""

import math
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from accounts.models import User
from economy.units import Unit
from games.engine.facts import Instant, SeatNo, Step, Told, as_datetime
from games.engine.structs import canonical, replace
from games.engine.table import FINISHED, OPEN, OVER, RUNNING, TableState
from games.engine.table.actions import PERSON_KINDS
from games.matches.journal.entries import EntryRow, lines_of, newest, write_facts, write_lines
from games.matches.journal.loading import copy_row
from games.matches.journal.snapshots import NOTHING, News, Snapshot, seating_of, sitter_of
from games.matches.journal.story import SEATING
from games.matches.models import Replaced, Seat
from games.matches.processing.submissions import Submission
from games.matches.queries.ratings import is_rated, is_staked, pool_in
from games.matches.queries.selectors import read_summary
from games.text.telling import FORMER

#: Seconds.  Views read the sitters' belongings again after this; at once when points move.
LOOK_AGAIN: Final = 2.0
#: Entries.  The checkpoint is written when a batch crosses a multiple of this.
CHECKPOINT_EVERY: Final = 32


class AcceptedAction(msgspec.Struct, frozen=True):
    """An accepted action of a seat, or of the house; ``sitter``: who sits down by it."""

    action: Mapping[str, Any]
    submission: Submission | None = None
    seat: SeatNo | None = None
    sitter: User | None = None


class LockedMatch:
    """One match of a batch, from its lock to its writing."""

    def __init__(self, before: Snapshot, now: Instant) -> None:
        self.before = before
        self.match = copy_row(before.match)
        self.game, self.table = before.game, before.table
        self.state: TableState[Any] = before.state
        self.at = Instant(max(before.match.at_ms, now))
        #: The next deadline, and whether it has passed.
        self.due_at = before.due_at
        self.is_overdue = self.due_at is not None and self.due_at <= self.at
        #: Whether the clock is a slow one; the row says so once the batch is projected.
        self.is_slow = self.match.is_slow
        #: Copied before the first change, because cached states share these seats.
        self.seats: Mapping[int, Seat] = before.seats
        self.seating = before.seating
        self.entries: list[EntryRow] = []
        self.told: list[Told] = []
        self.new_seats: list[Seat] = []
        self.gone_seats: list[Seat] = []
        self.replaced: tuple[Replaced, ...] = before.replaced
        self.successor: str | None = None
        #: Whether an entry changed more than the game, so that the whole row is written.
        self.is_whole = False
        #: Whether anything happened that everybody may notice.
        self.is_public = False
        #: The last public lines.
        self.lines = before.lines
        #: The stored seats with changes; new seats are stored anyway.
        self.changed_seats: set[int] = set()
        self._noticed_by: set[int] = set()
        self._sitters, self._looked_at = before.sitters, before.looked_at

    @property
    def needs_checkpoint(self) -> bool:
        if self.is_whole or (self.is_slow and self.has_new_phase):
            return True
        before, after = self.before.match.action_count, self.match.action_count
        return after // CHECKPOINT_EVERY > before // CHECKPOINT_EVERY

    @property
    def now(self) -> datetime:
        return as_datetime(self.at)

    @property
    def has_just_ended(self) -> bool:
        """Whether the game was played to its end since the lock."""
        return self.state.stage == OVER and self.match.ended_at is None

    @property
    def has_new_phase(self) -> bool:
        return self.match.phase != self.before.match.phase

    @property
    def is_ending(self) -> bool:
        """Whether the table was finished since the lock, by play or otherwise."""
        return self.state.stage in FINISHED and self.match.ended_at is None

    def seat_of(self, user_id: int | None) -> SeatNo | None:
        for no, sitting in self.seating.users.items():
            if sitting == user_id:
                return SeatNo(no)
        return None

    def is_played_by(self, user_id: int | None) -> bool:
        user = self.seating.accounts.get(user_id or 0)
        return user is not None and not user.is_bot

    def change_seat(self, no: int, **changes: Any) -> None:
        seat = self.seats[no]
        if seat.pk is not None:
            seat = copy_row(seat)
            self.seats = {**self.seats, no: seat}
            self.changed_seats.add(no)
        seat.__dict__.update(changes)

    def keep(self, step: Step[TableState[Any]], accepted: AcceptedAction) -> None:
        """Accept a step as the match's new state and as an entry of its journal."""
        match, before, after, events = self.match, self.state, step.state, step.events
        # The game alone can replay an action of a seat, or a deadline, that changed only the game.
        replays = accepted.seat is not None or accepted.action.get("kind") == "deadline"
        is_whole = not (
            replays
            and before.stage == after.stage == RUNNING
            and not after.differs_around_play(before)
        )
        phase = self.table.phase(after)
        if is_whole or phase != match.phase or self.is_slow:
            # A clock changes its length with a phase, or when the rest is played out.
            self.is_slow = self.table.is_slow(after)
        self.is_whole |= is_whole
        self.state, self.due_at = after, self.table.deadline(after)
        self.is_overdue = self.due_at is not None and self.due_at <= self.at
        match.phase = phase
        match.action_count += 1
        match.seq += len(events)
        # With the names of those who stand up by the entry.
        names = self.seating.names
        if accepted.sitter is not None:
            sat = next(event for event in events if event.kind in SEATING)
            names = self._take_seat(sat.data["seat"], accepted.sitter)
        lines = lines_of(events, match.public_count, phase, names, self.game.speech.sentences)
        if lines:
            self.lines = newest([*self.lines, *lines])
        self._note_facts(events)
        self.told += events
        if accepted.seat is None or not events:
            self.is_public = True
        self.entries.append(self._entry(accepted, events, is_whole=is_whole))
        if before.play is not None:
            self._note_conduct(accepted)

    @property
    def knows_belongings(self) -> bool:
        return time.monotonic() - self._looked_at < LOOK_AGAIN

    def note_belongings(self, belongings: Mapping[int, Mapping[Unit, int]]) -> None:
        self._looked_at = time.monotonic()
        self._sitters = {
            no: sitter_of(seat, belongings[self.seating.users[no]])
            for no, seat in self.seats.items()
        }

    def note_results(self) -> None:
        for seat, ended in self.table.rules.outcome(self.state.play).items():
            self.change_seat(seat, net=ended.net, result=ended.result)

    def snapshot(self) -> Snapshot:
        if not self.entries:
            return self.before
        # Everybody's view changes, unless a seat acted in secret; each game's tests prove that no
        # other view changes then.
        news = None
        if not self.is_public:
            news = News(self.before.match.action_count, frozenset(self._noticed_by))
        return replace(
            self.before,
            match=self.match,
            state=self.state,
            due_at=self.due_at,
            seats=self.seats,
            seating=self.seating,
            lines=self.lines,
            sitters=self._sitters,
            looked_at=self._looked_at,
            replaced=self.replaced,
            successor=self.successor,
            news=news,
        )

    def _entry(
        self, accepted: AcceptedAction, events: tuple[Told, ...], *, is_whole: bool
    ) -> EntryRow:
        match, action, submission = self.match, accepted.action, accepted.submission
        asked = None
        if submission is None:
            text = canonical(action)
        else:
            text = submission.text if submission.action is action else canonical(action)
            asked = None if submission.asked == text else submission.asked
        return EntryRow(
            match_id=match.id,
            no=match.action_count,
            actor_id=None if submission is None else submission.actor_id,
            seat=accepted.seat,
            sitter_id=accepted.sitter.pk if accepted.sitter else None,
            action_id=submission.action_id if submission else f"house-{match.action_count}",
            action=text,
            asked=asked,
            phase=match.phase,
            facts=write_facts(events),
            at_ms=self.at,
            last_seq=match.seq,
            last_public=match.public_count,
            is_whole=is_whole,
        )

    def _note_facts(self, events: tuple[Told, ...]) -> None:
        absences = self.game.counts.absences
        for event in events:
            if event.audience is None:
                self.match.public_count += 1
                self.is_public = True
            else:
                self._noticed_by |= event.audience
            if event.kind in absences:
                seat = event.data["seat"]
                if event.data == {**absences[event.kind], "seat": seat}:
                    self.change_seat(seat, timed_out_at=self.now)
            elif event.kind == "stood" and event.data["seat"] in self.seats:
                self._vacate(event.data["seat"])

    def _note_conduct(self, accepted: AcceptedAction) -> None:
        """Note that a seat has played or left; one open to a substitute has not."""
        kind, no = accepted.action["kind"], accepted.seat
        if no is None:
            if kind == "expel" and not self.state.seats[accepted.action["seat"]].is_offered:
                self.change_seat(accepted.action["seat"], has_left=True)
            return
        if kind == "leave":
            self.change_seat(no, has_left=True)
        if not self.seats[no].has_played and kind not in self.game.counts.idle | PERSON_KINDS:
            self.change_seat(no, has_played=True)

    def _take_seat(self, no: int, user: User) -> Mapping[int, str]:
        """Seat a user and return the names; the previous holder is kept as replaced."""
        former = {}
        if (old := self.seats.get(no)) is not None:
            former = {FORMER: self.seating.names[no]}
            count = self.match.action_count
            gone = Replaced(match=self.match, no=no, user=old.user, entry_no=count, at=self.now)
            self.replaced = (*self.replaced, gone)
            self._vacate(no)
        seat = Seat(match=self.match, no=no, user=user, seen_at=self.now)
        self._seat({**self.seats, no: seat})
        self.new_seats.append(seat)
        return {**self.seating.names, **former}

    def _seat(self, seats: Mapping[int, Seat]) -> None:
        self.seats, self.seating = seats, seating_of(seats)
        self._sitters, self._looked_at = NOTHING, -math.inf

    def _vacate(self, no: int) -> None:
        seat = self.seats[no]
        self._seat({other: kept for other, kept in self.seats.items() if other != no})
        if seat in self.new_seats:
            self.new_seats.remove(seat)
        else:
            self.gone_seats.append(seat)


def write_columns(locked: LockedMatch) -> bool:
    """Update a match's row with the batch's entries; return whether with a checkpoint."""
    match, state = locked.match, locked.state
    match.at_ms = locked.at
    match.due_at = None if locked.due_at is None else as_datetime(locked.due_at)
    match.is_slow = locked.is_slow
    if state.stage != RUNNING:
        match.bot_at = match.stalled_at = None
    match.wake_at = match.due_at
    if match.bot_at and (match.due_at is None or match.bot_at < match.due_at):
        match.wake_at = match.bot_at
    if locked.is_whole or locked.has_new_phase or locked.changed_seats:
        # Within a phase it changes only when somebody leaves; see tests/games/test_summaries.py.
        shown = {}
        if state.play is not None:
            shown = locked.game.lists.summary(locked.table.rules.public_view(state.play))
        open_seats = len(locked.table.open_seats(state))
        lists = {"players": players(locked, state), "open_seats": open_seats}
        match.summary = canonical({**shown, **lists})
    if has_checkpoint := locked.needs_checkpoint:
        _project_whole(locked)
    return has_checkpoint


def _project_whole(locked: LockedMatch) -> None:
    match, state = locked.match, locked.state
    match.table, match.state = locked.table.encode(state)
    match.recent, match.state_no = write_lines(locked.lines), match.action_count
    if state.stage == RUNNING and match.started_at is None:
        match.started_at = locked.now
    if state.is_finished and match.ended_at is None:
        match.ended_at = locked.now
        match.outcome = read_summary(match.summary).get("outcome", "")
        match.size = len(state.taken)
    match.status = state.stage
    match.listed, match.spectators = state.options.listed, state.options.spectators
    if state.stage == OPEN:
        match.is_rated = is_rated(locked.game, state)
    elif pool := pool_in(locked.game, state.options):
        match.mark = pool
    match.is_staked = is_staked(locked.table.rules, state)


def players(locked: LockedMatch, state: TableState[Any]) -> list[dict[str, Any]]:
    """Return the list entries of the users seated at this table, or at its next one."""
    return [
        {
            "name": locked.seating.names[s.no],
            "bot": s.bot,
            "ready": s.ready,
            "rating": locked.seats[s.no].rating,
        }
        for s in state.taken
        if s.no in locked.seats
    ]
