import secrets
from datetime import timedelta
from operator import attrgetter
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from accounts.models import User
from games import registry
from games.contests.models import Contest
from games.matches.models import Match, Online, new_public_id
from games.matches.queries import selectors
from games.people import activity
from games.realtime.presence import keep_online
from tests.games.table_kit import TableKit, new_user, running_table

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def listed() -> list[str]:
    return [row["public_id"] for row in selectors.lobby()["showdown"]]


def test_list_has_open_tables_first_then_the_newest_up_to_a_limit(monkeypatch) -> None:
    kits = [TableKit(new_user(), new_user()) for _ in range(6)]
    for kit in kits[:4]:
        kit.start()
    call_command("void_match", kits[3].match.public_id, reason="for the test")
    TableKit(new_user(), new_user(), listed=False)
    wanted = [kits[no].match.public_id for no in (5, 4, 2, 1, 0)]
    for most in (100, 4, 2, 1):
        monkeypatch.setattr(selectors, "LOBBY_LIMIT", most)
        assert listed() == wanted[:most]


def test_list_shows_a_table_of_each_opener_before_another_has_two(monkeypatch) -> None:
    ann, *many = (TableKit(new_user(), new_user()).match for _ in range(5))
    Match.objects.filter(pk__in=[match.pk for match in many]).update(opened_by=many[0].opened_by)
    monkeypatch.setattr(selectors, "LOBBY_LIMIT", 3)
    assert listed() == [many[3].public_id, many[2].public_id, ann.public_id]


def test_list_reads_its_rows_in_the_order_of_an_index_and_no_state() -> None:
    TableKit(new_user(), new_user())
    with CaptureQueriesContext(connection) as asked:
        selectors.lobby()
    (read,) = [each["sql"] for each in asked if 'FROM "games_match"' in each["sql"]]
    assert '"state"' not in read
    assert '"seed"' not in read
    if connection.vendor == "sqlite":
        # With bound values: a written one may use another index.
        with connection.cursor() as cursor:
            text, given = selectors._newest(registry.slugs(), 100, connection.vendor)
            cursor.execute(f"EXPLAIN QUERY PLAN {text}", given)
            plan = [row[-1] for row in cursor.fetchall()]
        lists = [line for line in plan if "games_match" in line]
        assert len(lists) == len(Match.LIVE) * len(registry.slugs())
        assert all("USING INDEX match_lobby" in line for line in lists), plan
        assert not [line for line in plan if "TEMP B-TREE FOR ORDER" in line]


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    activity.forget()


@pytest.mark.plain
def test_online_are_people_with_a_page_open_a_moment_ago() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    keep_online([ann.pk, bob.pk])
    keep_online([ann.pk])
    now = timezone.now()
    assert sorted(activity.online(now - activity.ONLINE), key=attrgetter("pk")) == [ann, bob]
    Online.objects.filter(user=bob).update(seen_at=now - timedelta(seconds=61))
    assert list(activity.online(now - activity.ONLINE)) == [ann]
    Online.objects.filter(user=bob).update(seen_at=now - timedelta(hours=2))
    keep_online([ann.pk])
    assert not Online.objects.filter(user=bob).exists()


@pytest.mark.parametrize("field", [{"shows_presence": False}, {"is_active": False}], ids=str)
def test_online_leaves_out_people_who_switched_it_off_or_are_banned(field: dict[str, bool]) -> None:
    ann = new_user()
    User.objects.filter(pk=ann.pk).update(**field)
    keep_online([ann.pk])
    assert not activity.online(timezone.now() - activity.ONLINE)


@pytest.mark.skipif("agora" not in registry.slugs(), reason="a game with hidden roles")
def test_online_leaves_out_people_in_a_running_game_with_hidden_roles() -> None:
    from tests.games.mafia.agora.kit import town

    kit = town(7)
    people = sorted(kit.people, key=lambda user: user.username)
    keep_online([user.pk for user in kit.people])
    assert not activity.online(timezone.now() - activity.ONLINE)
    Match.objects.update(status=Match.Status.OVER)
    assert list(activity.online(timezone.now() - activity.ONLINE)) == people


def test_activity_shows_results_of_games_that_anybody_may_watch() -> None:
    kit = running_table()
    assert activity.activity().outcomes == ()
    kit.play_to_the_end()
    Match.objects.update(ended_at=timezone.now(), opened_at=timezone.now())
    activity.forget()
    found = activity.activity()
    assert found.games_today == 1
    assert [outcome.title for outcome in found.outcomes] == [kit.row.title]
    page = Client().get(reverse("home")).content.decode()
    # Nobody is online: the heading says today.
    for words in (escape(kit.row.title), ">just now<", "1 game<"):
        assert words in page
    for hidden in ({"listed": False}, {"listed": True, "spectators": False}):
        Match.objects.update(**hidden)
        activity.forget()
        assert activity.activity().outcomes == ()


@pytest.mark.plain
def test_activity_is_read_once_for_many_pages(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    activity.activity()
    activity.forget()
    with django_assert_num_queries(1):
        for _ in range(20):
            activity.activity()


@pytest.mark.plain
def test_public_id_never_begins_like_an_option(monkeypatch: Any) -> None:
    drawn = iter(["-abc", "_abc", "--", "a-b_", "7-b_"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(drawn))
    assert [new_public_id(), new_public_id()] == ["a-b_", "7-b_"]
    monkeypatch.undo()
    ids = {new_public_id() for _ in range(300)}
    assert (len(ids), {len(name) for name in ids}) == (300, {22})
    assert all(name[0].isalnum() for name in ids)
    for model in (Match, Contest):
        assert model._meta.get_field("public_id").default is new_public_id
