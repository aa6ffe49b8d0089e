"""Query plans of SQLite, which keeps no statistics, for what belongs to a user."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.matches.processing.repair import banned_players
from games.matches.queries.stakes import points_in_play, purses_in_play
from tests.games.table_kit import TableKit, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def plans(call: Callable[[], Any]) -> Iterator[tuple[str, str]]:
    """Yield each statement of a call that reads seats by users, and its plan."""
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        call()
    for sql, params in asked:
        if sql.startswith("SELECT") and '"games_seat"' in sql and 'user_id" ' in sql:
            with connection.cursor() as cursor:
                # With bound values: a written one may use another index.
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
                yield sql, "\n".join(row[-1] for row in cursor.fetchall())


@pytest.mark.parametrize("page", ["home", "people", "shop", "turns", "profile"])
def test_no_page_of_a_user_reads_all_games_of_a_status(page: str) -> None:
    kit, client = TableKit(new_user(), new_user()), Client()
    kit.start()
    user = kit.people[0]
    client.force_login(user)
    address = reverse(page, args=[user.username] if page == "profile" else [])
    found = list(plans(lambda: client.get(address)))
    assert found
    assert [sql for sql, plan in found if "match_status_listed" in plan] == []


def test_neither_stakes_nor_bans_read_all_running_games() -> None:
    kit = TableKit(new_user(), new_user())
    kit.start()
    users = [user.pk for user in kit.people]
    for call in (
        lambda: points_in_play(users[0]),
        lambda: purses_in_play(users),
        banned_players,
    ):
        found = list(plans(call))
        assert found
        assert [sql for sql, plan in found if "match_status_listed" in plan] == []
