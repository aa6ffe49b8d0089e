"""Decision 21: what an outage does to clocks, and what it does not do to people."""

import asyncio
import os
import socket
from datetime import timedelta
from unittest import mock

import pytest
from django.db import InterfaceError

from economy.selectors import balance_of
from games.engine.facts import as_datetime, instant
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match, Seat, WebProcess
from games.matches.processing import outage, repair, writing
from games.realtime.batch_writer import BatchWriter
from tests.games.table_kit import TableKit, new_user, running_table

pytestmark = pytest.mark.django_db

#: Numbers of a process that this machine cannot have, and of one that always runs.
GONE, RUNNING = 2**30, 1


def later(kit: TableKit, seconds: float) -> None:
    kit.now = as_datetime(instant(kit.now + timedelta(seconds=seconds)))  # Whole milliseconds.


def come_back(kit: TableKit) -> None:
    writing.apply_batch(repair.resume([kit.match.pk], kit.now), kit.now)


def sweep(kit: TableKit) -> None:
    for part in repair.SWEEP:
        part(kit.now)


def new_web_process(kit: TableKit, *, earlier_pid: int = GONE) -> None:
    """Start a web process; what ran before has another number on this machine."""
    name = f"{socket.gethostname()}:{earlier_pid}"
    WebProcess.objects.filter(closed_at=None).update(name=name)
    outage._own.process_id = None
    outage.open_process(kit.now)


def stalled() -> TableKit:
    kit = running_table()
    later(kit, 30)
    sweep(kit)
    return kit


def beat_each_second(kit: TableKit, seconds: int, pause: int = 1) -> None:
    for _ in range(seconds // pause):
        later(kit, pause)
        kit.beat()
        sweep(kit)


@pytest.mark.both_databases
def test_outage_gives_twenty_seconds_once_however_often_it_is_found_and_folds_nobody() -> None:
    kit = running_table()
    later(kit, 90)
    sweep(kit)
    assert kit.row.status == "running"
    assert "folded" not in kit.kinds
    assert kit.row.stalled_at == kit.now
    first = kit.row.due_at
    assert first == kit.now + timedelta(seconds=20)
    later(kit, 5)
    for _ in range(3):
        repair.repay(kit.now)
        sweep(kit)
    assert (kit.row.due_at, kit.kinds.count("clock_stalled")) == (first, 1)
    assert WebProcess.objects.get(lost=True).closed_at is not None


def test_outage_keeps_a_later_deadline_and_gives_open_tables_their_time_back() -> None:
    kit = running_table(betting_clock=120)
    due_at = kit.row.due_at
    later(kit, 10)
    sweep(kit)
    assert kit.row.due_at == due_at
    kit = TableKit(new_user(), new_user(), seats=3)
    kit.seat_everybody()
    kit.make_ready()
    assert kit.snapshot.state.start_at is not None
    later(kit, 30)
    sweep(kit)
    assert (kit.row.status, kit.row.stalled_at) == ("open", None), "it does not stand still"
    assert kit.row.due_at == kit.now + timedelta(seconds=20)


@pytest.mark.plain
@pytest.mark.both_databases
def test_outage_repaid_by_two_at_once_is_repaid_once() -> None:
    """The second finds the actions of the first: the same lost rows give the same ids."""
    kit = running_table()
    later(kit, 30)
    lost = outage.lost_processes(kit.now)
    assert list(repair.repay(kit.now).snapshots) == [kit.match.pk], "its table shows it at once"
    WebProcess.objects.filter(pk__in=[row.pk for row in lost]).update(closed_at=None, lost=False)
    first, later_on = kit.row.due_at, kit.now + timedelta(seconds=4)
    repair.repay(later_on)
    assert kit.row.due_at == first
    house = Entry.objects.filter(match=kit.match, action_id__startswith="outage-")
    assert house.count() == 1


@pytest.mark.both_databases
def test_outage_neither_a_clock_nor_an_action_after_it_counts_while_no_heartbeat_is_fresh() -> None:
    """Neither the deadline nor what it would forbid may happen: the answer is to try again."""
    kit = running_table()
    submission = kit.submission(kit.on_turn(), kind="call")
    later(kit, 20)
    kit.beat()
    late = kit.now + timedelta(seconds=3.5)
    (answer,) = writing.apply([submission], late).answers
    assert isinstance(answer.error, outage.ClockSuspect)
    assert answer.error.code == "busy"
    for _ in range(3):
        (answer,) = repair.fire_due([kit.match.pk], late).answers
        assert isinstance(answer.error, outage.ClockSuspect)
    assert "folded" not in kit.kinds
    kit.now = late
    kit.beat()
    assert kit.match.pk in repair.fire_due([kit.match.pk], kit.now).snapshots
    assert "folded" in kit.kinds


@pytest.mark.plain
def test_outage_found_by_an_action_is_given_back_before_it_is_judged() -> None:
    """Before the clock an action needs no heartbeat."""
    kit = running_table()
    for seconds in (15, 60):
        submission = kit.submission(kit.on_turn(), kind="call")
        later(kit, seconds)
        assert writing.apply([submission], kit.now).answers[0].error is None
    assert "folded" not in kit.kinds


@pytest.mark.parametrize("is_web", [False, True], ids=["worker", "web"])
def test_outage_the_worker_waits_for_a_heartbeat_after_the_deadline(is_web: bool) -> None:
    """A process without sockets cannot know whether a player could have acted."""
    kit = running_table()
    later(kit, 19)
    kit.beat()
    later(kit, 1.5)
    assert outage._own.process_id is not None
    if not is_web:
        outage._own.process_id = None
        assert repair.fire_due([kit.match.pk], kit.now).snapshots == {}
        assert "folded" not in kit.kinds
        kit.beat()
    assert repair.fire_due([kit.match.pk], kit.now).snapshots
    assert "folded" in kit.kinds


@pytest.mark.both_databases
def test_outage_of_this_process_itself_begins_a_new_row() -> None:
    """A process that was stopped for a while cannot go on unchanged."""
    kit = running_table()
    first = outage._own.process_id
    later(kit, 5)
    assert outage.beat(kit.now) == first
    later(kit, 7)
    second = outage.beat(kit.now)
    assert second != first
    assert [row.pk for row in outage.lost_processes(kit.now)] == [first]
    sweep(kit)
    assert kit.row.stalled_at is not None
    assert outage.lost_processes(kit.now) == []


@pytest.mark.plain
@pytest.mark.parametrize(
    "earlier_pid", [GONE, os.getpid(), None], ids=["killed", "same number", "in good order"]
)
def test_outage_restart_counts_at_once(earlier_pid: int | None) -> None:
    """Sockets were gone; in a container the next process has the number of the first."""
    kit = running_table()
    if earlier_pid is None:
        outage.close_process(kit.now)
    later(kit, 2 if earlier_pid else 40)
    new_web_process(kit, earlier_pid=earlier_pid or GONE)
    sweep(kit)
    assert "folded" not in kit.kinds
    assert kit.row.stalled_at is not None
    assert kit.row.due_at == kit.now + timedelta(seconds=20)


@pytest.mark.plain
@pytest.mark.both_databases
def test_outage_of_one_web_process_of_two_counts_and_a_second_one_beside_it_is_none() -> None:
    """Those whose sockets it had could not act."""
    kit = running_table()
    first = outage._own.process_id
    new_web_process(kit, earlier_pid=RUNNING)
    sweep(kit)
    assert kit.row.stalled_at is None
    assert WebProcess.objects.filter(closed_at=None).count() == 2
    WebProcess.objects.filter(pk=first).update(name=f"{socket.gethostname()}:{GONE}")
    later(kit, 10)
    WebProcess.objects.exclude(pk=first).update(beat_at=kit.now)
    sweep(kit)
    assert kit.row.stalled_at is not None
    assert WebProcess.objects.get(pk=first).lost


@pytest.mark.plain
@pytest.mark.parametrize("silent_for", [19, 20])
def test_outage_a_process_that_runs_and_is_late_is_slow_for_twenty_seconds(silent_for: int) -> None:
    """Nothing fires meanwhile, and what it then finds due fires without time given back."""
    kit = running_table()
    first = outage._own.process_id
    new_web_process(kit, earlier_pid=RUNNING)
    later(kit, (kit.row.due_at - kit.now).total_seconds() + 1)
    WebProcess.objects.update(beat_at=kit.now)
    WebProcess.objects.filter(pk=first).update(beat_at=kit.now - timedelta(seconds=silent_for))
    sweep(kit)
    assert "folded" not in kit.kinds
    assert (kit.row.stalled_at is not None) == (silent_for == 20)
    if silent_for < 20:
        WebProcess.objects.update(beat_at=kit.now)
        sweep(kit)
        assert "folded" in kit.kinds


def test_outage_the_batch_writer_writes_a_late_heartbeat_while_the_loop_lives(monkeypatch, caplog):
    outage.open_process()
    assert not outage.is_beat_late()
    monkeypatch.setattr(outage._own, "beat_at", 0.0)
    assert outage.is_beat_late()
    writer = BatchWriter(asyncio.new_event_loop(), lambda result: None)
    monkeypatch.setattr(writer, "_loop_seen_at", 0.0)
    assert not writer._is_beat_due()
    writer.keep_beating()
    assert writer._is_beat_due()
    writer._beat()
    assert not outage.is_beat_late()
    monkeypatch.setattr(outage, "beat", mock.Mock(side_effect=InterfaceError("closed")))
    monkeypatch.setattr(outage._own, "beat_at", 0.0)
    writer._beat()
    assert "the heartbeat could not be written" in caplog.text
    with outage._own.turn:  # another thread is about to
        monkeypatch.setattr(outage._own, "beat_at", 0.0)
        assert not outage.is_beat_late()


@pytest.mark.plain
def test_outage_clock_stands_still_until_a_player_is_back_and_resumes_once() -> None:
    kit = stalled()
    kit.beat()
    kit.pass_time(150)
    assert "folded" not in kit.kinds
    wanted = repair.resume([kit.match.pk], kit.now) * 2
    writing.apply_batch(wanted, kit.now)
    writing.apply_batch(wanted, kit.now + timedelta(seconds=5))
    assert kit.kinds.count("clock_resumed") == 1
    assert kit.row.stalled_at is None
    assert kit.row.due_at == kit.now + timedelta(seconds=20)
    kit.pass_time(19.9)
    assert "folded" not in kit.kinds
    kit.pass_time(0.2)
    assert "folded" in kit.kinds


@pytest.mark.plain
@pytest.mark.both_databases
def test_outage_who_acts_is_back_and_not_too_late_but_nobody_else() -> None:
    """Also more than 20 s after the outage, before a heartbeat has seen the socket."""
    kit = stalled()
    assert kit.code(new_user(), kind="call") is not None
    assert kit.row.stalled_at is not None
    later(kit, 60)
    assert kit.code(kit.on_turn(), kind="call") is None
    assert kit.kinds.count("clock_resumed") == 1
    assert kit.row.stalled_at is None
    assert repair.resume([kit.match.pk], kit.now) == []


@pytest.mark.both_databases
def test_outage_with_nobody_back_for_three_minutes_voids_and_refunds() -> None:
    kit = running_table()
    kit.act(kit.on_turn(), kind="raise_by", amount=7)
    later(kit, 40)
    sweep(kit)
    kit.beat()
    beat_each_second(kit, 178, pause=2)
    assert kit.row.status == "running"
    beat_each_second(kit, 2, pause=2)
    told = (kit.row.status, kit.row.void_reason)
    assert told == ("void", "nobody came back after an outage")
    assert "folded" not in kit.kinds
    assert "stake_refunded" in kit.kinds
    for _ in range(3):
        assert [balance_of(user.pk) for user in kit.people] == [100, 100]
        sweep(kit)
    assert [balance_of(user.pk) for user in kit.people] == [100, 100]


def test_outage_rounds_in_it_do_not_count_as_absent() -> None:
    kit = running_table(round_clock=10)
    kit.call_all()
    for _ in range(3):
        later(kit, 60)
        sweep(kit)
        kit.beat()
        come_back(kit)
    assert not {"absent_warned", "gave_up", "round_resolved"} & set(kit.kinds)


@pytest.mark.both_databases
def test_outage_a_second_one_is_given_back_as_well_and_all_replays_to_the_same_bytes() -> None:
    kit = stalled()
    new_web_process(kit)
    come_back(kit)
    later(kit, 30)
    sweep(kit)
    assert kit.kinds.count("clock_stalled") == 2
    assert kit.row.due_at == kit.now + timedelta(seconds=20)
    kit.beat()
    come_back(kit)
    kit.play_to_the_end()
    assert kit.row.status == Match.Status.OVER
    assert replay_match(kit.row).is_same


def test_outage_is_over_before_the_three_minutes_begin() -> None:
    """While no web process runs nobody can come back, and the worker must not void."""
    kit = running_table()
    later(kit, 30)
    outage._own.process_id = None
    for _ in range(10):
        sweep(kit)
        later(kit, 60)
    assert kit.row.status == "running"
    new_web_process(kit)
    sweep(kit)
    beat_each_second(kit, 178, pause=2)
    assert kit.row.status == "running"
    beat_each_second(kit, 2, pause=2)
    assert kit.row.status == "void"


@pytest.mark.both_databases
@pytest.mark.parametrize("ended", ["not", "killed", "in good order"])
def test_outage_seat_without_sockets_for_a_minute_is_freed_and_not_for_those_that_it_took(ended):
    kit = TableKit(new_user(), new_user())
    kit.seat_everybody()
    seats = Seat.objects.filter(match=kit.match)
    if ended != "not":
        if ended == "in good order":
            outage.close_process(kit.now)
        later(kit, 300)
        assert repair.absent_sitters(kit.now) == []
        sweep(kit)
        assert seats.count() == 2
        new_web_process(kit) if ended == "in good order" else kit.beat()
        sweep(kit)
    beat_each_second(kit, 59)
    assert seats.count() == 2
    ann = kit.people[0]
    Seat.objects.filter(user=ann).update(seen_at=kit.now)
    beat_each_second(kit, 1)
    assert (list(seats.values_list("user", flat=True)), kit.kinds.count("stood")) == ([ann.pk], 1)
