from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from tests.accounts.kit import browser
from tests.games.practice.kit import SLUGS
from tests.games.table_kit import new_user, running_table

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.mark.parametrize("slug", SLUGS)
def test_practice_pages_are_for_anybody_and_write_no_session(client: Client, slug: str) -> None:
    page = client.get(reverse("practice", args=[slug]))
    assert (page.status_code, page.context["initial_view"]["view"]["you"]["may"]) == (200, [])
    assert (page["Cache-Control"], Session.objects.count()) == ("no-store, private", 0)


@pytest.mark.parametrize(
    "path",
    ["practice/chess/", "practice/arena/", "start/arena/", "practice/chess/demo.json",
     "practice/duel/exam/", "practice/showdown/marathon/", "practice/showdown/lesson/"],
)  # fmt: skip
def test_practice_there_is_none_of_other_games(client: Client, path: str) -> None:
    assert client.get(f"/{path}").status_code == 404


def test_home_of_guests_may_be_kept_by_their_browser_and_that_of_users_by_nobody(client) -> None:
    page = client.get(reverse("home"))
    assert page["Cache-Control"] == "private, max-age=60"
    assert "Cookie" in page["Vary"]
    assert Session.objects.count() == 0
    first = page.cookies["practice"].value
    assert "practice" not in client.get(reverse("home")).cookies
    client.cookies["practice"] = "forged"
    assert client.get(reverse("home")).cookies["practice"].value != first
    page = browser(new_user()).get(reverse("home"))
    assert "no-store" in page["Cache-Control"]
    assert "practice" not in page.cookies


@pytest.mark.skipif("duel" not in SLUGS, reason="the duel stands on the front page")
def test_home_has_a_board_to_throw_at(client: Client) -> None:
    page = client.get(reverse("home"))
    assert b'data-throw="rock"' in page.content
    assert page.context["door"]["table_config"]["socket"] == "/ws/practice/duel/"


@pytest.mark.skipif("duel" not in SLUGS, reason="only the duel has a marathon")
def test_practice_of_a_marathon_is_best_of_99_against_a_bot(client: Client) -> None:
    page = client.get("/practice/duel/marathon/").context
    options = page["initial_view"]["view"]["match"]["options"]
    assert (options["best_of"], options["no_ties"]) == (99, True)
    config = page["table_config"]
    assert config["socket"] == "/ws/practice/duel/marathon/"
    assert (config["practice"]["again_url"], config["practice"]["lesson"]) == (
        "/practice/duel/marathon/",
        None,
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_start_leads_guests_to_the_sign_up_and_back_and_opens_such_a_table(client, slug) -> None:
    address = reverse("start", args=[slug])
    where = urlsplit(client.get(address)["Location"])
    assert (where.path, parse_qs(where.query)["next"]) == (reverse("account_signup"), [address])
    client.force_login(new_user())
    page = client.get(address)
    assert page.status_code == 200
    answer = client.post(reverse(page.context["practice"].begin))
    assert answer.status_code == 302
    view = client.get(answer["Location"]).context["initial_view"]["view"]
    assert (view["match"]["game"], view["you"]["seat"]) == (slug, 0)


def test_a_recorded_game_moves_on_the_front_page_while_nothing_is_on(client: Client) -> None:
    page = client.get(reverse("home"))
    demo = page.context["demo"]
    answer = client.get(reverse("practice_demo", args=[demo["game"].slug]))
    moments = answer.json()
    assert 10 < len(moments) <= 60
    assert len(answer.content) < 60_000
    assert moments[-1][1]["game"]["result"]
    for _, view in moments:
        assert view["you"]["seat"] is None
        assert view["game"]["you"] is None
    client.force_login(new_user())
    assert client.get(reverse("home")).context["demo"]["game"].slug == demo["game"].slug


@pytest.mark.skipif("showdown" not in SLUGS, reason="a table is needed")
def test_the_recorded_game_goes_after_the_first_game_and_while_one_can_be_watched() -> None:
    kit = running_table()
    assert Client().get(reverse("home")).context["demo"] is None
    kit.play_to_the_end()
    assert Client().get(reverse("home")).context["demo"] is not None
    assert browser(kit.people[0]).get(reverse("home")).context["demo"] is None
