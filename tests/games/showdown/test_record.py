"""Records on profiles, habits.  Source: docs/explanation/ratings.md."""

import pytest
from django.urls import reverse

from accounts.models import User
from games.people import profiles, records
from tests.games.duel.kit import DuelKit
from tests.games.matches.test_views import browser
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db


def throw(kit: TableKit, *rounds: tuple[str, str]) -> None:
    for weapons in rounds:
        for seat, weapon in enumerate(weapons):
            kit.act(kit.people[seat], kind="attack", weapon=weapon, target=1 - seat)
        for user in kit.people:
            kit.act(user, kind="lock")


def fight(kit: TableKit, *rounds: tuple[str, str]) -> None:
    kit.start(purse=5)
    kit.call_all()
    throw(kit, *rounds)


WIN = ("rock", "scissors")


def figures_of(player: User, viewer: User | None = None) -> dict[str, str]:
    page = profiles.profile_of(player, viewer, {"game": "showdown"})
    return {figure.label: figure.value for figure in page["figures"]}


def test_record_of_a_table_is_on_the_profile_showdown_first() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    duel = DuelKit(ann, bob, best_of=1)
    duel.start()
    duel.win(bob)
    fight(TableKit(ann, bob, seats=2, target=3), ("rock", "scissors"), ("rock", "scissors"))
    page = profiles.profile_of(ann, bob, {})
    assert [tab.slug for tab in page["tabs"]] == ["showdown", "duel"]
    assert page["game"].slug == "showdown"
    found = figures_of(ann)
    assert (found["Games"], found["Won"], found["Net"], found["Best pot"]) == ("1", "1", "+1", "2")
    assert found["Favourite weapon"] == "Rock"
    assert "Best pot" not in figures_of(bob)
    assert page["form"] == {"results": ["won"], "run": 0}
    together = page["together"]
    assert (together.games, together.mine, together.theirs, together.net) == (1, 0, 1, -1)
    everything = profiles.profile_of(ann, bob, {"game": "all"})
    assert [match.game for match in everything["listing"].matches] == ["Showdown", "Duel"]
    assert all(match.url for match in everything["listing"].matches)


@pytest.mark.plain
def test_record_tells_a_stranger_nothing_of_what_was_thrown_behind_closed_doors() -> None:
    ann, bob = new_user(), new_user()
    fight(TableKit(ann, bob, seats=2, target=3, spectators=False), WIN, WIN)
    for viewer in (None, new_user()):
        assert "Favourite weapon" not in figures_of(ann, viewer)
    assert figures_of(ann, bob)["Favourite weapon"] == "Rock"


def test_leaderboard_of_ratings_lists_those_who_played_enough() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    board = browser().get(reverse("leaderboard"), {"rating": "showdown"})
    assert "Play 10 rated games" in board.content.decode()
    for number in range(12):
        pair = (ann, bob) if number % 2 else (bob, ann)
        # Two change each other's rating five times a day.
        kit = TableKit(*pair, seats=2, target=3, age=86_400 * (3 - number // 4))
        fight(kit, *[("rock", "scissors")] * 2)
    board = browser(ann).get(reverse("leaderboard"), {"rating": "showdown"})
    assert {row.name for row in board.context["leaders"]} == {ann.username, bob.username}
    assert "(you)" in board.content.decode()
    assert browser().get(reverse("leaderboard"), {"rating": "arena"}).status_code == 404


@pytest.mark.plain
def test_insight_counts_what_battles_revealed_and_not_what_was_taken_back() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    kit = TableKit(ann, bob, seats=2, target=7)
    fight(kit, WIN)
    kit.act(ann, kind="attack", weapon="scissors", target=1)
    kit.act(ann, kind="reset")
    throw(kit, WIN, ("rock", "paper"))
    assert records.insight(kit.row, ann.pk) == [], "the game runs"
    kit.act(bob, kind="leave")
    assert records.insight(kit.row, ann.pk) == [
        f"After a win you threw Rock twice. {bob.username} beat it once."
    ]
    assert records.insight(kit.row, new_user().pk) == records.insight(kit.row, None) == []
