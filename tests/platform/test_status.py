from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from economy.overview import record_audit
from games.matches.models import Component, Downtime, Match, Seat, SelfCheck, WebProcess
from games.matches.processing import repair
from games.matches.processing.status import note_check, note_working
from games.people.charts import people_of
from games.proofs.commitments import check_old_matches
from rpsite.status import KEPT, status_at
from tests.games.duel.kit import DuelKit
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def after(**given: float) -> datetime:
    return NOON + timedelta(**given)


@pytest.mark.plain
@pytest.mark.both_databases
def test_component_that_is_silent_for_a_minute_was_down(django_assert_num_queries: Any) -> None:
    note_working(["web", "mail"], NOON)
    with django_assert_num_queries(1):
        note_working(["web"], after(seconds=5))
    assert Component.objects.get(name="web").beat_at == NOON, "noted once for several processes"
    note_working(["web"], after(seconds=45))
    note_working(["web", "mail"], after(seconds=90))
    (down,) = Downtime.objects.all()
    assert (down.component, down.began_at, down.ended_at) == ("mail", NOON, after(seconds=90))
    assert Component.objects.get(name="web").since_at == NOON
    note_working(["mail"], after(days=100))
    assert [each.ended_at for each in Downtime.objects.all()] == [after(days=100)]


@pytest.mark.plain
def test_status_has_the_share_of_each_day_in_which_a_part_worked() -> None:
    Component.objects.create(name="web", since_at=after(days=-2), beat_at=after(minutes=-6))
    Component.objects.create(name="mail", since_at=after(days=-2), beat_at=NOON)
    gone = {"began_at": after(days=-1, hours=9), "ended_at": after(days=-1, hours=15)}
    Downtime.objects.create(component="mail", **gone)
    found = status_at(NOON)
    parts = {part.title: part for part in found.parts}
    web, mail = parts["Website"], parts["Mail"]
    assert (web.works, mail.works, parts["Worker"].works) == (False, True, None)
    assert found.away == ["Website"]
    # Six hours, three on each side of midnight; today is twelve hours old.
    assert [bar.percent for bar in mail.bars[-4:]] == ["", "100 %", "87.5 %", "75 %"]
    assert [bar.tone for bar in mail.bars[-4:]] == ["none", "good", "bad", "bad"]
    assert (web.bars[-1].percent, mail.percent) == ("99.16 %", "87.5 %")
    assert [past.lasted for past in found.past] == ["6 h 0 min"]


def test_status_tells_repaid_outages_and_replayed_games() -> None:
    over, kit = DuelKit(new_user(), new_user()), DuelKit(new_user(), new_user())
    over.start()
    over.win(over.ann)
    kit.start()
    WebProcess.objects.filter(closed_at=None).update(beat_at=kit.now - timedelta(minutes=5))
    repair.repay(kit.now)
    check_old_matches()
    last = {each.kind: each for each in SelfCheck.objects.all()}
    assert last[SelfCheck.Kind.REPAY].note == "300 s to 1 game"
    assert last[SelfCheck.Kind.REPLAY].note == "1 old games, 0 differences"
    assert last[SelfCheck.Kind.REPLAY].is_good


@pytest.mark.plain
def test_status_page_tells_everybody_and_names_nobody(client: Client) -> None:
    user = new_user()
    record_audit(NOON, 0)
    note_working(["web"])
    note_check(SelfCheck.Kind.RESTORE, "copy of 04 May 03:00: 0 violations")
    note_check(SelfCheck.Kind.REPLAY, "20 old games, 1 differences", is_good=False)
    page = client.get(reverse("status")).content.decode()
    for words in ("Everything works", "Restored and audited", "copy of 04 May", "Failed"):
        assert words in page
    assert user.username not in page
    assert page.count("<i class") == 6 * KEPT.days
    assert reverse("status") in client.get(reverse("about")).content.decode(), "in the footer"


@pytest.mark.plain
def test_security_contact_is_what_the_operator_sets(client: Client, settings: Any) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "https://play.example/report"
    text = client.get("/.well-known/security.txt").content.decode()
    assert "Contact: https://play.example/report\n" in text
    assert "\nExpires: 20" in text


def test_live_updates_are_away_sooner_than_other_parts() -> None:
    for name in ("web", "redis"):
        Component.objects.create(name=name, since_at=after(days=-2), beat_at=after(seconds=-36))
    assert status_at(NOON).away == ["Live updates"]
    note_working(["redis"], NOON)
    assert status_at(after(seconds=20)).away == []
    assert not Downtime.objects.exists()


#: A Wednesday; the weeks below begin on Mondays.
TODAY = datetime(2026, 11, 25, 12, tzinfo=UTC)


def play(*people: User, ago: float, over: bool = True, started: bool = True) -> None:
    """Store a game that began some days before ``TODAY``, and by default ended an hour later."""
    kit = TableKit(*people, seats=2)
    kit.seat_everybody()
    at = TODAY - timedelta(days=ago)
    Match.objects.filter(pk=kit.match.pk).update(
        started_at=at if started else None,
        ended_at=at + timedelta(hours=1) if over else None,
        status=Match.Status.OVER if over else Match.Status.RUNNING,
    )


def numbers() -> tuple[dict[str, dict[int, int]], dict[int, Any]]:
    """Return plot -> days ago -> number, and weeks ago -> row."""
    cache.clear()
    today = TODAY.date()
    found = people_of(today)
    plots = {
        plot.name: {(today - day).days: value for day, value in plot.rows if value}
        for plot in found["plots"]
    }
    monday = today - timedelta(days=today.weekday())
    return plots, {(monday - week.begins).days // 7: week for week in found["weeks"]}


def test_people_are_counted_once_a_day_and_bots_never() -> None:
    ann, bob, eve = (new_user() for _ in range(3))
    robot = User.objects.create_user("robot", is_bot=True)
    play(ann, bob, ago=0)
    play(ann, bob, ago=0.4, over=False)
    play(ann, eve, ago=29)
    play(ann, eve, ago=31)
    play(bob, eve, ago=3, started=False, over=False)
    Seat.objects.filter(user=eve, match__started_at__gt=TODAY - timedelta(30)).update(user=robot)
    plots, _ = numbers()
    assert plots == {"players": {0: 2, 29: 1}, "begun": {0: 2, 29: 1}, "finished": {0: 1, 29: 1}}


@pytest.mark.plain
def test_new_players_come_back_after_a_day_and_after_a_week() -> None:
    ann, bob, eve, late, old = (new_user() for _ in range(5))
    # Wednesday four weeks ago: Ann returns after 1 and 7 days, Bob after 6, Eve after 14.
    play(ann, bob, ago=28)
    play(eve, old, ago=28)
    play(ann, ago=27)
    play(ann, ago=21)
    play(bob, ago=22)
    play(eve, ago=14)
    # The first game of one was long before, one's is of last week: too early to tell.
    play(old, ago=70)
    play(late, ago=7)
    play(late, ago=6)
    _, weeks = numbers()
    assert list(weeks) == list(range(8))
    four = weeks[4]
    assert (four.new, four.after_1_day, four.after_7_days) == (3, "2 (67 %)", "1 (33 %)")
    assert (weeks[1].new, weeks[1].after_1_day, weeks[1].after_7_days) == (1, "", "")
    # The last day of that week's newcomers was a Sunday 17 days ago: the second week goes on.
    assert (weeks[3].new, weeks[3].after_1_day, weeks[3].after_7_days) == (0, "0", "0")
    assert (weeks[2].after_1_day, weeks[2].after_7_days) == ("0", "")


@pytest.mark.plain
def test_numbers_are_kept_for_a_while() -> None:
    numbers()
    play(new_user(), new_user(), ago=0)
    assert not any(people_of(TODAY.date())["plots"][1].values)
    assert numbers()[0]["begun"] == {0: 1}
