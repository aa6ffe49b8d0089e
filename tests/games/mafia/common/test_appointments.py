from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from games.engine.errors import IllegalAction
from games.engine.facts import instant, iso
from games.matches import services as matches
from games.matches.journal.replay import replay_match
from games.matches.models import Match, Reminder, ReminderDue, Seat
from games.matches.processing import outage, repair
from games.matches.queries import selectors
from games.notices.reminders import send_reminders
from tests.accounts.kit import browser
from tests.games.mafia.agora.kit import TownKit, addresses, confirm
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

AHEAD = timedelta(hours=50)


@pytest.fixture
def kit() -> TownKit:
    """A table for seven that begins in 50 hours, with six people on its seats."""
    kit = TownKit(*(new_user(f"a{no}x") for no in range(6)))
    begins_at = kit.now + AHEAD
    options = {"seats": 7, "phase_seconds": 120}
    Match.objects.filter(pk=kit.match.pk).delete()
    kit.match = matches.open_match(
        opened_by=kit.people[0], options=options, game="agora", at=kit.now, begins_at=begins_at
    )
    kit.seat_everybody(0)
    return kit


def ready(kit: TownKit, count: int, after: int = 0) -> None:
    for user in kit.people[after:count]:
        kit.act(user, kind="ready", configuration=1)


def to_the_instant(kit: TownKit, seconds: float = 0) -> None:
    kit.pass_time((kit.row.begins_at - kit.now).total_seconds() + seconds)


@pytest.mark.both_databases
def test_table_with_an_appointment_starts_with_all_who_are_ready(kit: TownKit) -> None:
    ready(kit, 5)
    to_the_instant(kit, -1)
    assert (kit.row.status, kit.view()["start_at"]) == (Match.Status.OPEN, None)
    assert kit.view()["begins_at"] == iso(instant(kit.row.begins_at))
    to_the_instant(kit)
    assert kit.row.status == Match.Status.RUNNING
    assert [seat.no for seat in kit.play.citizens] == [0, 1, 2, 3, 4]
    assert Seat.objects.filter(match=kit.match).count() == 5
    assert replay_match(kit.row).is_same


@pytest.mark.plain
def test_table_with_an_appointment_stays_open_when_too_few_are_ready(kit: TownKit) -> None:
    ready(kit, 4)
    to_the_instant(kit)
    assert kit.row.status == Match.Status.OPEN
    assert kit.view()["log"][-1]["text"] == (
        "It is time, but only 4 of the 5 needed are ready. The game begins as soon as enough are."
    )
    assert kit.view()["begins_at"] is None
    ready(kit, 6, after=4)
    kit.pass_time(5)
    assert kit.row.status == Match.Status.RUNNING
    assert replay_match(kit.row).is_same


@pytest.mark.plain
def test_table_with_an_appointment_closes_when_nobody_comes_to_it(kit: TownKit) -> None:
    ready(kit, 2)
    to_the_instant(kit)
    kit.pass_time(15 * 60 - 1)
    assert kit.row.status == Match.Status.OPEN
    kit.pass_time(1)
    assert kit.row.status == Match.Status.CLOSED


@pytest.mark.both_databases
def test_table_with_an_appointment_keeps_the_seats_of_the_absent(kit: TownKit) -> None:
    """It refuses what any open table refuses, and may be changed."""
    with pytest.raises(IllegalAction):
        kit.act(kit.people[0], kind="vote", choice=1)
    kit.act(kit.people[0], kind="configure", seats=6)
    assert kit.view()["begins_at"] is not None
    for before, count in ((timedelta(hours=1), 0), (timedelta(0), 6)):
        kit.now = kit.row.begins_at - before
        kit.beat()
        assert len(repair.absent_sitters(kit.now)) == count
        assert repair.due_check(kit.now).is_untidy == (count > 0)


@pytest.mark.plain
def test_table_with_an_appointment_is_made_later_by_an_outage(kit: TownKit) -> None:
    ready(kit, 5)
    instant = kit.row.begins_at
    kit.now = instant + timedelta(minutes=5)
    repair.repay(kit.now)
    outage.open_process(kit.now)
    assert kit.row.status == Match.Status.OPEN
    kit.pass_time(outage.GRACE.total_seconds())
    assert kit.row.status == Match.Status.RUNNING


def test_reminder_of_an_appointment_goes_once_to_all_who_sit_until_it_closes(kit: TownKit) -> None:
    for user in kit.people:
        confirm(user)
    ready(kit, 3)
    kit.pass_time((AHEAD - timedelta(minutes=31)).total_seconds())
    send_reminders(kit.now)
    assert mail.outbox == []
    for _ in range(2):
        kit.pass_time(61)
        send_reminders(kit.now)
    assert addresses(mail.outbox) == sorted(user.username for user in kit.people)
    assert mail.outbox[0].subject.endswith("Your game begins soon")
    assert f"{kit.row.begins_at:%H:%M} UTC" in mail.outbox[0].body
    for user in kit.people:
        kit.act(user, kind="stand")
    kit.pass_time(60)
    assert kit.row.status == Match.Status.CLOSED
    soon = timezone.now() + timedelta(minutes=30)
    for begins_at in (soon, None):
        # Of one that is near, or that has no appointment, there is none either.
        matches.open_match(opened_by=new_user(), options={}, game="agora", begins_at=begins_at)
    assert not ReminderDue.objects.exists()
    assert not Reminder.objects.exists()


def form(**changed: Any) -> dict[str, Any]:
    return {"setup": "dynamite", "seats": 8, "length": 2, "unit": "60", "listed": "on", **changed}


@pytest.mark.plain
def test_mafia_an_appointment_is_given_in_the_users_time_neither_past_nor_far() -> None:
    wanted = (timezone.now() + timedelta(days=2)).replace(second=0, microsecond=0)
    for behind, shift in (("", 0), ("-60", -60), ("300", 300)):
        user, given = new_user(), f"{wanted - timedelta(minutes=shift):%Y-%m-%dT%H:%M}"
        response = browser(user).post(reverse("mafia_new"), form(begins=given, behind=behind))
        assert response.status_code == 302
        assert Match.objects.get(opened_by=user).begins_at == wanted
    shown = {row["begins_at"] for row in selectors.lobby()["dynamite"]}
    assert shown == {f"{wanted:%Y-%m-%dT%H:%M:%S}.000Z"}
    for ahead in (timedelta(minutes=-5), timedelta(minutes=3), timedelta(days=29)):
        begins = f"{timezone.now() + ahead:%Y-%m-%dT%H:%M}"
        response = browser(new_user()).post(reverse("mafia_new"), form(begins=begins))
        assert "An appointment is 5 minutes to 28 days ahead." in response.content.decode()
    assert Match.objects.count() == 3
