"""One transaction's worth of actions: lock, judge one after the other, write everything once.

Source: docs/concurrency.md "A batch"; docs/decisions/ "Writing".
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.db import connection
from django.utils import timezone

from economy.ledger import Plan
from games.journal.memory import memory
from games.journal.recall import recall
from games.kernel.errors import NotInPhase, StaleAction
from games.kernel.facts import Instant, Step, Told, Viewer, as_datetime, instant
from games.kernel.table import OVER, RUNNING, TableState
from games.models import Seat
from games.play import guests, outage, settlement
from games.play.desk import Desk
from games.play.policies import has_decision, think_milliseconds
from games.play.rows import SqlStore
from games.play.store import Store
from games.play.submissions import (
    REFUSALS,
    ActionConflict,
    Answer,
    BatchResult,
    Key,
    MatchNotFound,
    Submission,
)
from games.services import peeking, rating

_chance = random.SystemRandom()


class Batch:
    """One transaction's worth of actions."""

    #: How every batch reads and writes; tests put the plain reference here.
    store: ClassVar[Store] = SqlStore()

    def __init__(self, submissions: Sequence[Submission], now: datetime | None) -> None:
        self.submissions = submissions
        self.given_now = now
        self.desks: dict[int, Desk] = {}
        self.seen: dict[Key, str] = {}
        self.plan: Plan
        self.guests = guests.Guests()
        self.doubts: dict[int, outage.ClockSuspect] = {}
        self.locked_at = 0.0

    def run(self) -> BatchResult:
        """Lock, judge, write; call inside a transaction."""
        self._lock()
        answers = [self._answer(submission) for submission in self.submissions]
        changed = [desk for desk in self.desks.values() if desk.is_changed]
        self._write(changed)
        self.guests.look_at_belongings(self.plan, changed)
        return BatchResult(answers, {desk.match.pk: desk.snapshot() for desk in changed})

    def remember(self) -> None:
        """Keep what was committed for this process's next batch; call after the transaction."""
        if not connection.in_atomic_block:
            memory.put(desk.remembered() for desk in self.desks.values())

    def _lock(self) -> None:
        marks = self.store.lock(sorted({submission.match_id for submission in self.submissions}))
        self.locked_at = time.monotonic()
        matches = recall(marks)
        seats = [seat for match in matches for seat in match.seats.values()]
        self.guests.invite(self.submissions, seats)
        self.seen = self.store.used(self.submissions)
        owners = {f"match:{mark.match_id}" for mark in marks} | self.guests.owners
        self.plan = Plan.over(owners, self.given_now or timezone.now())
        if any(match.state.stage != RUNNING for match in matches):
            # Before the start nearly everything asks what somebody owns.
            self.plan.lock_all()
        now = self.plan.at = self.given_now or timezone.now()
        self.desks = {match.match.pk: Desk(match, instant(now)) for match in matches}
        self._check_clocks(now)

    def _check_clocks(self, now: datetime) -> None:
        """Find the matches whose passed deadline may not act yet; raises OutagePending."""
        overdue = [desk for desk in self.desks.values() if self._will_fire(desk)]
        if not overdue:
            return
        latest = max(as_datetime(desk.due_at or desk.at) for desk in overdue)
        try:
            outage.require_running_clock(now, latest)
        except outage.ClockSuspect as doubt:
            self.doubts = {desk.match.pk: doubt for desk in overdue}

    def _will_fire(self, desk: Desk) -> bool:
        """Whether a passed deadline stands before one of the actions for this match."""
        return (
            desk.is_overdue
            and desk.match.stalled_at is None
            and any(s.match_id == desk.match.pk and not s.is_clockwork for s in self.submissions)
        )

    def _answer(self, submission: Submission) -> Answer:
        desk = self.desks.get(submission.match_id)
        if desk is None:
            return Answer(MatchNotFound("there is no such match"))
        earlier = self.seen.get(submission.key)
        if earlier is not None:
            if earlier == submission.body_sha256:
                return Answer(repeated=True)
            return Answer(ActionConflict("this id was used for another action"))
        try:
            self._judge(desk, submission)
        except REFUSALS as refusal:
            return Answer(refusal)
        self.seen[submission.key] = submission.body_sha256
        return Answer()

    def _judge(self, desk: Desk, submission: Submission) -> None:
        """Let the clock act first, then the action; raises a refusal and then keeps nothing."""
        kind = submission.action.get("kind")
        if desk.match.pk in self.doubts and not submission.is_clockwork:
            raise self.doubts[desk.match.pk]
        if desk.is_overdue and desk.match.stalled_at is None and not submission.is_clockwork:
            self._accept(desk, {"kind": "deadline"}, self._house_step)
        if desk.match.stalled_at is not None and desk.is_played_by(submission.actor_id):
            # Who acts is back, even before the heartbeat has seen the socket.
            self._accept(desk, outage.resumption(desk.now), self._house_step)
        if kind == "deadline" and submission.actor_id is None:
            return
        if submission.actor_id is None:
            self._accept(desk, submission.action, self._house_step, submission)
            return
        if submission.phase is not None and submission.phase != desk.match.phase:
            raise StaleAction("the table has moved on", phase=desk.match.phase)
        if kind == "add_bot":
            self._add_bot(desk, submission)
            return
        self.guests.check(desk, submission, self.plan)
        self._accept(desk, submission.action, self._person_step, submission)
        if kind == "rematch":
            self.guests.open_next(desk, submission)

    def _accept(
        self,
        desk: Desk,
        action: Mapping[str, Any],
        make: Callable[[Desk, Mapping[str, Any], Submission | None], Step[TableState]],
        submission: Submission | None = None,
    ) -> None:
        """Make the step, plan its transfers, keep it, and all that follows from it by itself."""
        mark = self.plan.mark()
        seat = desk.seat_of(submission.actor_id) if submission and submission.actor_id else None
        try:
            step = make(desk, action, submission)
            self._move_points(desk, step)
        except REFUSALS:
            self.plan.rewind(mark)
            raise
        if submission is not None and action.get("kind") == "sit":
            sitter = self.guests.users[submission.actor_id or 0]
            desk.take_seat(action["seat"], sitter)
            self.guests.note_sitting(sitter.pk)
        desk.keep(step, action, submission=submission, seat=seat)
        self._follow_up(desk, step.events)

    def _person_step(
        self, desk: Desk, action: Mapping[str, Any], submission: Submission | None
    ) -> Step[TableState]:
        seat = desk.seat_of(submission.actor_id) if submission else None
        return desk.table.apply(desk.state, seat, action, desk.at)

    def _house_step(
        self, desk: Desk, action: Mapping[str, Any], submission: Submission | None
    ) -> Step[TableState]:
        kind = action["kind"]
        if kind in ("stall", "resume"):
            if desk.state.stage != RUNNING or (kind == "resume") != bool(desk.match.stalled_at):
                raise NotInPhase("the clock runs already, or stands already")
            desk.match.stalled_at = desk.now if kind == "stall" else None
        if kind == "void":
            desk.match.void_reason = action["reason"]
        given = {**action, "seed": desk.match.seed} if kind == "start" else action
        return desk.table.apply_house(desk.state, given, desk.at)

    def _move_points(self, desk: Desk, step: Step[TableState]) -> None:
        match_id = desk.match.pk
        group = f"match:{match_id}/{desk.match.action_count + 1}"
        if step.state.is_finished:
            group = settlement.close_group(match_id)
        for move in settlement.moves_of(match_id, desk.users, step.events, group=group):
            self.plan.move(move)

    def _follow_up(self, desk: Desk, events: Iterable[Told]) -> None:
        """Do what an accepted step asks of the house: collect purses, pay bonuses, wake bots."""
        if desk.state.starting:
            self._start(desk)
            return
        if desk.state.stage == OVER and desk.match.ended_at is None:
            self._pay_bonuses(desk, events)
        if desk.state.is_finished and desk.match.ended_at is None:
            self._close_books(desk)
            peeking.tell_looks(desk)
        self._wake_bots(desk)

    def _start(self, desk: Desk) -> None:
        """Collect all purses as one group, or make those who are short unready."""
        seats, reason = self.guests.unwelcome(desk)
        if seats:
            action = {"kind": "free", "seats": seats, "reason": reason}
            self._accept(desk, action, self._house_step)
            return
        self.guests.fund_bots(desk, self.plan)
        missing = self.guests.missing_purses(desk, self.plan)
        if missing:
            self._accept(desk, {"kind": "short", "seats": missing}, self._house_step)
            return
        purses = [(s.no, desk.users[s.no], s.purse) for s in desk.state.taken]
        for move in settlement.purse_moves(desk.match.pk, purses):
            self.plan.move(move)
        self._accept(desk, {"kind": "start"}, self._house_step)

    def _pay_bonuses(self, desk: Desk, events: Iterable[Told]) -> None:
        # A day's limits count what was paid, so nobody may be paid elsewhere meanwhile.
        self.plan.lock_all()
        seats = []
        for event in events:
            if event.kind != "bonus_earned" or not event.data["amount"]:
                continue
            seat, amount = event.data["seat"], event.data["amount"]
            others = [s.user for no, s in desk.seats.items() if no != seat]
            user_id = desk.users[seat]
            key = settlement.bonus_key(user_id, [other.pk for other in others], desk.now)
            everyone_is_a_bot = all(other.is_bot for other in others)
            if everyone_is_a_bot or not self.guests.may_pay_bonus(user_id, key, desk.now):
                continue
            self.plan.move(settlement.bonus_move(desk.match.pk, user_id, key, amount))
            desk.note_bonus(seat, amount)
            seats.append([seat, amount])
        if seats:
            step = desk.table.apply_house(desk.state, {"kind": "bonus", "seats": seats}, desk.at)
            desk.keep(step, {"kind": "bonus", "seats": seats})

    def _close_books(self, desk: Desk) -> None:
        if desk.state.play is None:
            return
        desk.note_results()
        left = settlement.held_in_escrow(self.plan, desk.match.pk)
        if left:
            raise AssertionError(f"{desk.match!r} would end with {left} in escrow")

    def _wake_bots(self, desk: Desk) -> None:
        """Say when the next bot that has something to decide has thought long enough."""
        match = desk.match
        if desk.state.stage != RUNNING or not any(seat.bot for seat in desk.state.seats):
            match.bot_at = None
            return
        rules = desk.table.rules
        pending = rules.pending_seats(desk.state.play)
        views = [rules.view(desk.state.play, Viewer(s)) for s in pending if desk.state.seats[s].bot]
        deciding = [view for view in views if has_decision(view)]
        if not deciding:
            match.bot_at = None
        elif match.bot_at is None or match.bot_at <= desk.now:
            thinking = think_milliseconds(_chance, {"game": deciding[0]})
            match.bot_at = as_datetime(Instant(desk.at + thinking))

    def _add_bot(self, desk: Desk, submission: Submission) -> None:
        bot, action = self.guests.seat_for_bot(desk, submission)
        mark = self.plan.mark()
        try:
            step = desk.table.apply_house(desk.state, action, desk.at)
            self.guests.fund_bot(desk, bot, action["purse"], self.plan)
        except REFUSALS:
            self.plan.rewind(mark)
            raise
        desk.take_seat(action["seat"], bot)
        desk.keep(step, action, submission=submission)
        self._follow_up(desk, step.events)

    def _write(self, changed: Sequence[Desk]) -> None:
        if not changed:
            return
        if gone := [seat.pk for desk in changed for seat in desk.gone_seats]:
            Seat.objects.filter(pk__in=gone).delete()
        if come := [seat for desk in changed for seat in desk.new_seats]:
            Seat.objects.bulk_create(come)
        if ended := [s for d in changed if d.state.is_finished for s in d.seats.values() if s.pk]:
            Seat.objects.bulk_update(ended, ["net", "result"])
        rating.rate([desk for desk in changed if desk.has_just_ended])
        rating.note(changed)
        self.store.insert_actions([row for desk in changed for row in desk.actions])
        self.store.insert_events([row for desk in changed for row in desk.events])
        self.store.update_matches([desk.store() for desk in changed])
        self.plan.write()
