"""A batch: lock the matches, judge the actions in order, write everything once.

Source: docs/concurrency.md "A batch"; docs/decisions/ "Writing".
"""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from django.utils import timezone

from economy.ledger import Plan
from games.engine.facts import as_datetime, instant
from games.engine.table import RUNNING
from games.matches.journal.loading import Mark, catch_up
from games.matches.journal.match_cache import match_cache
from games.matches.models import Replaced, Seat
from games.matches.processing import checkpoints, outage, participants
from games.matches.processing.judging import Judge
from games.matches.processing.locked_match import LockedMatch
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
    """The actions of one transaction.

    Args:
        is_outermost: no transaction is open, so that the batch may use and fill the cache.
    """

    #: Reads and writes of every batch; tests put the reference store here.
    store: ClassVar[Store] = SqlStore()

    def __init__(
        self, submissions: Sequence[Submission], now: datetime | None, *, is_outermost: bool
    ) -> None:
        self.submissions = submissions
        self.given_now = now
        self.keeps_cached = is_outermost and self.store.keeps_cached
        self.match_ids = sorted({submission.match_id for submission in submissions})
        self.marks: dict[int, Mark] = {}
        self.locked_matches: dict[int, LockedMatch] = {}
        self.used: dict[Key, str] = {}
        self.plan: Plan
        self._judge: Judge
        self.participants: participants.Participants
        self.doubts: dict[int, outage.ClockSuspect] = {}
        self.locked_at = 0.0

    def run(self) -> BatchResult:
        """Lock, judge and write; call inside a transaction."""
        self.lock()
        answers = self.judge()
        changed = self.write()
        self.participants.look_at_belongings(self.plan, changed)
        snapshots = {locked.match.pk: locked.snapshot() for locked in changed}
        return BatchResult(answers, snapshots, moved_points=self.plan.is_locked)

    def hold(self) -> None:
        """Cache the committed matches for this process's next batch; call after the COMMIT."""
        if self.keeps_cached:
            match_cache.put(locked.cached for locked in self.locked_matches.values())
            checkpoints.write_let_go()

    def drop(self) -> None:
        """Drop the batch's matches from the cache; call after any error."""
        match_cache.drop(self.match_ids)

    # Lock ------------------------------------------------------------------------------

    def lock(self) -> None:
        """Lock the matches, bring them up to date, and load all that judging needs."""
        self.participants = participants.Participants()
        marks = self.store.lock(self.match_ids)
        self.locked_at = time.monotonic()
        self.marks = {mark.match_id: mark for mark in marks}
        found = catch_up(marks, match_cache.get(self.match_ids) if self.keeps_cached else {})
        matches = [found[pk] for pk in self.match_ids if pk in found]
        seats = [seat for match in matches for seat in match.seats.values()]
        self.participants.invite(self.submissions, seats)
        self.used = self.store.used(self.submissions)
        owners = {f"match:{mark.match_id}" for mark in marks} | self.participants.owners
        self.plan = Plan.over(owners, self.given_now or timezone.now())
        if any(match.state.stage != RUNNING for match in matches):
            # Before the start nearly every action needs balances.
            self.plan.lock_all()
        now = self.plan.at = self.given_now or timezone.now()
        self.locked_matches = {
            match.match.pk: LockedMatch(match, instant(now)) for match in matches
        }
        self._judge = Judge(self.plan, self.participants)
        self._check_clocks(now)

    def _check_clocks(self, now: datetime) -> None:
        """Find the matches whose passed deadline may not fire yet; raises OutagePending."""
        overdue = [locked for locked in self.locked_matches.values() if self._will_fire(locked)]
        if not overdue:
            return
        live = [locked for locked in overdue if not locked.table.is_slow(locked.state)]
        latest = max((as_datetime(locked.due_at or locked.at) for locked in live), default=None)
        try:
            outage.require_running_clock(now, latest)
        except outage.ClockSuspect as doubt:
            self.doubts = {locked.match.pk: doubt for locked in live}

    def _will_fire(self, locked: LockedMatch) -> bool:
        """Whether a passed deadline would fire before one of the actions for this match."""
        return (
            locked.is_overdue
            and locked.match.stalled_at is None
            and any(s.match_id == locked.match.pk and not s.is_clockwork for s in self.submissions)
        )

    # Judge -----------------------------------------------------------------------------

    def judge(self) -> list[Answer]:
        """Judge the actions in order, in memory; a refusal does not affect the others."""
        return [self._answer(submission) for submission in self.submissions]

    def _answer(self, submission: Submission) -> Answer:
        locked = self.locked_matches.get(submission.match_id)
        if locked is None:
            return Answer(self._why_not(submission.match_id))
        earlier = self.used.get(submission.key)
        if earlier is not None:
            if earlier == submission.asked:
                return Answer(repeated=True)
            return Answer(ActionConflict("this id was used for another action"))
        try:
            if locked.match.pk in self.doubts and not submission.is_clockwork:
                raise self.doubts[locked.match.pk]
            self._judge.judge(locked, submission)
        except REFUSALS as refusal:
            return Answer(refusal)
        self.used[submission.key] = submission.asked
        return Answer()

    def _why_not(self, match_id: int) -> Maintenance | MatchNotFound:
        if match_id in self.marks:
            return Maintenance("this match is being looked after, try again later")
        return MatchNotFound("there is no such match")

    # Write -----------------------------------------------------------------------------

    def write(self) -> list[LockedMatch]:
        """Write the accepted actions, all at once; return the changed matches."""
        changed = [locked for locked in self.locked_matches.values() if locked.is_changed]
        if changed:
            self._write(changed)
        return changed

    def _write(self, changed: Sequence[LockedMatch]) -> None:
        for reaction in self.participants.reactions:
            reaction.written(changed)
        if gone := [seat.pk for locked in changed for seat in locked.gone_seats]:
            Seat.objects.filter(pk__in=gone).delete()
        if come := [seat for locked in changed for seat in locked.new_seats]:
            Seat.objects.bulk_create(come)
        if gone_for_good := [
            row for locked in changed for row in locked.replaced if row.pk is None
        ]:
            Replaced.objects.bulk_create(gone_for_good)
        if differing := [seat for locked in changed for seat in locked.changed_seats]:
            self.store.update_seats(differing)
        self.store.append([entry for locked in changed for entry in locked.entries])
        if paced := [project(locked) for locked in changed if not locked.needs_checkpoint]:
            self.store.update_pace(paced)
        if whole := [project(locked) for locked in changed if locked.needs_checkpoint]:
            self.store.update_whole(whole)
        self.plan.write()
