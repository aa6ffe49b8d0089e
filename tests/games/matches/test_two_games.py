"""Pages that show a duel beside a table of Showdown."""

import pytest
from django.urls import reverse

from games.duel.pairing import pair_quick
from tests.games.match_kit import new_user
from tests.games.matches.test_views import browser
from tests.games.table_kit import TableKit

pytestmark = pytest.mark.django_db


def test_page_of_a_duel_and_of_a_table_lead_to_each_other() -> None:
    ann = new_user()
    duel, table = pair_quick(user=ann), TableKit(ann).match
    client = browser(ann)
    assert client.get(reverse("table", args=[duel.public_id])).url == reverse(
        "duel", args=[duel.public_id]
    )
    assert client.get(reverse("duel", args=[table.public_id])).url == reverse(
        "table", args=[table.public_id]
    )


def test_home_shows_duels_beside_tables() -> None:
    ann = new_user()
    table, duel = TableKit(ann).match, pair_quick(user=ann)
    lobby = browser().get(reverse("home")).context["lobby"]
    assert [row["public_id"] for row in lobby["showdown"]] == [table.public_id]
    assert [row["public_id"] for row in lobby["duel"]] == [duel.public_id]
    mine = browser(ann).get(reverse("home")).context["mine"]
    assert [row["public_id"] for row in mine] == [duel.public_id]
