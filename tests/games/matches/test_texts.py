"""The pages that only tell, what robots may read, and what a shared link shows."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from economy.models import Setting
from games import registry
from games.matches.queries.addresses import match_url, rules_url
from games.matches.services import matches
from tests.games.table_kit import new_user

pytestmark = pytest.mark.django_db

TABLES = [game.slug for game in registry.tables()]


def preview_of(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))


@pytest.mark.parametrize("name", ["rules", "fair_play", "privacy", "about"])
def test_texts_are_for_anybody_and_can_be_reached_from_every_page(
    client: Client, name: str
) -> None:
    assert client.get(reverse(name)).status_code == 200
    assert f'href="{reverse(name)}"' in client.get(reverse("leaderboard")).content.decode()


def test_rules_lead_to_those_of_every_game(client: Client) -> None:
    page = client.get(reverse("rules")).content.decode()
    for game in registry.games():
        if address := rules_url(game):
            assert f'href="{address}"' in page


def test_fair_play_tells_the_numbers_as_they_are(client: Client) -> None:
    Setting.objects.update_or_create(name="fair.pair_daily", defaults={"value": 4321})
    Setting.objects.update_or_create(name="bots.daily_win_limit", defaults={"value": 987})
    page = client.get(reverse("fair_play")).content.decode()
    assert "has lost 4321 points" in page
    assert "You can win 987 points a day from them" in page


def test_whom_to_ask_and_the_version_stand_on_the_pages_about_the_site(
    client: Client, settings: Any
) -> None:
    settings.SITE_CONTACT, settings.VERSION = "house@example.org", "7.8.9"
    told = {name: client.get(reverse(name)).content.decode() for name in ("privacy", "about")}
    assert all("house@example.org" in page for page in told.values())
    assert "Version 7.8.9" in told["about"]


def test_robots_keep_out_of_what_is_not_for_them(client: Client) -> None:
    told = client.get("/robots.txt")
    assert told["Content-Type"].startswith("text/plain")
    assert "Disallow: /accounts/" in told.content.decode()
    assert "Disallow: /\n" not in told.content.decode()


def test_a_shared_link_shows_what_it_leads_to(client: Client) -> None:
    card = preview_of(client.get(reverse("home")).content.decode())
    assert card["url"] == "http://testserver/"
    assert card["image"].startswith("http://testserver/static/img/preview")
    assert finders.find("img/preview.jpg")


@pytest.mark.parametrize("slug", TABLES)
def test_a_board_names_all_its_modules_at_once_and_a_shared_link_its_table(
    client: Client, slug: str
) -> None:
    match = matches.open_match(opened_by=new_user(), options={}, game=slug)
    page = client.get(match_url(match)).content.decode()
    card = preview_of(page)
    assert unescape(card["title"]) == match.title
    assert card["description"].startswith(registry.get(slug).about[:20])
    loaded = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)">', page)
    script = registry.table(slug).script
    assert script.replace("main.js", "app.js") in loaded
    assert "js/board/stage.js" in loaded
    assert [name for name in loaded if not finders.find(name)] == []
    assert page.index("importmap") < page.index("modulepreload")
