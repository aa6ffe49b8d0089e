import json
import re
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from accounts.models import User
from games.arena import leader
from games.arena.models import Fight, Round, SeasonFigures
from games.arena.queries import neighbours
from games.arena.rules.actions import ArenaAction
from games.engine.draws import hash_of_seed
from games.engine.structs import reader_of
from games.matches.models import Flag
from games.realtime.leases import moment
from games.replays import card_image
from tests.accounts.kit import browser
from tests.games.arena.kit import allow, ask, new_item, playing
from tests.games.match_kit import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ACTIONS: Any = reader_of(ArenaAction)


def do(user: User, at: datetime, **action: object) -> None:
    newest = Round.objects.order_by("-no").first()
    item = new_item(user, ACTIONS.made_of(action), newest.no if newest else 0)
    (answer,) = ask([item], at)
    assert answer.error is None


def play(moves: str) -> list[User]:
    users, at = [new_user() for _ in moves], moment()
    for user in users:
        do(user, at, kind="join")
    leader.look("tests", at)
    named = {"r": "rock", "p": "paper", "s": "scissors", "-": None}
    for user, move in zip(users, moves, strict=True):
        do(user, at, kind="choose", move=named[move])
    leader.look("tests", Round.objects.latest("no").ends_at + timedelta(milliseconds=1))
    return users


def arena_of(client: Client) -> dict[str, Any]:
    response = client.get(reverse("arena"))
    assert response.status_code == 200
    view: dict[str, Any] = response.context["initial_view"]
    return view


@pytest.mark.parametrize("name", ["arena", "arena_rules", "arena_board", "arena_crowd"])
def test_arena_page_opens_for_guests_and_users(name: str) -> None:
    for client in (browser(), browser(new_user())):
        response = client.get(reverse(name))
        assert response.status_code == 200
        assert "unsafe" not in response["Content-Security-Policy"]


@pytest.mark.plain
def test_arena_page_shows_a_guest_nothing_of_anybodys_own() -> None:
    play("rp")
    view = arena_of(browser())
    assert (view["you"], view["arena"]["people"]) == (None, 2)
    response = browser(new_user()).get(reverse("arena"))
    assert response["Cache-Control"] == "no-store, private"
    assert Round.objects.get(no=2).seed not in response.content.decode()
    assert browser().get(reverse("arena_round", args=[2])).status_code == 404


def test_arena_page_brings_the_own_choice_and_wish_to_nobody_else() -> None:
    ann, bob = new_user(), new_user()
    at = moment()
    for user in (ann, bob):
        do(user, at, kind="join")
    leader.look("tests", at)
    before = arena_of(browser(bob))
    do(ann, at, kind="choose", move="rock")
    do(ann, at, kind="prefer", option="team", value="on")
    assert arena_of(browser(ann))["you"]["choice"] == "rock"
    assert {**arena_of(browser(bob)), "now": ""} == {**before, "now": ""}


@pytest.mark.plain
def test_arena_history_needs_a_login_and_tells_each_round() -> None:
    assert browser().get(reverse("arena_history")).status_code == 302
    ann, _ = play("r-")
    response = browser(ann).get(reverse("arena_history"))
    (fight,) = response.context["fights"]
    assert (fight["move"], fight["how"]) == ("rock", "chosen")
    assert reverse("arena_round", args=[1]) in response.content.decode()


def test_arena_round_is_watched_through_the_eyes_of_any_player_while_fights_are_kept() -> None:
    users = play("rrps")
    url = reverse("arena_round", args=[1])
    response = browser().get(url)
    shown = response.context["round"]
    assert hash_of_seed(shown["link"]) == shown["commitment"]
    assert [move["count"] for move in response.context["moves"]] == [2, 1, 1]
    assert shown["seed"] in response.content.decode()
    for user, move in zip(users, ("rock", "rock", "paper", "scissors"), strict=True):
        # Everybody sees the same, and also a guest.
        for viewer in (None, users[0]):
            seen = browser(viewer).get(url, {"as": user.username.upper()}).context
            assert (seen["fight"]["move"], seen["fight"]["name"]) == (move, user.username)
            assert seen["frame"]["you"]["last"]["move"] == move
            assert seen["frame"]["arena"]["last"]["counts"][move] == "rrps".count(move[0])
    unknown = browser().get(url, {"as": "nobody"})
    assert "This player was not in the round." in unknown.content.decode()
    assert unknown.context["frame"]["you"] is None
    running = browser().get(reverse("arena_round", args=[2]), {"as": users[0].username})
    assert running.status_code == 404
    Fight.objects.all().delete()
    Round.objects.filter(no=1).update(is_full=False)
    old = browser().get(url, {"as": users[0].username})
    assert old.context["fight"] is None
    assert "no longer kept" in old.content.decode()


@pytest.mark.plain
def test_arena_round_has_a_card_of_the_round_and_of_each_player(monkeypatch: Any) -> None:
    monkeypatch.setattr(card_image, "cards", card_image.Cards())
    first, *_, last = (user.username for user in play("rrpp"))
    tags = set()
    for name, line in (
        ("", "Round 1: 2 papers beat 2 rocks"),
        ("nobody", "Round 1: 2 papers beat 2 rocks"),
        (last.upper(), f"{last} won round 1 with Paper"),
        (first, f"{first} lost round 1 with Rock"),
    ):
        page = browser().get(reverse("arena_round", args=[1]), {"as": name})
        assert page.context["card"]["words"] == line
        assert f'<meta property="og:title" content="{line}"' in page.content.decode()
        card = browser().get(page.context["card"]["url"])
        assert Image.open(BytesIO(card.content)).size == card_image.SIZE
        tags.add(card["ETag"])
    assert (len(tags), browser().get(reverse("arena_round_card", args=[2])).status_code) == (3, 404)


def test_arena_round_leads_to_the_resolved_rounds_next_to_it() -> None:
    kit = playing(2)
    for _ in range(4):
        kit.play("rock", "paper")
    Round.objects.filter(no=2).update(state=Round.State.DROPPED)
    near = {}
    for no in (1, 3, 4):
        context = browser().get(reverse("arena_round", args=[no])).context
        near[no] = (context["previous"], context["following"])
    assert near == {1: (None, 3), 3: (1, 4), 4: (3, None)}
    with CaptureQueriesContext(connection) as asked:
        neighbours(3)
    assert all('"result"' not in each["sql"] for each in asked.captured_queries)
    assert len(asked) == 2


@pytest.mark.plain
def test_arena_board_stands_by_each_figure_and_finds_oneself() -> None:
    user, url = play("prrr")[0], reverse("arena_board")
    for by in ("score", "best_streak", "round_wins"):
        response = browser(user).get(url, {"period": "all", "by": by})
        assert (response.status_code, response.context["mine"]["name"]) == (200, user.username)
        assert 'id="me"' in response.content.decode()
    for query in ({"period": "week"}, {"by": "wins"}):
        assert browser().get(url, query).status_code == 404


def test_arena_crowd_is_told_on_the_front_page_and_as_numbers() -> None:
    assert browser().get(reverse("arena_crowd")).json() == {"people": 0, "bots": 0}
    home = browser(new_user())
    assert "Quiet now." in home.get(reverse("home")).content.decode()
    play("rprps")
    assert browser().get(reverse("arena_crowd")).json() == {"people": 5, "bots": 0}
    assert "5 people are in" in home.get(reverse("home")).content.decode()


@pytest.mark.plain
def test_arena_report_opens_a_flag_with_its_reason() -> None:
    ann, bob = new_user(), new_user()
    given = {"name": bob.username, "reason": "a name nobody should read"}
    assert browser().post(reverse("arena_report"), given).status_code == 302
    # Once a day, and nobody reports themselves.
    for name in (bob.username, bob.username, ann.username):
        asked = browser(ann).post(reverse("arena_report"), {**given, "name": name})
        assert asked.json() == {"reported": True}
    (flag,) = Flag.objects.filter(kind="report")
    assert set(flag.users.all()) >= {bob}
    assert given["reason"] in json.dumps(json.loads(flag.detail))
    for name, reason, status in (("", "x", 404), ("ann", " ", 400)):
        answer = browser(ann).post(reverse("arena_report"), {"name": name, "reason": reason})
        assert answer.status_code == status
    assert Flag.objects.count() == 1


def test_arena_rules_are_where_those_of_other_games_are() -> None:
    answer = Client().get("/rules/arena/")
    assert (answer.status_code, answer["Location"]) == (302, "/arena/rules/")


def test_arena_lobby_says_when_the_next_season_is_and_who_won_the_last() -> None:
    user = new_user("evening1")
    SeasonFigures.objects.create(
        user=user, began_at=timezone.now() - timedelta(days=3), score=34, round_wins=9
    )
    allow(season_begins=(timezone.now().hour * 60 + 120) % 1_440, season_minutes=30)
    page = browser(user).get("/").content.decode()
    assert "Next arena season" in page
    winner = re.search(r'Last winner: <a href="[^"]+">(\w+)</a>, <b class="num">\+34</b>', page)
    assert winner[1] == user.username
    allow(season_minutes=1_440)
    assert "Arena season until" in browser(user).get("/").content.decode()
    assert "Arena season until" in Client().get("/").content.decode()


def test_arena_admin_shows_a_seed_once_its_round_is_over_and_changes_no_player() -> None:
    chief = Client()
    chief.force_login(User.objects.create_superuser("chief", password="a long password"))
    kit = playing(4)
    begun = kit.round
    kit.choose("rock", "paper", "rock", "rock")
    pages = ("/admin/arena/round/", f"/admin/arena/round/{begun.no}/change/")
    for page in pages:
        body = chief.get(page).content.decode()
        assert begun.seed not in body
        assert "selecting" in body.lower()
    assert kit.people[0].username in chief.get("/admin/arena/player/").content.decode()
    page = f"/admin/arena/player/{kit.people[0].pk}/change/"
    assert chief.get(page).status_code == 200
    assert chief.post(page, {"score": "1000"}).status_code == 403
    assert kit.player(0).score == 0
    kit.end()
    assert begun.seed in chief.get(pages[1]).content.decode()
