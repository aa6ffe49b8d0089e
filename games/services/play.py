"""The one write path: every change of a match goes through ``apply_batch``.

A batch is one transaction: lock the matches, lock the accounts, judge the actions one after the
other (seen before? clock passed? allowed? affordable?), write everything once, commit.  A refusal
leaves the match as it was and costs nothing else in the batch.

Source: docs/concurrency.md; docs/decisions/ "Writing".
"""

from __future__ import annotations

import logging
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, OperationalError, transaction
from django.utils import timezone

from economy.ledger import Plan
from games.bots.policies import think_milliseconds
from games.models import Match, MatchAction, MatchEvent, Seat
from games.rules.errors import IllegalAction, NotInPhase, StaleAction
from games.rules.kernel import SPECTATOR, Event, Instant, Step, as_datetime, instant
from games.rules.table import OVER, RUNNING, TableState
from games.services import guests, outage, settlement
from games.services.desk import Desk
from games.services.submissions import (
    REFUSALS,
    ActionConflict,
    Answer,
    BatchResult,
    Busy,
    MatchNotFound,
    Submission,
)

log = logging.getLogger(__name__)

#: At most so many actions share a transaction.
BATCH_LIMIT = 256
TRIES = 3
_chance = random.SystemRandom()


def apply_batch(submissions: Sequence[Submission], now: datetime | None = None) -> BatchResult:
    """Judge the actions in order, in one transaction, and return an answer for each.

    Args:
        now: the instant of the batch, for tests; else taken once after the locks are held.

    Raises:
        OutagePending: a clock has passed while no web process was alive; repay first.
        OperationalError: the database could not be written after several tries.
    """
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                return Batch(submissions, now).run()
        except OperationalError:
            if attempt == TRIES:
                raise
            time.sleep(_chance.uniform(0.01, 0.05) * attempt)
        except DatabaseError:
            if len(submissions) == 1:
                raise
            log.exception("a batch of %d is applied one by one", len(submissions))
            return _one_by_one(submissions, now)
    raise AssertionError("unreachable")


def submit(submission: Submission, now: datetime | None = None) -> BatchResult:
    """Apply one action, raising its refusal.

    Raises:
        IllegalAction: malformed, late, or against the rules.
        LedgerError: it cannot be paid for.
    """
    result = apply_batch([submission], now)
    if result.answers[0].error is not None:
        raise result.answers[0].error
    return result


def house(match_id: int, kind: str, action_id: str, **data: Any) -> Submission:
    """Return an action of the house: a deadline, an outage, a void, a freed seat."""
    return Submission(match_id, {"kind": kind, **data}, action_id)


def _one_by_one(submissions: Sequence[Submission], now: datetime | None) -> BatchResult:
    merged = BatchResult([])
    for submission in submissions:
        try:
            with transaction.atomic():
                result = Batch([submission], now).run()
        except OperationalError:
            raise
        except DatabaseError:
            log.exception("an action could not be stored")
            merged.answers.append(Answer(Busy("the action could not be stored")))
            continue
        merged.answers += result.answers
        merged.snapshots |= result.snapshots
    return merged


class Batch:
    """One transaction's worth of actions."""

    def __init__(self, submissions: Sequence[Submission], now: datetime | None) -> None:
        self.submissions = submissions
        self.given_now = now
        self.desks: dict[int, Desk] = {}
        self.seen: dict[tuple[int, int | None, str], str] = {}
        self.plan: Plan
        self.guests = guests.Guests()

    def run(self) -> BatchResult:
        """Lock, judge, write; call inside a transaction."""
        self._lock()
        answers = [self._answer(submission) for submission in self.submissions]
        changed = [desk for desk in self.desks.values() if desk.is_changed]
        self._write(changed)
        belongings = self.guests.belongings(self.plan, changed)
        snapshots = {desk.match.pk: desk.snapshot(belongings) for desk in changed}
        return BatchResult(answers, snapshots)

    def _lock(self) -> None:
        ids = sorted({submission.match_id for submission in self.submissions})
        locked = Match.objects.select_for_update().filter(pk__in=ids).order_by("pk")
        matches = list(locked)
        seats = defaultdict(list)
        for seat in Seat.objects.filter(match__in=matches).select_related("user"):
            seats[seat.match_id].append(seat)
        self.guests.invite(self.submissions, [s for group in seats.values() for s in group])
        owners = {f"match:{match.pk}" for match in matches} | self.guests.owners
        self._load_seen(ids)
        now = self.given_now or timezone.now()
        self.plan = Plan.lock(owners, now)
        if self.given_now is None:
            now = timezone.now()
        self.desks = {m.pk: Desk(m, seats[m.pk], instant(now)) for m in matches}
        if overdue := [desk for desk in self.desks.values() if self._will_fire(desk)]:
            latest = max(as_datetime(desk.due_at or desk.at) for desk in overdue)
            outage.require_running_clock(now, latest)

    def _will_fire(self, desk: Desk) -> bool:
        """Whether a passed deadline stands before one of the actions for this match."""
        return (
            desk.is_overdue
            and desk.match.stalled_at is None
            and any(s.match_id == desk.match.pk and not s.is_clockwork for s in self.submissions)
        )

    def _load_seen(self, match_ids: list[int]) -> None:
        wanted = {submission.action_id for submission in self.submissions}
        rows = MatchAction.objects.filter(match_id__in=match_ids, action_id__in=wanted)
        for row in rows.values_list("match_id", "actor_id", "action_id", "body_sha256"):
            self.seen[row[:3]] = row[3]

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
        if desk.is_overdue and desk.match.stalled_at is None and not submission.is_clockwork:
            self._accept(desk, {"kind": "deadline"}, self._house_step)
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
            desk.take_seat(action["seat"], self.guests.users[submission.actor_id or 0])
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

    def _follow_up(self, desk: Desk, events: Iterable[Event]) -> None:
        """Do what an accepted step asks of the house: collect purses, pay bonuses, wake bots."""
        if desk.state.starting:
            self._start(desk)
            return
        if desk.state.stage == OVER and desk.match.ended_at is None:
            self._pay_bonuses(desk, events)
        if desk.state.is_finished and desk.match.ended_at is None:
            self._close_books(desk)
        self._wake_bots(desk)

    def _start(self, desk: Desk) -> None:
        """Collect all purses as one group, or make those who are short unready."""
        if unwelcome := self.guests.shy_bots(desk):
            action = {"kind": "free", "seats": unwelcome, "reason": "shy"}
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

    def _pay_bonuses(self, desk: Desk, events: Iterable[Event]) -> None:
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
        for seat, result in desk.table.rules.outcome(desk.state.play).items():
            desk.seats[seat].net = result["net"]
        left = settlement.held_in_escrow(self.plan, desk.match.pk)
        if left:
            raise AssertionError(f"{desk.match!r} would end with {left} in escrow")

    def _wake_bots(self, desk: Desk) -> None:
        """Say when the next bot that has something to decide has thought long enough."""
        match = desk.match
        if desk.state.stage != RUNNING:
            match.bot_at = None
            return
        pending = desk.table.rules.pending_seats(desk.state.play)
        if not any(desk.state.seats[seat].bot for seat in pending):
            match.bot_at = None
        elif match.bot_at is None or match.bot_at <= desk.now:
            view = desk.table.rules.view(desk.state.play, SPECTATOR)
            thinking = think_milliseconds(_chance, {"game": view})
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
        gone = [seat.pk for desk in changed for seat in desk.gone_seats]
        if gone:
            Seat.objects.filter(pk__in=gone).delete()
        Seat.objects.bulk_create(seat for desk in changed for seat in desk.new_seats)
        ended = [s for d in changed if d.state.is_finished for s in d.seats.values() if s.pk]
        if ended:
            Seat.objects.bulk_update(ended, ["net"])
        MatchAction.objects.bulk_create(row for desk in changed for row in desk.actions)
        MatchEvent.objects.bulk_create(row for desk in changed for row in desk.events)
        Match.objects.bulk_update([desk.store() for desk in changed], MATCH_COLUMNS)
        self.plan.write()


#: What a batch may change of a match's row.
MATCH_COLUMNS = [
    "status", "listed", "spectators", "table", "state", "recent", "summary", "phase", "seq",
    "public_count", "action_count", "at_ms", "due_at", "bot_at", "wake_at", "stalled_at",
    "started_at", "ended_at", "void_reason", "successor",
]  # fmt: skip


def sweep(*, limit: int = 50, now: datetime | None = None) -> list[int]:
    """Return the matches whose clock or bot is due, the longest waiting first."""
    now = now or timezone.now()
    due = Match.objects.filter(wake_at__lte=now, stalled_at=None).order_by("wake_at")
    return list(due.values_list("pk", flat=True)[:limit])


def forgotten(*, limit: int = 50, now: datetime | None = None) -> list[int]:
    """Return the matches whose clock has stood still for so long that they are to be voided."""
    now = now or timezone.now()
    patience = timedelta(minutes=3)
    stalled = Match.objects.filter(stalled_at__lte=now - patience, status=Match.Status.RUNNING)
    return list(stalled.values_list("pk", flat=True)[:limit])


__all__ = ["IllegalAction", "apply_batch", "forgotten", "house", "submit", "sweep"]
