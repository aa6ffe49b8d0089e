from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.api.matches import listed_matches
from games.arena.queries import fight_shown
from games.matches.processing.repair import banned_players
from games.matches.queries.losses import purses_in_play
from games.matches.queries.own import read_own
from games.matches.services import open_match
from tests.games.table_kit import new_user, running_table

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


def assert_no_status_is_read_whole(call: Callable[[], Any]) -> None:
    found = list(plans(call, '"games_seat"', 'user_id" '))
    assert found
    assert [sql for sql, plan in found if "match_status_listed" in plan] == []


@pytest.mark.parametrize("page", ["home", "people", "shop", "turns", "profile"])
def test_no_page_of_a_user_reads_all_games_of_a_status(page: str) -> None:
    user, client = running_table().people[0], Client()
    client.force_login(user)
    address = reverse(page, args=[user.username] if page == "profile" else [])
    assert_no_status_is_read_whole(lambda: client.get(address))


def test_neither_stakes_nor_bans_read_all_running_games() -> None:
    users = [user.pk for user in running_table().people]
    for call in (partial(read_own, users[0]), partial(purses_in_play, users), banned_players):
        assert_no_status_is_read_whole(call)


@pytest.mark.plain
def test_tables_opened_within_an_hour_are_found_without_reading_all_of_the_opener() -> None:
    user = new_user()
    (found,) = plans(lambda: open_match(opened_by=user, options={}, game="duel"), '"opened_at" >')
    assert "match_opener (opened_by_id=? AND opened_at>?)" in found[1]


@pytest.mark.plain
@pytest.mark.parametrize(
    "address", ["/@{}/", "/@{}/?game=showdown", "/mafia/archive/?player={}", ""]
)
def test_pages_and_lists_find_a_user_by_the_name_without_reading_all_users(address: str) -> None:
    name = new_user("Gus").username.upper()
    pages = [lambda: Client().get(address.format(name))]
    lists = [lambda: list(listed_matches(player=name)), lambda: fight_shown(1, name)]
    for call in pages if address else lists:
        found = list(plans(call, 'name_key" = '))
        assert found
        assert [sql for sql, plan in found if "(name_key=?)" not in plan] == []
