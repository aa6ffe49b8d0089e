"""A locked match in the hands of the write path: what it was, what it has become, what to store."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from accounts.models import User
from economy.units import Unit
from games import summaries, wording
from games.models import Match, MatchAction, MatchEvent, Seat
from games.rules import registry
from games.rules.kernel import SPECTATOR, Event, Instant, SeatNo, Step, as_datetime, canonical
from games.rules.table import OVER, RUNNING, Table, TableState
from games.services.submissions import Submission
from games.snapshots import OWNED, Sitter, Snapshot, challenge_of

#: How many public lines a view shows, and how many characters of them.
LINES, LINES_LENGTH = 20, 3_500


class Desk:
    """One match of a batch, from its lock to its writing."""

    def __init__(self, match: Match, seats: Iterable[Seat], now: Instant) -> None:
        self.match = match
        self.table = Table(registry.get(match.game))
        self.state: TableState = self.table.decode(match.table, match.state)
        self.seats: dict[int, Seat] = {seat.no: seat for seat in seats}
        self.at = Instant(max(match.at_ms, now))
        self.actions: list[MatchAction] = []
        self.events: list[MatchEvent] = []
        self.new_seats: list[Seat] = []
        self.gone_seats: list[Seat] = []
        self.successor: str | None = None
        self._lines: list[dict[str, Any]] | None = None
        self._summary: dict[str, Any] = json.loads(match.summary)

    @property
    def is_changed(self) -> bool:
        """Whether anything was accepted since the lock."""
        return bool(self.actions)

    @property
    def now(self) -> datetime:
        """The instant at which this batch acts on the match."""
        return as_datetime(self.at)

    @property
    def users(self) -> dict[int, int]:
        """The user on each seat."""
        return {no: seat.user_id for no, seat in self.seats.items()}

    @property
    def names(self) -> dict[int, str]:
        """The name on each seat."""
        return {no: seat.user.username for no, seat in self.seats.items()}

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
        self.match.action_count += 1
        self.state = step.state
        self.match.phase = self.table.phase(step.state)
        for event in step.events:
            self._record(event)
        no = self.match.action_count
        self.actions.append(
            MatchAction(
                match=self.match,
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
        match.table, match.state = self.table.encode(state)
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
        match.listed, match.spectators = state.options["listed"], state.options["spectators"]
        match.is_slow = self.table.is_slow(state)
        match.is_rated = summaries.is_rated(state)
        match.is_staked = summaries.is_staked(self.table.rules, state)
        match.recent = canonical(_last(self.lines))
        match.summary = canonical(self._summarised())
        return match

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The last public lines, oldest first."""
        if self._lines is None:
            self._lines = json.loads(self.match.recent)
        return self._lines

    def note_bonus(self, seat: int, amount: int) -> None:
        """Remember a paid bonus for the views."""
        self._summary.setdefault("bonus", {})[str(seat)] = amount

    def note_results(self) -> None:
        """Write what the finished game was for each seat: points, and won, drawn or lost."""
        outcome = self.table.rules.outcome(self.state.play)
        results = summaries.results_of(outcome)
        for seat, result in outcome.items():
            self.seats[seat].net = result["net"]
            self.seats[seat].result = results[seat]

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
        self._summary.setdefault("rating_changes", {})[str(seat)] = change

    def snapshot(self, belongings: Mapping[int, Mapping[Unit, int]]) -> Snapshot:
        """Return the match as it now stands, with what its sitters own."""
        sitters = {}
        for no, seat in self.seats.items():
            owned = belongings.get(seat.user_id, {})
            stock = {name: owned.get(unit, 0) for name, unit in OWNED.items()}
            sitters[no] = Sitter(
                seat.user_id, seat.user.username, seat.user.is_bot, owned.get(Unit.POINT, 0), stock
            )
        names = challenge_of(self.match)
        return Snapshot(self.match, self.table, self.state, sitters, self.successor, names)

    def _record(self, event: Event) -> None:
        self.match.seq += 1
        is_public = event.audience is None
        text = (self._told(event) or "") if is_public else ""
        if is_public:
            self.match.public_count += 1
        if text:
            line = {"n": self.match.public_count, "phase": self.match.phase}
            self.lines.append({**line, "kind": event.kind, "text": text})
        self.events.append(
            MatchEvent(
                match=self.match,
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

    def _told(self, event: Event) -> str | None:
        return wording.sentence(event.kind, event.data, self.names, self.match.game)

    def _vacate(self, seat: Seat) -> None:
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
        return summaries.summary_of(self.match.game, game)


def _last(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the newest lines that fit into a view."""
    kept: list[dict[str, Any]] = []
    length = 0
    for line in reversed(lines[-LINES:]):
        length += len(line["text"]) + 60
        if kept and length > LINES_LENGTH:
            break
        kept.append(line)
    return kept[::-1]
