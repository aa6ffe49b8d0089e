"""The one write path: every change of a match goes through ``apply_batch``.

A batch is one transaction: lock the matches, lock the accounts, judge the actions one after the
other (seen before? deadline passed? allowed? affordable?), write everything once, commit.  A
refusal leaves the match unchanged and does not affect the rest of the batch.

Source: docs/explanation/concurrency.md; docs/explanation/decisions/ "Writing".
"""

import logging
import random
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import DatabaseError, OperationalError, connection, transaction

from games.matches.processing.batch import Batch
from games.matches.processing.submissions import Answer, BatchResult, Busy, Submission

log = logging.getLogger(__name__)

#: The most actions in one transaction.
BATCH_LIMIT = 256
TRIES = 3
_chance = random.SystemRandom()


def apply_batch(submissions: Sequence[Submission], now: datetime | None = None) -> BatchResult:
    """Judge the actions in order, in one transaction, and return an answer for each.

    Args:
        now: the instant of the batch, for tests; else taken once after the locks are held.

    Raises:
        OutagePending: a deadline has passed while no web process was alive; repay first.
        OperationalError: the database could not be written after several tries.
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
    """Apply one action and raise its refusal.

    Raises:
        IllegalAction: malformed, late, or against the rules.
        LedgerError: it cannot be paid for.
    """
    result = apply_batch([submission], now)
    if result.answers[0].error is not None:
        raise result.answers[0].error
    return result


def house(match_id: int, kind: str, action_id: str, **data: Any) -> Submission:
    """Build an action of the house: a deadline, an outage, a void, a freed seat."""
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
