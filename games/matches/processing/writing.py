"""The door of every action on a match: ``apply``.
Source: docs/explanation/concurrency.md; docs/explanation/decisions/ "Writing".
"""

import itertools
import logging
import random
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.engine.facts import instant
from games.matches.journal.loading import awake, match_cache
from games.matches.models import Entry, Match, Seat
from games.matches.processing import outage
from games.matches.processing.batch import Batch
from games.matches.processing.submissions import Answer, BatchResult, Busy, Submission

log = logging.getLogger(__name__)

#: The most actions in one transaction.
BATCH_LIMIT = 256
TRIES = 3
#: The match's clock is slow: nobody has to be present when it fires.
_SLOW: Final = Q(is_slow=True, due_at__isnull=False)
#: The number of slow matches that get their time back in one batch ...
GIVEN = 20
#: ... and the batches of such that an action waits for.
GIVEN_AT_ONCE = 5
_chance = random.SystemRandom()


def apply(submissions: Sequence[Submission], now: datetime | None = None) -> BatchResult:
    """Apply a batch, repaying an outage first where one is found; raises OperationalError."""
    try:
        return apply_batch(submissions, now)
    except outage.OutagePending:
        for _ in itertools.islice(repayments(now), 1 + GIVEN_AT_ONCE):
            pass
        return apply_batch(submissions, now)


def apply_batch(submissions: Sequence[Submission], now: datetime | None = None) -> BatchResult:
    """Judge the actions in order, in one transaction; return an answer for each. Raises
    OutagePending, OperationalError.
    """
    for attempt in range(1, TRIES + 1):
        try:
            return _commit(submissions, now)
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
    """Apply one action and raise its refusal: IllegalAction or LedgerError."""
    result = apply_batch([submission], now)
    if result.answers[0].error is not None:
        raise result.answers[0].error
    return result


def apply_unseen(wanted: Sequence[Submission], now: datetime | None = None) -> BatchResult:
    """Apply a batch for matches without spectators, without evicting others from the cache."""
    result = apply(wanted, now)
    held = match_cache.get({submission.match_id for submission in wanted}).values()
    match_cache.drop(cached.match.pk for cached in held if cached.match.state_no == cached.no)
    return result


def repayments(now: datetime | None = None) -> Iterator[BatchResult]:
    """Give time back after an outage: live clocks first, then slow ones, a few a step.
    Source: docs/explanation/deadlines.md "Outages".
    """
    now = now or timezone.now()
    lost = outage.lost_processes(now)
    if not lost:
        return
    name = "outage-" + "-".join(f"{process.pk}_{process.outages}" for process in lost)[:57]
    length = outage.length_of(lost, now)
    matches = Match.objects.filter(awake(), status__in=Match.LIVE).order_by("pk")
    live = _live_repayments(matches.exclude(_SLOW), name, now)
    slow = matches.filter(_SLOW) if length >= outage.LONG else matches.none()
    count = len(live) + slow.count()
    shown = BatchResult([])
    if not outage.is_live_repaid(lost):
        Seat.objects.filter(match__status=Match.Status.OPEN).update(seen_at=now)
        for first in range(0, len(live), BATCH_LIMIT):
            result = apply_batch(live[first : first + BATCH_LIMIT], now)
            shown.snapshots |= result.snapshots
            shown.moved_points |= result.moved_points
        outage.note_live_repaid(lost)
        if count:
            log.warning("after an outage the clocks of %d matches get their time back", count)
    if count == len(live):
        outage.mark_repaid(lost, now, count)
        yield shown
        return
    yield shown
    given = Exists(Entry.objects.filter(match=OuterRef("pk"), actor=None, action_id=name))
    owed = list(slow.exclude(given).values_list("pk", "due_at"))
    for first in range(0, len(owed), GIVEN):
        some = dict(owed[first : first + GIVEN])
        # A clock that was set since then lost nothing.
        same = Match.objects.filter(pk__in=some).values_list("pk", "due_at")
        postponing = [
            house(pk, "postpone", name, due_at=instant(due_at + length))
            for pk, due_at in same
            if due_at and due_at == some[pk]
        ]
        if postponing:
            apply_unseen(postponing, now)
        yield BatchResult([])
    outage.mark_repaid(lost, now, count)


def _live_repayments(matches: QuerySet[Match], name: str, now: datetime) -> list[Submission]:
    grace, running = instant(now + outage.GRACE), Match.Status.RUNNING
    return [
        house(pk, "stall" if status == running else "postpone", name, due_at=grace)
        for pk, status in matches.values_list("pk", "status")
    ]


def house(match_id: int, kind: str, action_id: str, **data: Any) -> Submission:
    return Submission(match_id, {"kind": kind, **data}, action_id)


def _commit(submissions: Sequence[Submission], now: datetime | None) -> BatchResult:
    batch = Batch(submissions, now, is_outermost=not connection.in_atomic_block)
    try:
        with transaction.atomic():
            result = batch.run()
    except BaseException:
        # The judged states may not be the committed ones.
        batch.drop()
        raise
    result.held = time.monotonic() - batch.locked_at
    batch.hold()
    return result


def _one_by_one(submissions: Sequence[Submission], now: datetime | None) -> BatchResult:
    merged = BatchResult([])
    for submission in submissions:
        try:
            result = _commit([submission], now)
        except OperationalError:
            raise
        except DatabaseError:
            log.exception("an action could not be stored")
            merged.answers.append(Answer(Busy("the action could not be stored")))
            continue
        merged.answers += result.answers
        merged.snapshots |= result.snapshots
        merged.moved_points |= result.moved_points
        merged.held += result.held
    return merged
