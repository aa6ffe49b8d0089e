"""Phases of a town while something is away: each ends once, in time (durability.md DL1 to 4)."""

import asyncio
import socket
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.engine.errors import StaleAction
from games.matches.journal.replay import replay_match
from games.matches.models import Match, WebProcess
from games.matches.processing import outage, repair, writing
from games.matches.processing.submissions import BatchResult
from games.realtime.batch_writer import BatchWriter
from tests.at_once import all_at_once
from tests.boot import PATIENCE
from tests.games.journal_kit import facts_of
from tests.games.mafia.common.kit import GAMES, AnyTownKit, town_of

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("game", GAMES)]

MINUTE, HOUR, DAY = 60, 3600, 86_400
#: The number of a process that this machine cannot have.
GONE = 2**30


def lose_the_web(kit: AnyTownKit) -> None:
    """Simulate a kill of the web process: its row stays, and this process has none."""
    WebProcess.objects.update(name=f"{socket.gethostname()}:{GONE}")
    outage._own.process_id = None


def reach_a_whole_second(kit: AnyTownKit) -> None:
    """Move the clock to a whole second, so that all instants are rounded alike."""
    kit.pass_time(1 - kit.now.microsecond / 10**6)


def sweep(now: datetime) -> None:
    """Do what beat asks of the worker, at another time."""
    for part in repair.SWEEP:
        part(now)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("phase_seconds", [MINUTE, DAY])
def test_mafia_four_sweepers_and_a_late_action_end_a_phase_once(game, phase_seconds) -> None:
    kit = town_of(game, 5, phase_seconds=phase_seconds)
    kit.vote_round()
    before, kit.now = kit.row.action_count, kit.row.due_at + timedelta(seconds=1)
    kit.beat()
    late = kit.submission(kit.people[0], kind="done")
    sweepers = [lambda: repair.catch_up(kit.now)] * 4
    *_, error = all_at_once([*sweepers, lambda: writing.apply([late], kit.now).answers[0].error])
    assert isinstance(error, StaleAction)
    assert (kit.row.action_count, kit.row.phase) == (before + 1, 2)
    assert replay_match(kit.row).is_same


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_mafia_with_the_worker_dead_the_webs_sweep_ends_a_phase(game: str) -> None:
    kit = town_of(game, 5, phase_seconds=10 * MINUTE, age=10 * MINUTE + 30)
    kit.now = timezone.now()
    kit.beat()
    assert repair.due_check().is_anything_due

    async def sweep_of_the_web() -> None:
        over = asyncio.Event()

        def show(result: BatchResult) -> None:
            if kit.match.pk in result.snapshots:
                over.set()

        writer = BatchWriter(asyncio.get_running_loop(), show)
        writer.start()
        writer.sweep()
        try:
            await asyncio.wait_for(over.wait(), PATIENCE)
        finally:
            await asyncio.to_thread(writer.stop, PATIENCE)

    asyncio.run(sweep_of_the_web())
    assert kit.row.phase == 2
    assert not repair.due_check().is_anything_due


@pytest.mark.parametrize("phase_seconds", [10 * MINUTE, DAY])
def test_mafia_with_the_web_stopped_the_worker_ends_a_phase(game: str, phase_seconds: int) -> None:
    kit = town_of(game, 5, phase_seconds=phase_seconds)
    kit.vote_round()
    due_at = kit.row.due_at
    outage.close_process(kit.now)
    sweep(due_at - timedelta(milliseconds=1))
    assert kit.row.phase == 1
    sweep(due_at)
    assert (kit.row.phase, kit.row.due_at) == (2, due_at + timedelta(seconds=phase_seconds))


@pytest.mark.plain
def test_mafia_with_the_web_killed_the_worker_ends_a_phase_and_none_is_short(game: str) -> None:
    kit = town_of(game, 5, phase_seconds=DAY)
    kit.vote_round()
    reach_a_whole_second(kit)
    first_due, left_at = kit.row.due_at, kit.now
    lose_the_web(kit)
    sweep(kit.now + timedelta(seconds=7))
    assert WebProcess.objects.get().lost
    sweep(first_due)
    assert (kit.row.phase, facts_of(kit.row, "clock_postponed")) == (2, [])
    kit.now = first_due + timedelta(hours=2)
    outage.open_process(kit.now)
    for _ in range(3):
        sweep(kit.now)
    assert kit.row.phase == 2
    assert kit.row.due_at == first_due + timedelta(seconds=DAY) + (kit.now - left_at)


@pytest.mark.parametrize("away", [MINUTE - 1, MINUTE, 5 * HOUR, 3 * DAY])
def test_mafia_a_slow_phase_gets_the_length_of_a_long_outage_once(game: str, away: int) -> None:
    """Also when it would have ended meanwhile: with all away, nothing has fired."""
    kit = town_of(game, 5, phase_seconds=DAY)
    reach_a_whole_second(kit)
    is_early = away == 5 * HOUR and kit.play.stage == "night"
    due_at, shown = kit.row.due_at, datetime.fromisoformat(kit.view()["game"]["due_at"])
    for user in kit.people if is_early else ():
        kit.act(user, kind="done")
    assert (kit.row.due_at < due_at) == is_early
    lose_the_web(kit)
    kit.now += timedelta(seconds=away)
    for _ in range(3):
        sweep(kit.now)
    assert (kit.row.phase, kit.row.stalled_at) == (1, None)
    is_long = away >= MINUTE
    given = timedelta(seconds=away * is_long)
    # The time given back does not reveal that everybody was done.
    assert datetime.fromisoformat(kit.view()["game"]["due_at"]) == shown + given
    assert is_early or kit.row.due_at == due_at + given
    assert len(facts_of(kit.row, "clock_postponed")) == is_long


def test_mafia_a_game_of_days_goes_on_by_the_workers_sweep_alone(game: str) -> None:
    kit = town_of(game, 7, phase_seconds=DAY)
    outage.close_process(kit.now)
    for _ in range(100):
        row = kit.row
        if row.status != Match.Status.RUNNING:
            break
        kit.play_like_bots(kit.snapshot)
        if kit.row.due_at is not None:
            kit.now = max(kit.now, kit.row.due_at)
            sweep(kit.now)
    row = kit.row
    assert row.status == Match.Status.OVER
    assert replay_match(row).is_same
    for begun in (facts_of(row, "night_began"), facts_of(row, "day_began")):
        assert [fact.data["round"] for fact in begun] == list(range(1, len(begun) + 1))
