import logging
from datetime import UTC, datetime, timedelta

import pytest

from games.matches.models import Entry
from games.realtime import clocks, runtime
from games.realtime.clocks import WallClock
from rpsite import pulse
from rpsite.celery import application
from tests.games.socket_kit import running_site, until_true
from tests.games.table_kit import running_table


class Machine:
    """Two clocks: one that people set, and one that they cannot."""

    wall, steady, between = datetime(2026, 11, 22, tzinfo=UTC).timestamp(), 100.0, 0.0

    def pass_time(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    def read_wall(self) -> float:
        self.pass_time(self.between)
        return self.wall

    def clock(self) -> WallClock:
        return WallClock(self.read_wall, lambda: self.steady)


@pytest.fixture
def machine():
    return Machine()


def test_a_clock_that_is_set_back_is_reported_once(machine, caplog):
    """A clock's own time goes on."""
    clock = machine.clock()
    before = clock.now()
    machine.pass_time(60)
    assert clock.look() == 0
    machine.wall -= 3600
    with caplog.at_level(logging.CRITICAL):
        assert clock.look() == -3600
        machine.pass_time(1)
        assert clock.look() == 0
    (report,) = caplog.records
    assert report.levelno == logging.CRITICAL
    assert "set back by 3600 s" in report.getMessage()
    assert clock.now() - before == timedelta(seconds=61)


@pytest.mark.parametrize(("by", "between"), [(-0.5, 0), (0.5, 0), (3600, 0), (0, 30)])
def test_small_corrections_what_goes_forward_and_a_standstill_are_not_reported(
    machine, caplog, by, between
):
    clock = machine.clock()
    machine.wall += by
    machine.between = between
    assert clock.look() == 0
    machine.between = 0
    assert clock.look() == 0
    assert not caplog.records


def test_beat_goes_on_when_the_clock_is_set_back(machine, monkeypatch, caplog):
    monkeypatch.setattr(pulse, "WallClock", machine.clock)
    # The real one starts a thread that notes it in the database.
    pulses, sent = set(), []
    monkeypatch.setattr(pulse.BEAT, "beat", lambda: pulses.add(machine.steady))
    scheduler = pulse.Scheduler(application)
    scheduler.apply_entry = lambda entry, producer=None: sent.append(entry.name)
    assert "sweep" in scheduler.schedule

    def let_pass(seconds: int) -> list[str]:
        sent.clear()
        for _ in range(seconds):
            machine.pass_time(1)
            while scheduler.tick() <= 0:
                pass
        return sent

    assert let_pass(5).count("sweep") == 1
    machine.wall -= 3600
    assert (let_pass(60).count("sweep"), sent.count("audit")) == (12, 1)
    machine.wall += 7200
    assert let_pass(60).count("sweep") == 12
    assert [record.name for record in caplog.records] == [clocks.__name__]
    assert len(pulses) == 125, "each second of all three spans"
    assert application.conf.beat_scheduler == f"{pulse.__name__}:{pulse.Scheduler.__name__}"


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
async def test_a_web_process_says_so(machine, monkeypatch, caplog):
    monkeypatch.setattr(runtime, "WallClock", machine.clock)
    async with running_site():
        machine.wall -= 90
        await until_true(lambda: "set back by 90 s" in caplog.text)


@pytest.mark.both_databases
@pytest.mark.django_db
def test_a_match_waits_until_the_clock_has_caught_up_and_acts_once(caplog):
    kit = running_table()
    entries = Entry.objects.filter(match=kit.match)
    before, began = kit.row, kit.now
    kit.now -= timedelta(hours=1)
    kit.beat()
    kit.act(kit.on_turn(), kind="call")
    after, count = kit.row, entries.count()
    assert after.at_ms == before.at_ms, "its time does not run backwards"
    assert after.due_at > began
    kit.pass_time(1800)
    assert entries.count() == count
    kit.now = after.due_at
    for _ in range(2):
        kit.pass_time(0)
        assert entries.count() == count + 1
