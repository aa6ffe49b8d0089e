"""A locked match in the hands of the write path: what it was, what it has become, what to store."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from accounts.models import User
from economy.units import Unit
from games import catalog
from games.journal.lines import Line, line_of, newest, read_lines, write_lines
from games.journal.memory import Remembered
from games.journal.recall import table_of
from games.journal.rows import twin
from games.journal.sitters import sitter_of
from games.kernel.facts import SPECTATOR, Instant, SeatNo, Step, Told, as_datetime
from games.kernel.structs import canonical
from games.kernel.table import OVER, RUNNING, TableState
from games.models import Match, Seat
from games.play.store import ActionRow, EventRow
from games.play.submissions import Submission
from games.reading import summaries
from games.reading.snapshots import News, Snapshot, challenge_of

#: Seconds.  What sitters own is read again for a view after so long; at once when points move.
LOOK_AGAIN: Final = 2.0


class Desk:
    """One match of a batch, from its lock to its writing."""

    def __init__(self, kept: Remembered, now: Instant) -> None:
        self.match = twin(kept.match)
        self.table = table_of(kept.match)
        self.state: TableState = kept.state
        self.seats: dict[int, Seat] = dict(kept.seats)
        self.at = Instant(max(kept.match.at_ms, now))
        self.actions: list[ActionRow] = []
        self.events: list[EventRow] = []
        self.new_seats: list[Seat] = []
        self.gone_seats: list[Seat] = []
        self.successor: str | None = None
        self._kept = kept
        self._lines: list[Line] | None = None
        self._noticed_by: set[int] = set()
        self._is_public = False
        self._sitters, self._looked_at = kept.sitters, kept.looked_at
        self._note_who_sits()

    @property
    def is_changed(self) -> bool:
        """Whether anything was accepted since the lock."""
        return bool(self.actions)

    @property
    def now(self) -> datetime:
        """The instant at which this batch acts on the match."""
        return as_datetime(self.at)

    @property
    def due_at(self) -> Instant | None:
        """When the clock next acts."""
        return self.table.deadline(self.state)

    @property
    def is_overdue(self) -> bool:
        """Whether the clock should have acted by now."""
        return self.due_at is not None and self.due_at <= self.at

    @property
    def has_just_ended(self) -> bool:
        """Whether the game was played to its end since the lock."""
        return self.state.stage == OVER and self.match.ended_at is None

    def seat_of(self, user_id: int | None) -> SeatNo | None:
        """Return the seat of a user."""
        for no, seat in self.seats.items():
            if seat.user_id == user_id:
                return SeatNo(no)
        return None

    def is_played_by(self, user_id: int | None) -> bool:
        """Whether a user sits here; bots do not count."""
        return any(s.user_id == user_id and not s.user.is_bot for s in self.seats.values())

    def take_seat(self, no: int, user: User) -> None:
        """Put a user on a seat."""
        seat = Seat(match=self.match, no=no, user=user, seen_at=self.now)
        self.seats[no] = seat
        self.new_seats.append(seat)
        self._note_who_sits()

    def keep(
        self,
        step: Step[TableState],
        action: Mapping[str, Any],
        *,
        submission: Submission | None = None,
        seat: SeatNo | None = None,
    ) -> None:
        """Accept a step: it becomes the match's state, its action and facts go into the logs."""
        first = self.match.seq + 1
        self._note_who_notices(step.events, seat)
        self.match.action_count += 1
        self.state = step.state
        self.match.phase = self.table.phase(step.state)
        for event in step.events:
            self._record(event)
        no = self.match.action_count
        self.actions.append(
            ActionRow(
                match_id=self.match.pk,
                no=no,
                actor_id=submission.actor_id if submission else None,
                seat=seat,
                action_id=submission.action_id if submission else f"house-{no}",
                body_sha256=submission.body_sha256 if submission else "",
                action=canonical(dict(action)),
                at_ms=self.at,
                first_seq=first,
                last_seq=self.match.seq,
            )
        )

    def store(self) -> Match:
        """Bring the match's row up to date with what was kept, and return it."""
        match, state = self.match, self.state
        match.state = self.table.encode_play(state)
        if not state.differs_in_play_only(self._kept.state):
            match.table = self.table.encode_table(state)
        match.at_ms = self.at
        match.due_at = None if self.due_at is None else as_datetime(self.due_at)
        if state.stage != RUNNING:
            match.bot_at = match.stalled_at = None
        if state.stage == RUNNING and match.started_at is None:
            match.started_at = self.now
        if state.is_finished and match.ended_at is None:
            match.ended_at = self.now
        match.wake_at = min((t for t in (match.due_at, match.bot_at) if t), default=None)
        match.status = state.stage
        match.listed, match.spectators = state.options.listed, state.options.spectators
        match.is_slow = self.table.is_slow(state)
        match.is_rated = summaries.is_rated(state)
        match.is_staked = summaries.is_staked(self.table.rules, state)
        if self._lines is not None:
            self._lines = newest(self._lines)
            match.recent = write_lines(self._lines)
        if self._is_public:
            match.summary = canonical(self._summarised())
        return match

    def remembered(self) -> Remembered:
        """Return what the next batch can go on from, once this one is committed."""
        if not self.is_changed:
            return self._kept
        lines = self._kept.lines if self._lines is None else tuple(self._lines)
        return Remembered(self.match, self.state, self.seats, lines, self._sitters, self._looked_at)

    def note_bonus(self, seat: int, amount: int) -> None:
        """Remember a paid bonus for the views."""
        self._note("bonus", seat, amount)

    @property
    def knows_belongings(self) -> bool:
        """Whether it was seen a moment ago what the sitters own."""
        return self._sitters is not None and time.monotonic() - self._looked_at < LOOK_AGAIN

    def note_belongings(self, belongings: Mapping[int, Mapping[Unit, int]]) -> None:
        """Take what the sitters own, by user."""
        self._looked_at = time.monotonic()
        self._sitters = {
            no: sitter_of(seat, belongings[seat.user_id]) for no, seat in self.seats.items()
        }

    def note_results(self) -> None:
        """Write what the finished game was for each seat: points, and won, drawn or lost."""
        outcome = self.table.rules.outcome(self.state.play)
        for seat, ended in outcome.items():
            self.seats[seat].net = ended.net
            self.seats[seat].result = ended.result

    @cached_property
    def _summary(self) -> dict[str, Any]:
        """What lists and views show beside the state, as it was and as it is noted here."""
        return dict(summaries.read_summary(self.match.summary))

    def _note(self, name: str, seat: int, number: int) -> None:
        self._summary[name] = {**self._summary.get(name, {}), str(seat): number}

    @property
    def ratings(self) -> dict[str, int]:
        """The rating of each seat when somebody last sat down, or at the end; by seat."""
        ratings: dict[str, int] = self._summary.get("ratings", {})
        return ratings

    def note_ratings(self, ratings: Mapping[int, int]) -> None:
        """Remember the shown ratings of those who sit here, for the views."""
        self._summary["ratings"] = {str(no): ratings[pk] for no, pk in self.users.items()}

    def note_rating_change(self, seat: int, change: int) -> None:
        """Remember by how much the match changed a seat's rating, for the views."""
        self._note("rating_changes", seat, change)

    def snapshot(self) -> Snapshot:
        """Return the match as it now stands, with what its sitters own."""
        seen_by = frozenset(self._noticed_by)
        news = None if self._is_public else News(self._kept.match.seq, seen_by)
        names = challenge_of(self.match)
        return Snapshot(
            self.match, self.table, self.state, self._sitters or {}, self.successor, news, names
        )

    def _note_who_notices(self, events: Iterable[Told], seat: SeatNo | None) -> None:
        """Note whose views a step changes: everybody's, unless a seat did something in secret.

        That nobody else's view changes then is a rule that each game's tests prove.
        """
        audiences = [event.audience for event in events]
        if seat is None or not audiences or None in audiences:
            self._is_public = True
        self._noticed_by.update(*(audience or () for audience in audiences))

    def _record(self, event: Told) -> None:
        self.match.seq += 1
        is_public = event.audience is None
        text = (self._told(event) or "") if is_public else ""
        if is_public:
            self.match.public_count += 1
        if text:
            self._tell(event.kind, text)
        self.events.append(
            EventRow(
                match_id=self.match.pk,
                seq=self.match.seq,
                action_no=self.match.action_count,
                public_no=self.match.public_count if is_public else None,
                phase=self.match.phase,
                kind=event.kind,
                data=canonical(dict(event.data)),
                text=text[:1000],
                audience=None if event.audience is None else canonical(sorted(event.audience)),
                at_ms=self.at,
            )
        )
        if event.kind == "stood" and event.data["seat"] in self.seats:
            self._vacate(self.seats.pop(event.data["seat"]))

    def _told(self, event: Told) -> str | None:
        return catalog.get(self.match.game).speech.tell(event.kind, event.data, self.names)

    def _tell(self, kind: str, text: str) -> None:
        """Add a line to those that views show."""
        if self._lines is None:
            kept = self._kept.lines
            self._lines = list(read_lines(self.match.recent) if kept is None else kept)
        self._lines.append(line_of(self.match.public_count, self.match.phase, kind, text))

    def _note_who_sits(self) -> None:
        """Bring up to date who sits where, by id and by name."""
        self.users = {no: seat.user_id for no, seat in self.seats.items()}
        self.names = {no: seat.user.username for no, seat in self.seats.items()}

    def _vacate(self, seat: Seat) -> None:
        self._note_who_sits()
        if seat in self.new_seats:
            self.new_seats.remove(seat)
        else:
            self.gone_seats.append(seat)

    def _summarised(self) -> dict[str, Any]:
        return {**self._summary, **self._shown(), "players": self.players(self.state)}

    def players(self, state: TableState) -> list[dict[str, Any]]:
        """Return what lists show of those who sit at this table, or at its next one."""
        return [
            {
                "name": self.names[s.no],
                "bot": s.bot,
                "ready": s.ready,
                "rating": self.ratings.get(str(s.no)),
            }
            for s in state.taken
            if s.no in self.seats
        ]

    def _shown(self) -> dict[str, Any]:
        if self.state.play is None:
            return {}
        game = self.table.rules.view(self.state.play, SPECTATOR)
        return catalog.table(self.match.game).lists.summary(game)
