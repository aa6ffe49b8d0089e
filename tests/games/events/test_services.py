"""Source: docs/explanation/events.md."""

from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.utils import timezone

from accounts import devices
from accounts.models import User
from economy.models import Setting, Transfer
from economy.selectors import setting
from games.engine.errors import IllegalAction, NotInPhase
from games.events import bracket, queries, running, services
from games.events.models import Event, Schedule
from games.matches import services as matches
from games.matches.journal.replay import replay_match
from games.matches.models import LogLeaf, Match, Pledge, WebProcess
from games.matches.processing import outage
from games.proofs.commitments import sequence
from tests.at_once import all_at_once
from tests.forms import form
from tests.games.duel.kit import DuelKit
from tests.games.events.kit import EventKit, options_of
from tests.games.match_kit import new_user
from tests.games.table_kit import finished
from tests.refusals import codes

pytestmark = pytest.mark.django_db


def refused(call: Any) -> str:
    with pytest.raises(IllegalAction) as problem:
        call()
    return problem.value.code


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_train_of_people_goes_from_registration_to_places_and_pays_nothing() -> None:
    kit = EventKit(5)
    before = Transfer.objects.count()
    kit.start()
    assert (kit.row.status, kit.row.station) == ("running", 1)
    assert [m.how for m in kit.meetings] == ["", "", "free"]
    assert all(m.match is None for m in kit.meetings), "matches begin some seconds later"
    kit.pass_time(5)
    first = kit.meetings[0].match
    assert first is not None
    options = options_of(first)
    assert (options["best_of"], options["clock_seconds"], options["stake"]) == (3, 12, 0)
    assert options["no_ties"]
    assert not options["rated"]
    kit.play()
    row = kit.row
    assert (row.status, row.station, bool(row.ended_at)) == ("over", 3, True)
    assert options_of(kit.meetings[0].match)["best_of"] == 5  # type: ignore[arg-type]
    places = sorted(each.place or 0 for each in row.entrants.all())
    assert places[:3] == [1, 2, 3]
    assert Transfer.objects.count() == before
    assert all(replay_match(match).is_same for match in Match.objects.all())
    # Seeds of matches that were not needed are given up.
    assert Pledge.objects.filter(game="duel", dropped_at=None).count() == Match.objects.count()


@pytest.mark.plain
def test_one_person_alone_has_an_evening_with_bots() -> None:
    kit = EventKit(1, fill=8)
    kit.start()
    assert kit.row.entrants.count() == 8
    with mock.patch.object(running, "PORTION", 3):
        kit.bots_play(900)
    row = kit.row
    assert (row.status, row.station) == ("over", 3)
    # The person never threw: out at the first station, by the bot's throws.
    assert kit.entrant(kit.people[0]).place == 5


def test_a_repeated_registration_is_one_place_and_who_withdraws_is_off_the_list() -> None:
    kit = EventKit(2)
    kit.enter(kit.people[0])
    assert kit.row.entrants.count() == 2
    services.withdraw(event_id=kit.event.pk, user=kit.people[0], now=kit.now)
    assert kit.row.entrants.count() == 1
    assert (
        refused(lambda: services.withdraw(event_id=kit.event.pk, user=kit.people[0], now=kit.now))
        == "not_found"
    )
    kit.start()
    assert kit.row.status == "void", "one person alone is no event"


def test_registration_refuses_who_may_not_or_cannot_play() -> None:
    kit = EventKit(1)
    other = EventKit()
    enter = lambda user: lambda: kit.enter(user)  # noqa: E731
    frozen, program, busy = new_user("frozen"), new_user("program"), new_user("busy")
    User.objects.filter(pk=frozen.pk).update(is_frozen=True)
    User.objects.filter(pk=program.pk).update(is_program=True)
    DuelKit(busy, new_user("opponent"), best_of=3).start()
    assert refused(enter(frozen)) == "forbidden"
    assert refused(enter(program)) == "forbidden"
    assert refused(enter(busy)) == "limit"
    assert refused(lambda: other.enter(kit.people[0])) == "limit", "two events at once"
    second = new_user("second")
    for user in (kit.people[0], second):
        devices.note(user_id=user.pk, token="one", address="192.0.2.1", at=timezone.now())
    assert refused(enter(second)) == "forbidden"
    with mock.patch.object(services, "MOST_ENTRANTS", 1):
        assert refused(enter(new_user())) == "limit"
    kit.start()
    assert refused(enter(new_user())) == "action/not_in_phase"
    machines = EventKit(for_programs=True)
    machines.enter(program)
    assert refused(lambda: machines.enter(new_user())) == "forbidden"


def test_registration_waits_for_the_commitment_in_the_public_log(settings: Any) -> None:
    settings.DEAL_AFTER_LOG = True
    kit = EventKit()
    user = new_user()
    assert refused(lambda: kit.enter(user)) == "action/not_in_phase"
    sequence(kit.now, is_whole=True)
    leaf = LogLeaf.objects.get(commitment=kit.event.pledge.seed_commitment)
    assert leaf.kind == "event"
    assert sequence(kit.now, is_whole=True) == 0, "once"
    kit.enter(user)
    kit.people = [user, kit.enter(new_user())]
    kit.start()
    kit.pass_time(6)
    assert kit.meetings[0].match is None, "a match waits for its own commitment"
    sequence(kit.now, is_whole=True)
    kit.now += timedelta(milliseconds=10)
    kit.step()
    assert kit.meetings[0].match is not None


def test_who_is_absent_at_the_start_is_out_and_who_is_banned_between_stations_loses() -> None:
    kit = EventKit(6)
    kit.start(*kit.people[1:])
    assert kit.entrant(kit.people[0]).left == "absent"
    banned = kit.meetings[0].first
    assert banned is not None
    User.objects.filter(pk=banned.user_id).update(is_active=False)
    kit.pass_time(6)
    assert (kit.meetings[0].how, kit.meetings[0].winner) == ("barred", kit.meetings[0].second)
    assert kit.meetings[0].match is None
    kit.play()
    assert kit.row.status == "over"


def test_who_sits_at_too_many_tables_loses_the_pairing_and_blocks_do_not_part_a_pair() -> None:
    kit = EventKit(4)
    kit.start()
    full, foes = kit.meetings[0].first, [kit.meetings[1].first, kit.meetings[1].second]
    assert full is not None
    Setting.objects.filter(name="tables.live_seats").update(value=1)
    matches.open_and_sit(opened_by=full.user, options={}, game="duel")
    one, other = (each.user for each in foes if each is not None)
    matches.block(user=one, other=other)
    kit.pass_time(6)
    barred, played = kit.meetings
    assert (barred.how, barred.winner) == ("barred", barred.second)
    assert played.match is not None
    assert Match.objects.count() == 2


def test_pages_are_asked_shortly_before_the_start_and_who_answers_is_here() -> None:
    kit = EventKit(3)
    ann, bob, cid = (user.pk for user in kit.people)
    outage.beat()
    Event.objects.update(starts_at=timezone.now() + timedelta(seconds=30))
    assert services.look([ann]) == ([], 0), "it is too early to ask"
    Event.objects.update(starts_at=timezone.now() + timedelta(seconds=4))

    def answer(told: Any) -> None:
        told()

    async def run(work: Any, *given: Any) -> Any:
        return work(*given)

    watchers = {ann: [SimpleNamespace(ask=answer)], bob: [SimpleNamespace(ask=lambda told: None)]}
    feed, executor = SimpleNamespace(watchers=watchers), SimpleNamespace(run=run)
    sweeper = services.EventSweeper(SimpleNamespace(reads=executor, user_feed=feed))  # type: ignore[arg-type]
    for _ in range(2):
        # Without a loop: nothing waits.
        with pytest.raises(StopIteration):
            sweeper.look().send(None)
    seen = dict(kit.event.entrants.values_list("user", "seen_at"))
    assert (bool(seen[ann]), seen[bob], seen[cid]) == (True, None, None)
    assert set(services.look([])[0]) == {bob, cid}, "who has answered is not asked again"


def test_after_an_outage_at_the_start_people_are_asked_anew() -> None:
    kit = EventKit(2)
    kit.now = kit.row.starts_at - running.ASKED
    kit.step()
    kit.come()
    kit.now = kit.row.starts_at + timedelta(seconds=60)
    kit.step()
    assert kit.row.status == "announced", "their answers are old"
    kit.now += running.ASKED / 2
    kit.come()
    kit.step()
    assert kit.row.status == "running"
    assert not kit.row.entrants.filter(left="absent").exists()


def test_who_withdraws_later_is_out_and_gives_up_the_running_match() -> None:
    kit = EventKit(4)
    kit.start()
    kit.pass_time(6)
    meeting = kit.meetings[0]
    assert meeting.first is not None
    services.withdraw(event_id=kit.event.pk, user=meeting.first.user, now=kit.now)
    kit.step()
    assert (kit.meetings[0].how, kit.meetings[0].winner) == ("won", meeting.second)


@pytest.mark.both_databases
def test_a_pair_without_a_winner_at_its_limit_is_decided_by_the_event() -> None:
    kit = EventKit(6)
    kit.start()
    kit.pass_time(6)
    one, two, three = (m.match for m in kit.meetings)
    assert one is not None
    assert two is not None
    kit.throw(one, 1, "rock")
    for seat in (0, 1):
        kit.throw(two, seat, "rock")
    kit.pass_time(88)
    assert kit.row.station == 1, "the limit has not passed"
    with mock.patch.object(services.running.bracket, "decide", wraps=bracket.decide) as decide:
        kit.pass_time(3)
    assert decide.call_count == 3
    found = kit.row.meetings.filter(station=1).order_by("no")
    assert [(m.how, m.winner and m.winner.user_id) for m in found] == [
        ("throw", one.seats.get(no=1).user_id),
        ("draw", found[1].winner.user_id),  # type: ignore[union-attr]
        ("absent", None),
    ]
    assert Match.objects.get(pk=one.pk).void_reason == running.STATION_OVER
    told = queries.home_of(one)
    assert told is not None
    assert told["said"] == f"{one.seats.get(no=1).user.username} goes on: threw last at the limit."
    assert kit.row.station == 2
    assert three is not None


def test_all_absent_in_a_station_is_void() -> None:
    kit = EventKit(2)
    kit.start()
    kit.pass_time(100)
    assert (kit.row.status, kit.row.entrants.filter(place=None).count()) == ("void", 2)


def test_an_outage_moves_the_times_and_a_stalled_match_has_its_own() -> None:
    kit = EventKit(4)
    kit.start()
    kit.pass_time(6)
    first, second = kit.meetings
    limits = [first.limit_at, second.limit_at]
    kit.now += timedelta(minutes=10)
    kit.step()
    assert kit.row.station == 1
    moved = [meeting.limit_at for meeting in kit.meetings]
    assert moved == [limit and limit + timedelta(minutes=10) for limit in limits]
    assert first.match is not None
    Match.objects.filter(pk=first.match.pk).update(stalled_at=kit.now)
    kit.pass_time(3)
    assert [meeting.limit_at for meeting in kit.meetings] == [
        moved[0] and moved[0] + timedelta(seconds=3), moved[1],
    ]  # fmt: skip


def test_an_event_whose_time_passed_while_the_site_was_down_is_skipped() -> None:
    kit = EventKit(2)
    kit.now = kit.row.starts_at + timedelta(minutes=3)
    kit.come()
    WebProcess.objects.update(beat_at=kit.event.starts_at)
    assert services.sweep(kit.now) == 0, "nobody can come without a web process"
    kit.beat()
    services.sweep(kit.now)
    assert kit.row.status == "skipped"
    assert not kit.row.entrants.filter(is_in=True).exists()
    other = EventKit()
    other.enter(kit.people[0])


class Killed(BaseException):
    """The process is killed here."""


def step_killed_at(kit: EventKit, last: int) -> bool:
    """Take a step, killed before its write number ``last``; return whether it came to its end."""
    writes = 0

    def write(execute: Any, statement: str, *given: Any) -> Any:
        nonlocal writes
        writes += statement.startswith(("INSERT", "UPDATE", "DELETE"))
        if writes == last:
            raise Killed
        return execute(statement, *given)

    try:
        with connection.execute_wrapper(write):
            running.step(event_id=kit.event.pk, now=kit.now)
    except Killed:
        return False
    return True


@pytest.mark.django_db(transaction=True)
def test_a_process_killed_at_any_write_loses_no_result_and_pairs_nobody_twice() -> None:
    """Each step is killed at its first write, then at a later one, until it comes to its end."""
    kit = EventKit(5)
    results, stride = dict[int, int](), form(7, in_all=3, in_long=1)
    kit.now = kit.row.starts_at
    while kit.row.is_live:
        kit.beat()
        kit.come()
        before = kit.row.station, kit.row.meetings.exclude(how="").count(), Match.objects.count()
        last = 1
        while not step_killed_at(kit, last):
            there = kit.row.station, kit.row.meetings.exclude(how="").count()
            assert (*there, Match.objects.count()) == before, "nothing is half done"
            last += stride
        for meeting in kit.meetings:
            if meeting.match is not None and meeting.match.is_live:
                kit.win(meeting.match, meeting.no % 2)
                results[meeting.match.pk] = meeting.match.seats.get(no=meeting.no % 2).user_id
        kit.now += timedelta(seconds=3)
    assert kit.row.status == "over"
    for stop in range(1, kit.row.station + 1):
        met = kit.row.meetings.filter(station=stop).values_list("first", "second")
        users = [user for pair in met for user in pair if user is not None]
        assert len(users) == len(set(users))
    told = kit.row.meetings.exclude(match=None).values_list("match", "winner__user")
    assert dict(told) == results, "each match has one meeting, and its result counts"
    assert Match.objects.count() == len(results)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_processes_that_step_at_once_make_each_station_once() -> None:
    kit = EventKit(4)
    kit.now = kit.row.starts_at - running.ASKED
    for _ in range(4):
        kit.come()
        all_at_once([partial(running.step, event_id=kit.event.pk, now=kit.now)] * 3)
        kit.now += running.ASKED
        kit.beat()
    assert kit.row.entrants.exclude(no=None).count() == 4
    assert kit.row.meetings.filter(station=1).count() == 2
    assert Match.objects.count() == 2


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_registrations_at_once_are_one_event() -> None:
    kits, user = [EventKit(), EventKit()], new_user()
    results = all_at_once(partial(kit.enter, user) for kit in kits)
    assert codes(results) == ["limit"]
    assert user.events.count() == 1


def test_schedules_make_the_next_events_once_by_the_clock_of_their_zone() -> None:
    Schedule.objects.all().delete()
    # Berlin's clocks go back in the night to 25 October 2026, and forward on 28 March 2027.
    zone = "Europe/Berlin"
    weekly = Schedule.objects.create(
        name="Sunday", every="week", weekday=6, hour=20, zone=zone, lead=30
    )
    now = datetime(2026, 10, 18, 17, 59, tzinfo=UTC)
    assert [services.make_scheduled(now) for _ in range(2)] == [1, 0]
    now += timedelta(days=1)
    assert [services.make_scheduled(now) for _ in range(2)] == [1, 0]
    first, second = Event.objects.order_by("starts_at")
    assert first.starts_at == datetime(2026, 10, 18, 18, tzinfo=UTC)
    assert first.opens_at == datetime(2026, 10, 18, 17, 30, tzinfo=UTC)
    assert second.starts_at == datetime(2026, 10, 25, 19, tzinfo=UTC)
    daily = Schedule(every="day", hour=2, minute=30, zone=zone)
    spring = list(services.times_of(daily, datetime(2027, 3, 26, 12, tzinfo=UTC)))
    assert datetime(2027, 3, 28, 1, 30, tzinfo=UTC) not in spring
    assert len(spring) == 6
    Schedule.objects.create(name="Hourly", every="hour")
    weekly.is_on = False
    weekly.save()
    assert services.make_scheduled(now) == services.MOST_AHEAD
    old = Event.objects.filter(schedule__every="hour").first()
    assert old is not None
    running.RunningEvent(old, now).end(Event.Status.VOID)
    services.forget_empty(now + timedelta(days=8))
    assert not Event.objects.filter(pk=old.pk).exists()


def test_a_founder_has_one_unlisted_event_at_a_time_and_the_house_may_call_it_off() -> None:
    user = new_user()
    found = lambda: services.found(user=user, name="Friends", minutes=5, fill=4)  # noqa: E731
    event = found()
    assert not event.listed
    assert [each.user for each in event.entrants.all()] == [user], "its founder is aboard"
    assert refused(found) == "limit"
    busy = EventKit(1).people[0]
    other = services.found(user=busy, name="Later", minutes=50, fill=4)
    assert not other.entrants.exists(), "nobody is in two events"
    services.call_off(event_id=event.pk, reason="A test.")
    with pytest.raises(NotInPhase):
        services.call_off(event_id=event.pk, reason="A test.")
    assert found().pk != event.pk


def test_a_pair_that_may_not_play_is_drawn_and_the_others_of_its_batch_play() -> None:
    kit = EventKit(6)
    kit.start()
    first, second = (each.user for each in (kit.meetings[1].first, kit.meetings[1].second) if each)
    most = setting("fair.pair_daily")
    finished({first: -most, second: most})
    kit.pass_time(6)
    assert [bool(each.match) for each in kit.meetings] == [True, False, True]
    assert [each.how for each in kit.meetings] == ["", "draw", ""]
    assert Match.objects.filter(game="duel").count() == 2
    pledge = kit.meetings[1].pledge
    assert pledge is not None
    assert pledge.dropped_at is not None, "the log says so"
    kit.play()
    assert kit.row.status == "over"
