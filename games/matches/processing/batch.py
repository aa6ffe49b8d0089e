"""A batch: lock the matches, judge the actions in order, write everything once.
Source: docs/explanation/concurrency.md "A batch"; docs/explanation/decisions/ "Writing".
"""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Final

from django.utils import timezone

from economy.errors import LedgerError
from economy.ledger import Plan
from games.engine.errors import IllegalAction, NotInPhase, StaleAction, refusal
from games.engine.facts import Step, Told, as_datetime, instant
from games.engine.table import OPEN, OVER, RUNNING, TableState
from games.engine.table.actions import SEATING_KINDS
from games.matches.journal.loading import MatchPosition, catch_up, match_cache
from games.matches.journal.reading import read_archived
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, Replaced, Seat
from games.matches.processing import bots, outage, settlement
from games.matches.processing.locked_match import AcceptedAction, LockedMatch, write_columns
from games.matches.processing.opening import AWAIT_LOG
from games.matches.processing.participants import Participants
from games.matches.processing.seating import CONSENTING, consents, unwanted_seats
from games.matches.processing.store import SqlStore, write_checkpoints
from games.matches.processing.submissions import Answer, BatchResult, Key, Submission
from games.matches.queries.ratings import is_rated

DEADLINE: Final = {"kind": "deadline"}
ACCEPTED: Final = Answer()


@dataclass(slots=True)
class Judge:
    plan: Plan
    participants: Participants
    #: Seconds by which each deadline that fired was late.
    late: list[float] = field(default_factory=list)

    def judge(self, locked: LockedMatch, submission: Submission) -> None:
        """Fire a passed deadline, then apply the action; raises IllegalAction, LedgerError."""
        kind, actor_id = submission.kind, submission.actor_id
        if locked.is_overdue and locked.match.stalled_at is None and not submission.is_clockwork:
            self.late.append((locked.at - (locked.due_at or locked.at)) / 1000)
            self.by_house(locked, DEADLINE)
        if locked.match.stalled_at is not None and locked.is_played_by(actor_id):
            # A player who acts is back, even before the heartbeat has seen the socket.
            self.by_house(locked, outage.resumption(locked.now))
        if actor_id is None:
            if kind != "deadline":
                self.by_house(locked, submission.action, submission)
            return
        if submission.phase is not None and submission.phase != locked.match.phase:
            raise StaleAction("the table has moved on", phase=locked.match.phase)
        if kind == "add_bot":
            self._by_bot(locked, submission)
            return
        self._by_person(locked, submission)
        if kind == "rematch":
            self.participants.open_next(locked, submission, self.plan)

    def by_house(
        self, locked: LockedMatch, action: Mapping[str, Any], submission: Submission | None = None
    ) -> None:
        kind = action["kind"]
        if kind in ("stall", "resume"):
            if locked.state.stage != RUNNING or (kind == "resume") != bool(locked.match.stalled_at):
                raise NotInPhase("the clock runs already, or stands already")
            locked.match.stalled_at = locked.now if kind == "stall" else None
        if kind == "void":
            locked.match.void_reason = action["reason"]
        if kind == "terms":
            locked.match.mark = action["mark"]
        given = {**action, "seed": locked.match.seed} if kind == "start" else action
        step = locked.table.apply_house(locked.state, given, locked.at)
        self._accept(locked, step, AcceptedAction(action, submission))

    def _by_person(self, locked: LockedMatch, submission: Submission) -> None:
        action = self.participants.check(locked, submission, self.plan)
        actor_id, kind = submission.actor_id or 0, submission.kind
        seat = locked.seat_of(actor_id)
        sitter = self.participants.users[actor_id] if kind in SEATING_KINDS else None
        begins = kind in CONSENTING and consents(locked, submission)
        step = locked.table.apply(locked.state, seat, action, locked.at)
        self._accept(locked, step, AcceptedAction(action, submission, seat, sitter))
        if begins:
            self.participants.note_sitting(actor_id)

    def _by_bot(self, locked: LockedMatch, submission: Submission) -> None:
        bot, action = self.participants.seat_for_bot(locked, submission)
        step = locked.table.apply_house(locked.state, action, locked.at)
        self.participants.fund_bot(locked, bot, action["purse"], self.plan)
        self._accept(locked, step, AcceptedAction(action, submission, sitter=bot))

    def _accept(
        self, locked: LockedMatch, step: Step[TableState[Any]], accepted: AcceptedAction
    ) -> None:
        """Plan a step's transfers, keep it, and apply its consequences."""
        if moves := settlement.moves_of(locked, step):
            mark = self.plan.mark()
            try:
                for move in moves:
                    self.plan.move(move)
            except (IllegalAction, LedgerError):
                self.plan.rewind(mark)
                raise
        locked.keep(step, accepted)
        # While people alone play, nothing follows.
        if locked.state.stage != RUNNING or locked.seating.has_bots or locked.match.bot_at:
            self._follow(locked, step.events)

    def _follow(self, locked: LockedMatch, facts: Sequence[Told]) -> None:
        if locked.state.starting:
            # A step of the house's own, with its own consequences.
            self._start(locked)
            return
        if locked.state.stage == OPEN and (seats := unwanted_seats(locked)):
            self.by_house(locked, {"kind": "free", "seats": seats, "reason": "program"})
            return
        if locked.state.stage == OPEN and (away := self.participants.absent(locked)):
            self.by_house(locked, {"kind": "ask", "seats": away})
            return
        if locked.state.stage == OVER:
            self._pay_bonuses(locked, facts)
            for reaction in self.participants.reactions:
                reaction.over(locked, facts, self.plan)
        if locked.is_ending:
            self._close_books(locked)
        bots.wake(locked, facts)

    def _start(self, locked: LockedMatch) -> None:
        """Collect all purses as one group and start, or make seats that cannot pay unready."""
        participants, plan = self.participants, self.plan
        # Nothing is dealt, and no salt asked for, before the opening is in the public log.
        if participants.awaits_log(locked):
            self.by_house(locked, {"kind": "await", "due_at": locked.at + AWAIT_LOG})
            return
        if away := participants.absent(locked):
            self.by_house(locked, {"kind": "ask", "seats": away})
            return
        if locked.state.needs_log:
            self.by_house(locked, {"kind": "ask_salts"})
            return
        seats, reason = participants.unwelcome(locked)
        if seats:
            self.by_house(locked, {"kind": "free", "seats": seats, "reason": reason})
            return
        participants.fund_bots(locked, plan)
        if missing := participants.missing_purses(locked, plan):
            self.by_house(locked, {"kind": "short", "seats": missing})
            return
        purses = [(s.no, locked.seating.users[s.no], s.purse) for s in locked.state.taken]
        for move in settlement.purse_moves(locked.match.id, purses):
            plan.move(move)
        participants.begun(locked)
        warned = participants.warned(locked)
        self.by_house(locked, {"kind": "start", **({"warned": warned} if warned else {})})
        locked.match.is_rated = is_rated(locked.game, locked.state)
        for reaction in participants.reactions:
            reaction.started(locked)

    def _pay_bonuses(self, locked: LockedMatch, facts: Sequence[Told]) -> None:
        earned = [fact for fact in facts if fact.kind == "bonus_earned" and fact.data["amount"]]
        if not earned:
            return
        # Daily limits count payments, so no other transaction may pay these users meanwhile.
        self.plan.lock_all()
        paid = []
        for fact in earned:
            seat, amount = fact.data["seat"], fact.data["amount"]
            others = [s.user for no, s in locked.seats.items() if no != seat]
            user_id = locked.seating.users[seat]
            key = settlement.bonus_key(user_id, [other.id for other in others], locked.now)
            everyone_is_a_bot = all(other.is_bot for other in others)
            if everyone_is_a_bot or not self.participants.may_pay_bonus(user_id, key, locked.now):
                continue
            self.plan.move(settlement.bonus_move(locked.match.id, user_id, key, amount))
            locked.change_seat(seat, bonus=amount)
            paid.append([seat, amount])
        if paid:
            action = {"kind": "bonus", "seats": paid}
            step = locked.table.apply_house(locked.state, action, locked.at)
            locked.keep(step, AcceptedAction(action))

    def _close_books(self, locked: LockedMatch) -> None:
        """Store each seat's result when the match ends, and require an empty escrow."""
        if locked.state.play is not None:
            locked.note_results()
            if left := settlement.held_in_escrow(self.plan, locked.match.id):
                raise AssertionError(f"{locked.match!r} would end with {left} in escrow")
        for reaction in self.participants.reactions:
            reaction.closed(locked)


class Batch:
    """The actions of one transaction; it uses and fills the cache if ``is_outermost``."""

    #: Reads and writes of every batch; tests put the reference store here.
    store: ClassVar[SqlStore] = SqlStore()

    def __init__(
        self, submissions: Sequence[Submission], now: datetime | None, *, is_outermost: bool
    ) -> None:
        self.submissions = submissions
        self.given_now = now
        self.keeps_cached = is_outermost and self.store.keeps_cached
        self.match_ids = sorted({submission.match_id for submission in submissions})
        self.marks: dict[int, MatchPosition] = {}
        #: The matches as they were at the lock, then those that changed as they are.
        self.snapshots: dict[int, Snapshot] = {}
        self.locked_matches: dict[int, LockedMatch] = {}
        self.used: dict[Key, str] = {}
        self.plan: Plan
        self._judge: Judge
        self.participants: Participants
        self.doubts: dict[int, outage.ClockSuspect] = {}
        self.locked_at = 0.0

    def run(self) -> BatchResult:
        """Lock, judge and write; call inside a transaction."""
        self.lock()
        answers = [self._answer(submission) for submission in self.submissions]
        changed = [locked for locked in self.locked_matches.values() if locked.entries]
        if changed:
            self.write(changed)
        self.participants.look_at_belongings(self.plan, changed)
        snapshots = {locked.match.id: locked.snapshot() for locked in changed}
        self.snapshots |= snapshots
        return BatchResult(
            answers, snapshots, moved_points=bool(self.plan.moved), late=self._judge.late
        )

    def hold(self) -> None:
        """Cache the matches for the next batch; call after the COMMIT."""
        if self.keeps_cached:
            match_cache.put(self.snapshots.values())
            if match_cache.let_go:
                write_checkpoints(match_cache.take_let_go())

    def drop(self) -> None:
        match_cache.drop(self.match_ids)

    def lock(self) -> None:
        self.participants = Participants()
        marks = self.store.lock(self.match_ids)
        self.locked_at = time.monotonic()
        self.marks = {mark.match_id: mark for mark in marks}
        cached = match_cache.get(self.match_ids) if self.keeps_cached else {}
        self.snapshots = found = catch_up(marks, cached)
        matches = [found[pk] for pk in self.match_ids if pk in found]
        self.participants.invite(self.submissions, matches)
        self.used = self.store.used(self.submissions)
        self.plan = Plan.over(self._owners(), self.given_now or timezone.now())
        if {match.state.stage for match in matches} - {RUNNING}:
            # Before the start nearly every action needs balances.
            self.plan.lock_all()
            archived = [match.match.id for match in matches if match.match.is_archived]
            self.used |= _used_in_archives(self.submissions, archived)
        now = self.plan.at = self.given_now or timezone.now()
        at = instant(now)
        self.locked_matches = {match.match.id: LockedMatch(match, at) for match in matches}
        self._judge = Judge(self.plan, self.participants)
        if overdue := [locked for locked in self.locked_matches.values() if locked.is_overdue]:
            self._check_clocks(overdue, now)

    def _owners(self) -> Iterator[str]:
        yield from (f"match:{match_id}" for match_id in self.marks)
        yield from self.participants.owners()

    def _check_clocks(self, overdue: Sequence[LockedMatch], now: datetime) -> None:
        """Find matches whose passed deadline may not fire yet; raises OutagePending."""
        # A passed deadline fires before an action, unless the action repairs the clock.
        acting = {s.match_id for s in self.submissions if not s.is_clockwork}
        firing = [d for d in overdue if d.match.id in acting and d.match.stalled_at is None]
        if not firing:
            return
        live = (locked for locked in firing if not locked.is_slow)
        latest = max((as_datetime(locked.due_at or locked.at) for locked in live), default=None)
        found = outage.doubts(now, latest)
        for locked in firing:
            if doubt := found.slow if locked.is_slow else found.live:
                self.doubts[locked.match.id] = doubt

    def _answer(self, submission: Submission) -> Answer:
        locked, key = self.locked_matches.get(submission.match_id), submission.key
        if locked is None and submission.match_id in self.marks:
            message = "this match is being looked after, try again later"
            return Answer(refusal("maintenance", message))
        if locked is None:
            return Answer(refusal("not_found", "there is no such match"))
        earlier = self.used.get(key)
        if earlier is not None:
            if earlier == submission.asked:
                return Answer(repeated=True)
            return Answer(refusal("conflict", "this id was used for another action"))
        try:
            if submission.match_id in self.doubts and not submission.is_clockwork:
                raise self.doubts[submission.match_id]
            self._judge.judge(locked, submission)
        except (IllegalAction, LedgerError) as problem:
            return Answer(problem)
        self.used[key] = submission.asked
        return ACCEPTED

    def write(self, changed: Sequence[LockedMatch]) -> None:
        if noted := [locked for locked in changed if locked.is_whole or locked.is_slow]:
            for reaction in self.participants.writers:
                reaction.written(noted)
        if gone := [seat.pk for locked in changed for seat in locked.gone_seats]:
            Seat.objects.filter(pk__in=gone).delete()
        if come := [seat for locked in changed for seat in locked.new_seats]:
            self.store.add_seats(come)
        if replaced := [row for locked in changed for row in locked.replaced if row.pk is None]:
            Replaced.objects.bulk_create(replaced)
        if differing := [
            locked.seats[no]
            for locked in changed
            for no in sorted(locked.changed_seats & locked.seats.keys())
        ]:
            self.store.update_seats(differing)
        self.store.append([entry for locked in changed for entry in locked.entries])
        paced, whole = list[Match](), list[Match]()
        for locked in changed:
            (whole if write_columns(locked) else paced).append(locked.match)
        if paced:
            self.store.update_pace(paced)
        if whole:
            self.store.update_whole(whole)
        self.plan.write()


def _used_in_archives(
    submissions: Sequence[Submission], match_ids: Collection[int]
) -> dict[Key, str]:
    """Return the requests that archived matches accepted: at most one query."""
    wanted = {each.key for each in submissions}
    return {
        key: entry.action if entry.asked is None else entry.asked
        for entries in read_archived(match_ids).values()
        for entry in entries
        if (key := (entry.match_id, entry.actor_id, entry.action_id)) in wanted
    }
