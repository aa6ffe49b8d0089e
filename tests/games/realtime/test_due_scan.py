import contextlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from games.matches.models import Match
from games.matches.processing import repair, writing
from games.matches.processing.submissions import BatchResult
from games.matches.queries.selectors import AT_ONCE, HEAD_START
from games.realtime import batch_writer
from games.realtime.batch_writer import DueScan
from games.realtime.write_queue import LEAST_BATCH
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit

MANY = 3 * AT_ONCE + 7


class Site:
    """Matches that are due; each one acts once.  ``steps`` is what was done, in order."""

    def __init__(self, count: int) -> None:
        self.left = list(range(count))
        self.steps: list[tuple[str, int]] = []
        self.owed = 0

    def due_matches(self, now: datetime, *, slow_until: datetime) -> list[int]:
        self.steps.append(("look", 0))
        return self.left[:AT_ONCE]

    def wakes(self, match_ids: list[int]) -> list[int]:
        self.steps.append(("read", len(match_ids)))
        return [one for one in match_ids if one in self.left]

    def act(self, step: str, match_ids: list[int]) -> BatchResult:
        self.steps.append((step, len(match_ids)))
        self.left = [one for one in self.left if one not in match_ids]
        return BatchResult([], dict.fromkeys(match_ids, "as it stands now"))

    def tidy(self) -> BatchResult:
        return BatchResult([])

    def repayments(self) -> Iterator[BatchResult]:
        if self.owed:
            self.steps.append(("repay", 0))
            yield BatchResult([], dict.fromkeys(["live"], "as it stands now"))
        while self.owed:
            self.owed -= 1
            self.steps.append(("repay", 1))
            yield BatchResult([])

    def portions(self, kind: str) -> list[int]:
        return [count for step, count in self.steps if step == kind]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(MANY)
    monkeypatch.setattr(batch_writer, "due_matches", made.due_matches)
    for module, name in ((repair, "wakes"), (writing, "repayments"), (repair, "tidy")):
        monkeypatch.setattr(module, name, getattr(made, name))
    for module, name, step in ((writing, "apply_unseen", "act"), (repair, "fire_due", "told")):
        monkeypatch.setattr(module, name, partial(made.act, step))
    return made


@pytest.fixture
def due(site: Site) -> DueScan:
    return DueScan()


def work(due: DueScan, clock: Any) -> int:
    """Process all due matches; return the number of the batch writer's turns."""
    turns = 0
    while (pause := due.pause()) is not None:
        clock.now += pause
        for part in due.take():
            part()
        turns += 1
    return turns


def test_a_sweep_works_off_all_that_is_due_few_at_a_time(site, due, clock) -> None:
    due.sweep()
    turns = work(due, clock)
    assert site.left == []
    assert set(site.portions("act")) <= set(range(1, repair.FEW + 1))
    # People act after each reading and after each portion, and after each part of the sweep.
    assert turns >= 2 * (MANY // repair.FEW)
    # The last look finds nothing: then everything has been done.
    assert len(site.portions("look")) == MANY // AT_ONCE + 2


def test_after_each_step_the_batch_writer_is_free_for_as_long(site, due, clock) -> None:
    due.sweep()
    while not site.portions("read"):
        for part in due.take():
            clock.tick = 0.01
            part()
            clock.tick = 0.0
    assert due.pause() == pytest.approx(repair.REST * 0.01)
    assert due.take() == []
    # What was told meanwhile waits for no rest.
    due.tell([1])
    assert due.pause() == 0.0
    assert len(due.take()) == 1


def test_what_does_nothing_is_looked_at_once_a_sweep(site, due, clock, monkeypatch) -> None:
    monkeypatch.setattr(repair, "wakes", lambda match_ids: [])
    due.sweep()
    work(due, clock)
    assert (site.steps, len(site.left)) == ([("look", 0)], MANY)


def test_what_was_told_waits_in_portions_and_is_told_once(site, due, clock) -> None:
    due.tell(range(MANY))
    due.tell(range(MANY))
    work(due, clock)
    assert sum(site.portions("told")) == MANY
    assert max(site.portions("told")) <= AT_ONCE
    assert site.portions("told")[:2] == [LEAST_BATCH, AT_ONCE], "quick portions grow"


def test_slow_portions_stay_small(site, due, clock) -> None:
    clock.tick = 1.0
    due.tell(range(MANY))
    work(due, clock)
    assert set(site.portions("told")[:-1]) == {LEAST_BATCH}


def test_slow_clocks_get_their_time_back_a_few_at_a_time(site, due, clock) -> None:
    site.left, site.owed = list(range(5)), 7
    due.sweep()
    (repay,) = due.take()
    assert repay().snapshots, "live clocks come first, and their viewers see it at once"
    # A sweep meanwhile begins no second repayment; the worker has a head start.
    due.sweep()
    while (due.pause() or 0.0) == 0.0:
        for part in due.take():
            part()
    assert (site.portions("repay"), site.left) == ([0], [])
    assert due.pause() == pytest.approx(HEAD_START.total_seconds(), abs=1)
    turns = work(due, clock)
    assert (site.owed, site.portions("repay")) == (0, [0] + 7 * [1])
    # People act after each step.
    assert turns >= 7
    assert due.pause() is None


@pytest.mark.parametrize("step", ["repayments", "due_matches", "wakes", "apply_unseen"])
def test_what_fails_is_tried_again_with_the_next_sweep_and_not_at_once(
    site, due, clock, monkeypatch, step: str
) -> None:
    def fail(*given: Any, **named: Any) -> BatchResult:
        raise RuntimeError("no database")

    with monkeypatch.context() as patch:
        module = next(each for each in (batch_writer, writing, repair) if hasattr(each, step))
        patch.setattr(module, step, fail)
        due.sweep()
        for _ in range(3 * MANY):
            clock.now += due.pause() or 0.0
            for part in due.take():
                with contextlib.suppress(RuntimeError):
                    part()
        assert due.pause() is None
    due.sweep()
    work(due, clock)
    assert site.left == []


@pytest.mark.django_db
def test_the_worker_works_all_off_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "FEW", 1)
    kits = [TableKit(new_user(f"a{n}x"), new_user(f"b{n}x")) for n in range(3)]
    for kit in kits:
        kit.start()
    now = timezone.now() + timedelta(days=1)
    assert Match.objects.filter(due_at__lte=now).count() == 3
    for part in repair.SWEEP:
        part(now)
    assert Match.objects.filter(due_at__lte=now).count() == 0
