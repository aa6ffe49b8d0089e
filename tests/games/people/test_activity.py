"""The activity on the front page: who is online, and who must not be shown."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from games import registry
from games.matches.models import Match, Online
from games.people import activity
from games.realtime.presence import keep_online
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    activity.forget()


@pytest.mark.plain
def test_online_are_people_with_a_page_open_a_moment_ago() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    keep_online([ann.pk, bob.pk])
    keep_online([ann.pk])
    now = timezone.now()
    assert list(activity.online(now)) == [ann, bob]
    Online.objects.filter(user=bob).update(seen_at=now - timedelta(seconds=61))
    assert list(activity.online(now)) == [ann]
    Online.objects.filter(user=bob).update(seen_at=now - timedelta(hours=2))
    keep_online([ann.pk])
    assert not Online.objects.filter(user=bob).exists()


@pytest.mark.parametrize("field", [{"shows_presence": False}, {"is_active": False}])
def test_online_leaves_out_people_who_switched_it_off_or_are_banned(field: dict[str, bool]) -> None:
    ann = new_user()
    type(ann).objects.filter(pk=ann.pk).update(**field)
    keep_online([ann.pk])
    assert not activity.online(timezone.now())


@pytest.mark.skipif("agora" not in registry.slugs(), reason="a game with hidden roles")
def test_online_leaves_out_people_in_a_running_game_with_hidden_roles() -> None:
    from tests.games.mafia.agora.kit import town

    kit = town(7)
    people = sorted(kit.people, key=lambda user: user.username)
    keep_online([user.pk for user in kit.people])
    assert not activity.online(timezone.now())
    Match.objects.update(status=Match.Status.OVER)
    assert list(activity.online(timezone.now())) == people


def test_activity_shows_results_of_games_that_anybody_may_watch() -> None:
    ann, bob = new_user(), new_user()
    kit = TableKit(ann, bob)
    kit.start()
    assert activity.activity().outcomes == ()
    kit.play_to_the_end()
    Match.objects.update(ended_at=timezone.now(), opened_at=timezone.now())
    activity.forget()
    found = activity.activity()
    assert found.games_today == 1
    assert [outcome.title for outcome in found.outcomes] == [kit.row.title]
    page = Client().get(reverse("home")).content.decode()
    assert escape(kit.row.title) in page
    assert ">just now<" in page
    assert "1 game<" in page, "nobody is online: the heading says today"
    for hidden in ({"listed": False}, {"listed": True, "spectators": False}):
        Match.objects.update(**hidden)
        activity.forget()
        assert activity.activity().outcomes == ()


def test_activity_is_read_once_for_many_pages(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    activity.activity()
    activity.forget()
    with django_assert_num_queries(3):
        activity.activity()
    with django_assert_num_queries(0):
        for _ in range(20):
            activity.activity()
