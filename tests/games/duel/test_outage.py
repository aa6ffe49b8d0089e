"""Decision 21: clocks of hours and days in an outage, beside those of seconds."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from games.matches.journal.replay import replay_match
from games.matches.models import WebProcess
from games.matches.processing import outage, repair
from games.matches.queries import selectors
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user
from tests.games.matches.test_outage import later, new_web_process, sweep
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _is_not_a_web_process() -> Iterator[None]:
    """Forget the heartbeat row that a test has opened."""
    outage._own.process_id = None
    yield
    outage._own.process_id = None


@remembered
def slow(kind: str) -> DuelKit:
    """Return a running duel whose clock is one of days: suspended, or a day a throw."""
    kit = DuelKit(new_user(), new_user(), best_of=3, **_CLOCKS[kind])
    kit.start()
    if kind == "suspended":
        kit.suspend()
    assert kit.row.is_slow
    return kit


_CLOCKS = {"suspended": {}, "a day a throw": {"clock_seconds": 86_400}}
SLOW = pytest.mark.parametrize("kind", _CLOCKS)


@SLOW
def test_outage_moves_a_slow_clock_by_its_length_once(kind: str) -> None:
    kit = slow(kind)
    due_at = kit.row.due_at
    later(kit, 3_600)
    for _ in range(3):
        sweep(kit)
    kit.beat()
    assert kit.row.stalled_at is None
    # The kit cuts its clock to milliseconds.
    assert kit.row.due_at - due_at == pytest.approx(timedelta(hours=1), abs=timedelta(seconds=0.01))
    assert kit.kinds.count("clock_postponed") == 1
    assert "clock_stalled" not in kit.kinds


@SLOW
def test_outage_of_less_than_a_minute_leaves_a_slow_clock_alone(kind: str) -> None:
    kit = slow(kind)
    due_at = kit.row.due_at
    later(kit, 40)
    sweep(kit)
    assert kit.row.due_at == due_at
    assert kit.row.stalled_at is None
    assert not outage.lost_processes(kit.now)


@SLOW
def test_outage_does_not_void_a_slow_duel_to_which_nobody_comes_back(kind: str) -> None:
    kit = slow(kind)
    later(kit, 600)
    sweep(kit)
    for _ in range(4):
        kit.pass_time(100)
        repair.tidy(kit.now)
    assert selectors.forgotten_matches(kit.now) == []
    assert kit.row.status == "running"


@SLOW
def test_outage_in_which_a_slow_clock_would_have_run_out_gives_its_time_back(kind: str) -> None:
    kit = slow(kind)
    due_at = kit.row.due_at
    kit.now = due_at - timedelta(minutes=5)
    kit.beat()
    later(kit, 3_600)
    sweep(kit)
    assert kit.row.status == "running"
    assert kit.row.due_at - due_at == pytest.approx(timedelta(hours=1), abs=timedelta(seconds=0.01))
    kit.beat()
    kit.pass_time(300)
    assert kit.row.phase > 0
    assert replay_match(kit.row).is_same


@SLOW
@pytest.mark.parametrize("in_good_order", [True, False])
def test_outage_restart_leaves_a_slow_duel_running_with_its_length_added(
    kind: str, in_good_order: bool
) -> None:
    """The next process finds the last heartbeat of the old one: the outage began there."""
    kit = slow(kind)
    due_at = kit.row.due_at
    if in_good_order:
        outage.close_process(kit.now)
    later(kit, 1_800)
    new_web_process(kit)
    sweep(kit)
    assert kit.row.status == "running"
    assert kit.row.stalled_at is None
    assert kit.row.due_at - due_at == pytest.approx(timedelta(minutes=30), abs=timedelta(seconds=1))
    assert WebProcess.objects.filter(lost=True).count() == 1
    if kind == "suspended":
        kit.resume()
    kit.win(kit.ann)
    assert kit.row.status == "over"


def test_outage_stalls_a_live_duel_and_voids_it_with_a_refund_when_forgotten() -> None:
    kit = DuelKit(new_user(), new_user(), best_of=3, stake=10)
    kit.start()
    later(kit, 90)
    sweep(kit)
    assert kit.row.stalled_at == kit.now
    kit.beat()
    for _ in range(4):
        kit.pass_time(50)
        repair.tidy(kit.now)
    assert kit.row.status == "void"
    assert "stake_refunded" in kit.kinds


def test_outage_after_a_suspension_ends_the_clock_is_a_live_one_again() -> None:
    kit = slow("suspended")
    kit.resume()
    later(kit, 90)
    sweep(kit)
    assert kit.row.stalled_at is not None
