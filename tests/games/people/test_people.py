"""The numbers of people and games on the admin's front page."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache

from accounts.models import User
from games.matches.models import Match, Seat
from games.people.charts import people_of
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db

#: A Wednesday; the weeks below begin on Mondays.
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def play(*people: User, ago: float, over: bool = True, started: bool = True) -> None:
    """Store a game that began some days before ``NOON``, and by default ended an hour later."""
    kit = TableKit(*people, seats=2)
    kit.seat_everybody()
    at = NOON - timedelta(days=ago)
    Match.objects.filter(pk=kit.match.pk).update(
        started_at=at if started else None,
        ended_at=at + timedelta(hours=1) if over else None,
        status=Match.Status.OVER if over else Match.Status.RUNNING,
    )


def numbers() -> tuple[dict[str, dict[int, int]], dict[int, Any]]:
    """Return plot -> days ago -> number, and weeks ago -> row."""
    cache.clear()
    today = NOON.date()
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
    Seat.objects.filter(user=eve, match__started_at__gt=NOON - timedelta(30)).update(user=robot)
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
    assert not any(people_of(NOON.date())["plots"][1].values)
    assert numbers()[0]["begun"] == {0: 1}
