"""Query plans of SQLite, which keeps no statistics: a user's games, a user by the name."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.api.listing import listed_matches
from games.arena.queries import fight_shown
from games.matches.processing.repair import banned_players
from games.matches.queries.losses import points_in_play, purses_in_play
from games.matches.services.matches import open_match
from tests.games.table_kit import TableKit, new_user, running_table

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def plans(call: Callable[[], Any], *parts: str) -> Iterator[tuple[str, str]]:
    """Yield each SELECT of a call that has all these parts, and its plan."""
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        call()
    for sql, params in asked:
        if sql.startswith("SELECT") and all(part in sql for part in parts):
            with connection.cursor() as cursor:
                # With bound values: a written one may use another index.
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
                yield sql, "\n".join(row[-1] for row in cursor.fetchall())


def plans_of_seats(call: Callable[[], Any]) -> list[tuple[str, str]]:
    """Return the statements of a call that read seats by users, and their plans."""
    return list(plans(call, '"games_seat"', 'user_id" '))


@pytest.mark.parametrize("page", ["home", "people", "shop", "turns", "profile"])
def test_no_page_of_a_user_reads_all_games_of_a_status(page: str) -> None:
    kit, client = TableKit(new_user(), new_user()), Client()
    kit.start()
    user = kit.people[0]
    client.force_login(user)
    address = reverse(page, args=[user.username] if page == "profile" else [])
    found = plans_of_seats(lambda: client.get(address))
    assert found
    assert [sql for sql, plan in found if "match_status_listed" in plan] == []


def test_neither_stakes_nor_bans_read_all_running_games() -> None:
    kit = running_table()
    users = [user.pk for user in kit.people]
    for call in (
        lambda: points_in_play(users[0]),
        lambda: purses_in_play(users),
        banned_players,
    ):
        found = plans_of_seats(call)
        assert found
        assert [sql for sql, plan in found if "match_status_listed" in plan] == []


@pytest.mark.plain
def test_tables_opened_within_an_hour_are_found_without_reading_all_of_the_opener() -> None:
    user = new_user()
    (found,) = plans(lambda: open_match(opened_by=user, options={}, game="duel"), '"opened_at" >')
    assert "match_opener (opened_by_id=? AND opened_at>?)" in found[1]


@pytest.mark.plain
@pytest.mark.parametrize("address", ["/@{}/", "/@{}/?game=showdown", "/mafia/archive/?player={}"])
def test_a_page_finds_a_user_by_the_name_without_reading_all_users(address: str) -> None:
    user = new_user("Gus")
    assert_found_by_key(lambda: Client().get(address.format(user.username.upper())))


@pytest.mark.plain
def test_lists_find_a_user_by_the_name_without_reading_all_users() -> None:
    user = new_user("Gus")
    assert_found_by_key(lambda: list(listed_matches(player=user.username.upper())))
    assert_found_by_key(lambda: fight_shown(1, user.username.upper()))


def assert_found_by_key(call: Callable[[], Any]) -> None:
    """Check that each statement that compares names begins with the index of their keys."""
    found = list(plans(call, " LIKE "))
    assert found
    assert [sql for sql, plan in found if "(name_key=?)" not in plan] == []
