"""The lists of live matches: their order, and what they read of a site with many."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import registry
from games.matches.models import Match
from games.matches.models.matches import OFFERED
from games.matches.queries import selectors
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_list_has_open_tables_first_then_the_newest_up_to_a_limit(monkeypatch) -> None:
    kits = [TableKit(new_user(), new_user()) for _ in range(6)]
    for kit in kits[:4]:
        kit.start()
    call_command("void_match", kits[3].match.public_id, reason="for the test")
    TableKit(new_user(), new_user(), listed=False)
    wanted = [kits[no].match.public_id for no in (5, 4, 2, 1, 0)]
    for most in (100, 4, 2, 1):
        monkeypatch.setattr(selectors, "LOBBY_LIMIT", most)
        found = [row["public_id"] for row in selectors.lobby()["showdown"]]
        assert found == wanted[:most]


@pytest.mark.both_databases
def test_list_shows_a_table_of_each_opener_before_another_has_two(monkeypatch) -> None:
    ann, *many = (TableKit(new_user(), new_user()).match for _ in range(5))
    Match.objects.filter(pk__in=[match.pk for match in many]).update(opened_by=many[0].opened_by)
    monkeypatch.setattr(selectors, "LOBBY_LIMIT", 3)
    shown = [row["public_id"] for row in selectors.lobby()["showdown"]]
    assert shown == [many[3].public_id, many[2].public_id, ann.public_id]


def test_list_reads_its_rows_in_the_order_of_an_index_and_no_state() -> None:
    TableKit(new_user(), new_user())
    with CaptureQueriesContext(connection) as asked:
        selectors.lobby()
    read = [each["sql"] for each in asked if 'FROM "games_match"' in each["sql"]]
    assert len(read) == len(Match.LIVE) * len(list(registry.tables()))
    assert not [sql for sql in read if '"state"' in sql or '"seed"' in sql]
    if connection.vendor == "sqlite":
        for status in Match.LIVE:
            # By a query, because a bound value may use another index than a written one.
            rows = Match.objects.filter(OFFERED, game="agora", status=status)
            plan = rows.order_by("-pk")[:100].explain()
            assert "USING INDEX match_lobby" in plan
            assert "TEMP B-TREE" not in plan
