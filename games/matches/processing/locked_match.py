"""A locked match in a batch: its state at the lock, its new state, and the rows to store."""

import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from accounts.models import User
from economy.units import Unit
from games import registry
from games.contract import TableGame
from games.engine.facts import Instant, SeatNo, Step, Told, as_datetime
from games.engine.table import OVER, RUNNING, TableState
from games.engine.table.actions import PERSON_KINDS
from games.matches.journal.columns import twin
from games.matches.journal.entries import EntryRow, write_facts
from games.matches.journal.lines import Line, newest, told_lines
from games.matches.journal.match_cache import CachedMatch, names_at, users_at
from games.matches.journal.sitters import names_for, sitter_of
from games.matches.journal.story import SEATING
from games.matches.models import Replaced, Seat
from games.matches.processing.accepted_action import AcceptedAction
from games.matches.queries.snapshots import News, Snapshot

#: Seconds.  Views read the sitters' belongings again after this; at once when points move.
LOOK_AGAIN: Final = 2.0
#: Entries.  The checkpoint is written when a batch crosses a multiple of this.
CHECKPOINT_EVERY: Final = 32


class LockedMatch:
    """One match of a batch, from its lock to its writing."""

    def __init__(self, cached: CachedMatch, now: Instant) -> None:
        self.match = twin(cached.match)
        self.game: TableGame = registry.table(cached.match.game)
        self.table = cached.table
        self.state: TableState[Any] = cached.state
        #: Copied before the first change, because cached states share these seats.
        self.seats: Mapping[int, Seat] = cached.seats
        self.users, self.names = cached.users, cached.names
        self.at = Instant(max(cached.match.at_ms, now))
        self.entries: list[EntryRow] = []
        self.told: list[Told] = []
        self.new_seats: list[Seat] = []
        self.gone_seats: list[Seat] = []
        self.replaced: tuple[Replaced, ...] = cached.replaced
        self.successor: str | None = None
        #: Whether an entry changed more than the game, so that the whole row is written.
        self.is_whole = False
        self._cached = cached
        self._lines: list[Line] = list(cached.lines)
        self._changed_seats: set[int] = set()
        self._noticed_by: set[int] = set()
        self._is_public = False
        self._sitters, self._looked_at = cached.sitters, cached.looked_at

    @property
    def is_changed(self) -> bool:
        """Whether anything was accepted since the lock."""
        return bool(self.entries)

    @property
    def changed_seats(self) -> list[Seat]:
        """The stored seats with changes; new seats are stored anyway."""
        return [self.seats[no] for no in sorted(self._changed_seats & self.seats.keys())]

    @property
    def needs_checkpoint(self) -> bool:
        """Whether to write the checkpoint; slow matches, seldom cached, write one each phase."""
        if self.is_whole or (self.match.is_slow and self.has_new_phase):
            return True
        before, after = self._cached.no, self.match.action_count
        return after // CHECKPOINT_EVERY > before // CHECKPOINT_EVERY

    @property
    def now(self) -> datetime:
        """The instant at which this batch acts on the match."""
        return as_datetime(self.at)

    @property
    def due_at(self) -> Instant | None:
        """The next deadline."""
        return self.table.deadline(self.state)

    @property
    def is_overdue(self) -> bool:
        """Whether the deadline has passed."""
        return self.due_at is not None and self.due_at <= self.at

    @property
    def has_just_ended(self) -> bool:
        """Whether the game was played to its end since the lock."""
        return self.state.stage == OVER and self.match.ended_at is None

    @property
    def has_new_phase(self) -> bool:
        """Whether the match is in another phase than when it was locked."""
        return self.match.phase != self._cached.match.phase

    @property
    def is_ending(self) -> bool:
        """Whether the table was finished since the lock, by play or otherwise."""
        return self.state.is_finished and self.match.ended_at is None

    def seat_of(self, user_id: int | None) -> SeatNo | None:
        """Return the seat of a user."""
        for no, seat in self.seats.items():
            if seat.user_id == user_id:
                return SeatNo(no)
        return None

    def is_played_by(self, user_id: int | None) -> bool:
        """Whether a user sits here; bots do not count."""
        return any(s.user_id == user_id and not s.user.is_bot for s in self.seats.values())

    def change_seat(self, no: int, **changes: Any) -> None:
        """Change columns of a seat, on a copy if it is stored: others still read the old one."""
        seat = self.seats[no]
        if seat.pk is not None:
            seat = twin(seat)
            self.seats = {**self.seats, no: seat}
            self._changed_seats.add(no)
        seat.__dict__.update(changes)

    def keep(self, step: Step[TableState[Any]], accepted: AcceptedAction) -> None:
        """Accept a step as the match's new state and as an entry of its journal."""
        match, before, events = self.match, self.state, step.events
        is_whole = _is_whole(before, step.state, accepted)
        self.is_whole |= is_whole
        self.state = step.state
        match.phase = self.table.phase(step.state)
        match.action_count += 1
        match.seq += len(events)
        match.public_count += sum(event.audience is None for event in events)
        names = self.names
        if accepted.sitter is not None:
            sat = next(event for event in events if event.kind in SEATING)
            self._take_seat(sat.data["seat"], accepted.sitter)
        self.entries.append(
            EntryRow(
                match_id=match.pk,
                no=match.action_count,
                actor_id=accepted.actor_id,
                seat=accepted.seat,
                sitter_id=accepted.sitter.pk if accepted.sitter else None,
                action_id=accepted.submission.action_id
                if accepted.submission
                else f"house-{match.action_count}",
                action=accepted.text,
                asked=accepted.asked,
                phase=match.phase,
                facts=write_facts(events),
                at_ms=self.at,
                last_seq=match.seq,
                last_public=match.public_count,
                is_whole=is_whole,
            )
        )
        self.told += events
        self._note_who_notices(events, accepted.seat)
        self._note_conduct(events, accepted, has_begun=before.play is not None)
        self._tell(events, names)

    @cached_property
    def cached(self) -> CachedMatch:
        """The state to cache for the next batch after the commit; read it when the batch ends."""
        if not self.is_changed:
            return self._cached
        return CachedMatch(
            self.match,
            self.table,
            self.state,
            self.seats,
            self.lines,
            self._sitters,
            self._looked_at,
            self.replaced,
        )

    @property
    def knows_belongings(self) -> bool:
        """Whether the sitters' belongings were read less than two seconds ago."""
        return self._sitters is not None and time.monotonic() - self._looked_at < LOOK_AGAIN

    def note_belongings(self, belongings: Mapping[int, Mapping[Unit, int]]) -> None:
        """Store the sitters' belongings, given by user."""
        self._looked_at = time.monotonic()
        self._sitters = {
            no: sitter_of(seat, belongings[seat.user_id]) for no, seat in self.seats.items()
        }

    def note_results(self) -> None:
        """Store the result of the finished game on each seat: points, and won, drawn or lost."""
        for seat, ended in self.table.rules.outcome(self.state.play).items():
            self.change_seat(seat, net=ended.net, result=ended.result)

    def snapshot(self) -> Snapshot:
        """Return the current state of the match, with the sitters' belongings."""
        seen_by = frozenset(self._noticed_by)
        news = None if self._is_public else News(self._cached.no, seen_by)
        return Snapshot(self.cached, self._sitters or {}, self.successor, news)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The last public lines."""
        self._lines = newest(self._lines)
        return tuple(self._lines)

    @property
    def is_public(self) -> bool:
        """Whether anything happened that everybody may notice."""
        return self._is_public

    def _note_who_notices(self, events: Iterable[Told], seat: SeatNo | None) -> None:
        """Record whose views a step changes: everybody's, unless a seat acted in secret."""
        # Each game's tests prove that no other view changes then.
        audiences = [event.audience for event in events]
        if seat is None or not audiences or None in audiences:
            self._is_public = True
        self._noticed_by.update(*(audience or () for audience in audiences))

    def _note_conduct(
        self, events: Iterable[Told], accepted: AcceptedAction, *, has_begun: bool
    ) -> None:
        """Record on seats who has played and who has timed out."""
        counts, seat = self.game.counts, accepted.seat
        for event in events:
            absent = counts.absences.get(event.kind)
            if absent is not None and event.data == {**absent, "seat": event.data["seat"]}:
                self.change_seat(event.data["seat"], timed_out_at=self.now)
        if has_begun:
            self._note_leaving(accepted)
        if seat is None or not has_begun or self.seats[seat].has_played:
            return
        if accepted.action["kind"] not in counts.idle | PERSON_KINDS:
            self.change_seat(seat, has_played=True)

    def _note_leaving(self, accepted: AcceptedAction) -> None:
        """Record on a seat that it left, or was expelled and is not open to a substitute."""
        kind, no = accepted.action["kind"], accepted.seat
        if (
            no is None
            and kind == "expel"
            and not self.state.seats[accepted.action["seat"]].is_offered
        ):
            no = accepted.action["seat"]
        if no is not None and kind in ("leave", "expel"):
            self.change_seat(no, has_left=True)

    def _tell(self, events: tuple[Told, ...], before: Mapping[int, str]) -> None:
        """Add the public facts to the lines that views show; vacate seats of users who stood up.

        Args:
            before: seat -> user name before the entry.
        """
        match = self.match
        tell = self.game.speech.tell
        # In order: the fact of standing up names the user, who has no seat afterwards.
        number = match.public_count - sum(event.audience is None for event in events)
        for event in events:
            if event.audience is None:
                number += 1
                names = names_for(event.kind, event.data, self.names, before)
                self._lines += told_lines([event], number, match.phase, names, tell)
            if event.kind == "stood" and event.data["seat"] in self.seats:
                self._vacate(event.data["seat"])

    def _take_seat(self, no: int, user: User) -> None:
        """Seat a user; keep the previous holder as replaced."""
        if (old := self.seats.get(no)) is not None:
            count = self.match.action_count
            gone = Replaced(match=self.match, no=no, user=old.user, entry_no=count, at=self.now)
            self.replaced = (*self.replaced, gone)
            self._vacate(no)
        seat = Seat(match=self.match, no=no, user=user, seen_at=self.now)
        self._seat({**self.seats, no: seat})
        self.new_seats.append(seat)

    def _seat(self, seats: Mapping[int, Seat]) -> None:
        """Replace the seats with their ids and names; belongings are read again."""
        self.seats, self._sitters = seats, None
        self.users, self.names = users_at(seats), names_at(seats)

    def _vacate(self, no: int) -> None:
        seat = self.seats[no]
        self._seat({other: kept for other, kept in self.seats.items() if other != no})
        if seat in self.new_seats:
            self.new_seats.remove(seat)
        else:
            self.gone_seats.append(seat)


def _is_whole(before: TableState[Any], after: TableState[Any], accepted: AcceptedAction) -> bool:
    """Whether an entry changes more than the game, so that the game alone cannot replay it."""
    is_running = before.stage == after.stage == RUNNING
    return not (is_running and accepted.may_play_again_alone) or after.differs_around_play(before)
