"""One transaction's worth of actions: lock, judge one after the other, write everything once.

Source: docs/concurrency.md "A batch"; docs/decisions/ "Writing".
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from django.utils import timezone

from economy.ledger import Plan
from games.engine.facts import as_datetime, instant
from games.engine.table import RUNNING
from games.matches.journal.loading import Mark, catch_up
from games.matches.journal.match_cache import hot_matches
from games.matches.models import Replaced, Seat
from games.matches.processing import checkpoints, outage, participants
from games.matches.processing.judging import Judge
from games.matches.processing.locked_match import Desk
from games.matches.processing.projection import project
from games.matches.processing.statements import SqlStore
from games.matches.processing.store import Store
from games.matches.processing.submissions import (
    REFUSALS,
    ActionConflict,
    Answer,
    BatchResult,
    Key,
    Maintenance,
    MatchNotFound,
    Submission,
)


class Batch:
    """One transaction's worth of actions.

    Args:
        is_outermost: no transaction is under way, so that what is held may be used and held on to.
    """

    #: How every batch reads and writes; tests put the plain reference here.
    store: ClassVar[Store] = SqlStore()

    def __init__(
        self, submissions: Sequence[Submission], now: datetime | None, *, is_outermost: bool
    ) -> None:
        self.submissions = submissions
        self.given_now = now
        self.keeps_hot = is_outermost and self.store.keeps_hot
        self.match_ids = sorted({submission.match_id for submission in submissions})
        self.marks: dict[int, Mark] = {}
        self.desks: dict[int, Desk] = {}
        self.used: dict[Key, str] = {}
        self.plan: Plan
        self._judge: Judge
        self.guests = participants.Guests()
        self.doubts: dict[int, outage.ClockSuspect] = {}
        self.locked_at = 0.0

    def run(self) -> BatchResult:
        """Lock, judge, write; call inside a transaction."""
        self.lock()
        answers = self.judge()
        changed = self.write()
        self.guests.look_at_belongings(self.plan, changed)
        snapshots = {desk.match.pk: desk.snapshot() for desk in changed}
        return BatchResult(answers, snapshots, moved_points=self.plan.is_locked)

    def hold(self) -> None:
        """Hold what was committed for this process's next batch; call after the COMMIT."""
        if self.keeps_hot:
            hot_matches.put(desk.hot for desk in self.desks.values())
            checkpoints.write_let_go()

    def drop(self) -> None:
        """Hold nothing of what was touched; call when anything went wrong."""
        hot_matches.drop(self.match_ids)

    # Lock ------------------------------------------------------------------------------

    def lock(self) -> None:
        """Lock the matches, bring them to the present, and find out all that will be asked."""
        marks = self.store.lock(self.match_ids)
        self.locked_at = time.monotonic()
        self.marks = {mark.match_id: mark for mark in marks}
        found = catch_up(marks, hot_matches.get(self.match_ids) if self.keeps_hot else {})
        matches = [found[pk] for pk in self.match_ids if pk in found]
        seats = [seat for match in matches for seat in match.seats.values()]
        self.guests.invite(self.submissions, seats)
        self.used = self.store.used(self.submissions)
        owners = {f"match:{mark.match_id}" for mark in marks} | self.guests.owners
        self.plan = Plan.over(owners, self.given_now or timezone.now())
        if any(match.state.stage != RUNNING for match in matches):
            # Before the start nearly everything asks what somebody owns.
            self.plan.lock_all()
        now = self.plan.at = self.given_now or timezone.now()
        self.desks = {match.match.pk: Desk(match, instant(now)) for match in matches}
        self._judge = Judge(self.plan, self.guests)
        self._check_clocks(now)

    def _check_clocks(self, now: datetime) -> None:
        """Find the matches whose passed deadline may not act yet; raises OutagePending."""
        overdue = [desk for desk in self.desks.values() if self._will_fire(desk)]
        if not overdue:
            return
        live = [desk for desk in overdue if not desk.table.is_slow(desk.state)]
        latest = max((as_datetime(desk.due_at or desk.at) for desk in live), default=None)
        try:
            outage.require_running_clock(now, latest)
        except outage.ClockSuspect as doubt:
            self.doubts = {desk.match.pk: doubt for desk in live}

    def _will_fire(self, desk: Desk) -> bool:
        """Whether a passed deadline stands before one of the actions for this match."""
        return (
            desk.is_overdue
            and desk.match.stalled_at is None
            and any(s.match_id == desk.match.pk and not s.is_clockwork for s in self.submissions)
        )

    # Judge -----------------------------------------------------------------------------

    def judge(self) -> list[Answer]:
        """Judge the actions in order, in memory; a refusal costs the others nothing."""
        return [self._answer(submission) for submission in self.submissions]

    def _answer(self, submission: Submission) -> Answer:
        desk = self.desks.get(submission.match_id)
        if desk is None:
            return Answer(self._why_not(submission.match_id))
        earlier = self.used.get(submission.key)
        if earlier is not None:
            if earlier == submission.asked:
                return Answer(repeated=True)
            return Answer(ActionConflict("this id was used for another action"))
        try:
            if desk.match.pk in self.doubts and not submission.is_clockwork:
                raise self.doubts[desk.match.pk]
            self._judge.judge(desk, submission)
        except REFUSALS as refusal:
            return Answer(refusal)
        self.used[submission.key] = submission.asked
        return Answer()

    def _why_not(self, match_id: int) -> Maintenance | MatchNotFound:
        if match_id in self.marks:
            return Maintenance("this match is being looked after, try again later")
        return MatchNotFound("there is no such match")

    # Write -----------------------------------------------------------------------------

    def write(self) -> list[Desk]:
        """Write what was accepted, all at once; return the changed matches."""
        changed = [desk for desk in self.desks.values() if desk.is_changed]
        if changed:
            self._write(changed)
        return changed

    def _write(self, changed: Sequence[Desk]) -> None:
        for reaction in self.guests.reactions:
            reaction.written(changed)
        if gone := [seat.pk for desk in changed for seat in desk.gone_seats]:
            Seat.objects.filter(pk__in=gone).delete()
        if come := [seat for desk in changed for seat in desk.new_seats]:
            Seat.objects.bulk_create(come)
        if gone_for_good := [row for desk in changed for row in desk.replaced if row.pk is None]:
            Replaced.objects.bulk_create(gone_for_good)
        if differing := [seat for desk in changed for seat in desk.changed_seats]:
            self.store.update_seats(differing)
        self.store.append([entry for desk in changed for entry in desk.entries])
        if paced := [project(desk) for desk in changed if not desk.needs_checkpoint]:
            self.store.update_pace(paced)
        if whole := [project(desk) for desk in changed if desk.needs_checkpoint]:
            self.store.update_whole(whole)
        self.plan.write()
