"""What is due is done in portions, and what people ask for does not wait for all of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.live.due import Due
from games.live.waiting import LEAST_BATCH
from games.models import Match
from games.play import repair
from games.play.submissions import BatchResult
from games.reading.selectors import AT_ONCE
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit

MANY = 3 * AT_ONCE + 7


class Site:
    """Matches that are due; each one acts once."""

    def __init__(self, count: int) -> None:
        self.left = list(range(count))
        self.portions: list[int] = []

    def fire_all_due(self, now: datetime | None = None, *, limit: int) -> BatchResult:
        return self.fire_due(self.left[:limit])

    def fire_due(self, match_ids: list[int], now: datetime | None = None) -> BatchResult:
        self.portions.append(len(match_ids))
        self.left = [one for one in self.left if one not in match_ids]
        return BatchResult([], dict.fromkeys(match_ids, "as it stands now"))


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(MANY)
    for name in ("fire_all_due", "fire_due"):
        monkeypatch.setattr(repair, name, getattr(made, name))
    return made


def work(due: Due, *passed_by: str) -> int:
    """Do what is due until nothing is; return in how many turns of the pump."""
    turns = 0
    while due:
        for part in due.take():
            if getattr(part, "__name__", "") not in passed_by:
                part()
        turns += 1
    return turns


def test_a_sweep_that_is_behind_goes_on_in_portions(site: Site) -> None:
    due = Due()
    due.sweep()
    turns = work(due, "repay", "tidy")
    assert site.left == []
    assert max(site.portions) <= AT_ONCE
    # The last one finds nothing: then everything has been done.
    assert turns == len(site.portions) >= MANY // AT_ONCE + 2


def test_what_was_told_waits_in_portions_and_is_told_once(site: Site) -> None:
    due = Due()
    due.tell(range(MANY))
    due.tell(range(MANY))
    work(due)
    assert sum(site.portions) == MANY
    assert max(site.portions) <= AT_ONCE


def test_slow_portions_stay_small(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr("games.live.due.time.monotonic", lambda: float(next(ticks)))
    due = Due()
    due.tell(range(MANY))
    work(due)
    assert set(site.portions[:-1]) == {LEAST_BATCH}


def test_quick_portions_grow(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.live.due.time.monotonic", lambda: 0.0)
    due = Due()
    due.tell(range(MANY))
    work(due)
    assert site.portions[:2] == [LEAST_BATCH, AT_ONCE]


def test_a_sweep_that_fails_is_made_again_with_the_next_one_and_not_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*given: Any, **named: Any) -> BatchResult:
        raise RuntimeError("no database")

    monkeypatch.setattr(repair, "fire_all_due", fail)
    due = Due()
    due.sweep()
    _, look, _ = due.take()
    with pytest.raises(RuntimeError):
        look()
    assert not due


@pytest.mark.django_db
def test_the_worker_works_all_off_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.play.repair.fire_all_due.__kwdefaults__", {"limit": 1})
    kits = [TableKit(new_user(f"a{n}x"), new_user(f"b{n}x")) for n in range(3)]
    for kit in kits:
        kit.start()
    now = timezone.now() + timedelta(days=1)
    assert Match.objects.filter(due_at__lte=now).count() == 3
    for part in repair.SWEEP:
        part(now)
    assert Match.objects.filter(due_at__lte=now).count() == 0
