"""Finished Mafia games in lists: who won, by filters, a page at a time, and for whom they are."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.mafia.agora.rules.roles import Role
from games.mafia.common.archive import PAGE, ArchiveFilters, archive
from games.matches.models import Match
from games.people.records import Listing, RecordFilters, finished
from games.people.standing import standing_of
from tests.accounts.kit import browser
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.mafia.dynamite.kit import band
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def seen(player: User, viewer: User | None, game: str = "") -> Listing:
    """Return a player's finished matches as a viewer sees them."""
    standing = standing_of.seen_by(viewer and viewer.pk, player.pk)
    return finished(player, viewer, game, RecordFilters(), standing)


def won_by_town(seats: int = 5, **options: Any) -> TownKit:
    kit = town(seats, **options)
    kit.lynch_the_mafioso()
    return kit


def titles(viewer: User | None, **filters: Any) -> list[str]:
    found, _ = archive(viewer, ArchiveFilters({key: str(each) for key, each in filters.items()}))
    return [row.title for row in found]


@pytest.mark.plain
@pytest.mark.both_databases
def test_mafia_a_finished_game_is_told_in_lists_read_from_an_index_and_in_profiles() -> None:
    kit = won_by_town()
    assert (kit.row.outcome, kit.row.size) == ("town", 5)
    (row,), older = archive(None, ArchiveFilters())
    assert (row.result, row.size, row.length, older) == ("Town won on day 1", 5, "24 h", "")
    assert [name for name, _ in row.names] == [user.username for user in kit.people]
    story = reverse("mafia_story", args=[kit.match.public_id])
    for name in ("mafia_archive", "mafia"):
        text = browser().get(reverse(name)).content.decode()
        assert "Town won on day 1" in text
        assert story in text
    with CaptureQueriesContext(connection) as asked:
        archive(None, ArchiveFilters())
    assert len(asked) == 3
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {asked[0]['sql']}")
            plan = str(cursor.fetchall())
        assert "USING INDEX match_archive" in plan
        assert "TEMP B-TREE" not in plan
    mafioso = next(c for c in kit.play.citizens if c.role == Role.MAFIOSO)
    player = kit.people[mafioso.no]
    (row,) = seen(player, None, "agora").matches
    assert (row.fate, row.story) == ("mafioso, lynched on day 1", story)
    profile = reverse("profile", args=[player.username])
    page = browser().get(profile, {"game": "agora"}).content.decode()
    assert "mafioso, lynched on day 1" in page
    assert story in page


@pytest.mark.both_databases
def test_mafia_the_archive_is_filtered_by_game_winner_size_player_and_day() -> None:
    first, second = won_by_town(), won_by_town(7)
    while second.row.status == "running":  # its agent lives
        second.act(second.user_of(Role.AGENT), kind="leave")
    third = band(4)
    third.run_out()
    one, two, three = (kit.match.title for kit in (first, second, third))
    assert (third.row.status, set(titles(None))) == ("over", {one, two, three})
    assert (titles(None, setup="dynamite"), titles(None, size=7)) == ([three], [two])
    assert set(titles(None, winner="town")) == {one, two}
    assert titles(None, winner="rock") == [three]
    assert titles(None, player=second.people[3].username.upper()) == [two]
    assert titles(None, player="nobody") == []
    day = first.row.ended_at.date()
    assert set(titles(None, since=day, until=day + timedelta(days=1))) == {one, two, three}
    assert titles(None, since=day + timedelta(days=3)) == []
    assert titles(None, until=day - timedelta(days=1)) == []


@pytest.mark.plain
def test_mafia_the_archive_goes_on_after_the_last_row_without_gap_or_repetition() -> None:
    kit = won_by_town()
    row = kit.row
    for number in range(2 * PAGE + 3):
        copy = Match.objects.get(pk=row.pk)
        copy.pk, copy.public_id, copy.title = None, f"copy{number}", f"Copy {number}"
        copy.ended_at = row.ended_at - timedelta(microseconds=number // 4)
        copy.save()
    seen, query = [], "winner=town"
    for size in (PAGE, PAGE, 4):
        page = browser().get(f"{reverse('mafia_archive')}?{query}")
        assert len(page.context["found"]) == size
        seen += [match.story for match in page.context["found"]]
        query = page.context["older"]
    assert ((query, len(set(seen))), len(seen)) == (("", len(seen)), 2 * PAGE + 4)
    # The audit of the whole database wants the journals of all.
    Match.objects.filter(public_id__startswith="copy").delete()


@pytest.mark.parametrize("option", ["listed", "spectators"])
def test_mafia_a_game_that_is_not_for_all_is_in_nobody_elses_list(option: str) -> None:
    kit = won_by_town(**{option: False})
    player, other = kit.people[0], new_user()
    for viewer in (None, other, kit.people[1]):
        assert titles(viewer) == titles(viewer, player=player.username) == []
    assert titles(player, player=player.username) == [kit.match.title]
    assert kit.match.title not in browser(other).get(reverse("mafia")).content.decode()
    if option == "listed":
        profile = {viewer: seen(player, viewer) for viewer in (None, other)}
        assert all((each.matches, each.record.games) == ([], 0) for each in profile.values())
        for viewer in (player, kit.people[1]):
            assert len(seen(player, viewer).matches) == 1


@pytest.mark.plain
def test_mafia_a_running_game_is_in_no_archive_a_draw_nobodys_and_a_wrong_filter_none() -> None:
    kit = town(5)
    assert titles(None) == titles(kit.people[0], player=kit.people[0].username) == []
    assert (kit.row.outcome, kit.row.size) == ("", 0)
    for _ in range(6):
        kit.run_out()
    assert (kit.row.status, kit.row.outcome) == ("over", "draw")
    (row,), _ = archive(None, ArchiveFilters({"winner": "draw"}))
    assert row.result == "Draw on day 3"
    far = "99999999999999999999-1"
    for query in ("before=x-1", f"before={far}", "before=1", "since=2026-13-01", "size=-1"):
        name, _, value = query.partition("=")
        assert ArchiveFilters({name: value}).values == ArchiveFilters().values
        assert browser().get(f"{reverse('mafia_archive')}?{query}").status_code == 200
