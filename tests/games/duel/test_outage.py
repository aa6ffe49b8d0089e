from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from games.matches.journal.replay import replay_match
from games.matches.models import SelfCheck, WebProcess
from games.matches.processing import outage, repair, writing
from games.matches.queries import selectors
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user
from tests.games.matches.test_outage import later, new_web_process, sweep

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _is_not_a_web_process() -> Iterator[None]:
    outage._own.process_id = None
    yield
    outage._own.process_id = None


def slow(kind: str = "a day a throw") -> DuelKit:
    """Return a running duel whose clock is one of days: suspended, or a day a throw."""
    kit = DuelKit(new_user(), new_user(), best_of=3, **_CLOCKS[kind])
    kit.start()
    if kind == "suspended":
        kit.suspend()
    assert kit.row.is_slow
    return kit


_CLOCKS = {"suspended": {}, "a day a throw": {"clock_seconds": 86_400}}
SLOW = pytest.mark.parametrize("kind", _CLOCKS)
HOUR = timedelta(hours=1)
#: The kit cuts its clock to milliseconds.
AN_HOUR = pytest.approx(HOUR, abs=timedelta(seconds=1))


@SLOW
@pytest.mark.parametrize("in_good_order", [True, False])
def test_outage_restart_leaves_a_slow_duel_running_with_its_length_added(kind, in_good_order):
    """The next process finds the last heartbeat of the old one: the outage began there."""
    kit = slow(kind)
    due_at = kit.row.due_at
    if in_good_order:
        outage.close_process(kit.now)
    later(kit, 3_600)
    new_web_process(kit)
    for _ in range(3):
        sweep(kit)
    assert (kit.row.status, kit.row.stalled_at) == ("running", None)
    assert kit.row.due_at - due_at == AN_HOUR
    assert (kit.kinds.count("clock_postponed"), kit.kinds.count("clock_stalled")) == (1, 0)
    assert WebProcess.objects.filter(lost=True).count() == 1
    if kind == "suspended":
        # It is not voided when nobody comes back.
        kit.beat()
        for _ in range(4):
            kit.pass_time(100)
            repair.tidy(kit.now)
        assert selectors.forgotten_matches(kit.now) == []
        kit.resume()
        assert not kit.row.is_slow
    kit.win(kit.ann)
    assert kit.row.status == "over"
    assert replay_match(kit.row).is_same


def an_hour_away(count: int) -> tuple[DuelKit, list[DuelKit]]:
    """Return a live duel and slow ones, whose clocks ran out in an outage that ends now."""
    kits = [slow() for _ in range(count)]
    live = DuelKit(new_user(), new_user(), age=300 - 86_400, best_of=3)
    live.start()
    later(live, HOUR.total_seconds())
    new_web_process(live)
    for kit in kits:
        kit.now = live.now
    return live, kits


def extensions(kits: list[DuelKit], before: list[datetime]) -> list[timedelta]:
    minute = timedelta(minutes=1)
    return [
        (kit.row.due_at - at + minute / 2) // minute * minute
        for kit, at in zip(kits, before, strict=True)
    ]


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give one clock its time in each step."""
    monkeypatch.setattr(writing, "GIVEN", 1)


@pytest.mark.both_databases
@pytest.mark.usefixtures("one_by_one")
def test_outage_live_clocks_run_before_all_slow_ones_have_their_time() -> None:
    live, kits = an_hour_away(3)
    before = [kit.row.due_at for kit in kits]
    steps = writing.repayments(live.now)
    assert list(next(steps).snapshots) == [live.match.pk], "its table shows it at once"
    next(steps)
    assert extensions(kits, before) == [HOUR, timedelta(0), timedelta(0)]

    # A live clock fires as always, and its players act.
    writing.apply_batch(repair.resume([live.match.pk], live.now), live.now)
    live.act(live.ann, kind="throw", hand="rock")
    for _ in range(12):
        later(live, 5)
        outage.beat(live.now)
    assert repair.fire_due([live.match.pk], live.now).snapshots
    # A slow one that is owed time does not, and refuses what the clock would forbid.
    late = kits[2]
    late.now = live.now
    (answer,) = repair.fire_due([late.match.pk], live.now).answers
    for refusal in (answer, late.answer(late.ann, kind="throw", hand="rock")):
        assert isinstance(refusal.error, outage.ClockSuspect)
    assert outage.lost_processes(live.now)

    assert (len(list(steps)), extensions(kits, before)) == (2, [HOUR] * 3)
    assert not outage.lost_processes(live.now)
    assert late.answer(late.ann, kind="throw", hand="rock").error is None
    sweep(live)
    assert [kit.kinds.count("clock_postponed") for kit in kits] == [1] * 3
    assert live.kinds.count("clock_stalled") == 1
    assert SelfCheck.objects.get(kind="repay").note == "3600 s to 4 games"


@pytest.mark.both_databases
@pytest.mark.usefixtures("one_by_one")
def test_outage_repayment_that_ends_early_is_gone_on_with_once(monkeypatch: pytest.MonkeyPatch):
    """Another process, which does not know of it, gives each clock its time once too."""
    monkeypatch.setattr(repair, "GIVING", -1)
    live, kits = an_hour_away(3)
    before = [kit.row.due_at for kit in kits]
    for count in (1, 2, 3):
        repair.repay(live.now)
        assert extensions(kits, before) == [HOUR] * count + [timedelta(0)] * (3 - count)
        outage._own.repaid.clear()
    assert outage.lost_processes(live.now), "nobody has seen yet that it is complete"
    repair.repay(live.now)
    assert not outage.lost_processes(live.now)
    assert [kit.kinds.count("clock_postponed") for kit in kits] == [1] * 3
    assert live.kinds.count("clock_stalled") == 1
    assert WebProcess.objects.get(lost=True).outages == 1


@pytest.mark.usefixtures("one_by_one")
def test_outage_is_not_given_to_a_slow_clock_that_was_set_after_it() -> None:
    first, second = kits = [slow() for _ in range(2)]
    before = [kit.row.due_at for kit in kits]
    later(second, 3_600)
    first.now = second.now
    new_web_process(second)
    steps = writing.repayments(second.now)
    next(steps)
    next(steps)
    second.win(second.ann)
    set_at = second.row.due_at
    assert list(steps)
    assert (first.row.due_at - before[0], second.row.due_at) == (AN_HOUR, set_at)
    assert not outage.lost_processes(second.now)
