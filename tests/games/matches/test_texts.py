import json
import re
import struct
from html import unescape
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from economy.models import Setting
from games import registry
from games.matches import services as matches
from games.matches.queries.addresses import match_url, rules_url
from tests.accounts.kit import make_user
from tests.games.table_kit import new_user

pytestmark = pytest.mark.django_db

TABLES = [game.slug for game in registry.tables()]


def preview_of(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))


def test_texts_are_for_anybody_on_every_page_and_a_shared_link_shows_a_card(client: Client) -> None:
    card = preview_of(client.get(reverse("home")).content.decode())
    assert card["url"] == "http://testserver/"
    assert card["image"].startswith("http://testserver/static/img/preview")
    assert finders.find("img/preview.jpg")
    linking = client.get(reverse("leaderboard")).content.decode()
    for name in ("rules", "fair_play", "privacy", "about"):
        assert client.get(reverse(name)).status_code == 200
        assert f'href="{reverse(name)}"' in linking


@pytest.mark.plain
def test_rules_lead_to_those_of_every_game_and_robots_keep_out_of_what_is_not_for_them(client):
    page = client.get(reverse("rules")).content.decode()
    for address in filter(None, map(rules_url, registry.games())):
        assert f'href="{address}"' in page
    told = client.get("/robots.txt")
    assert told["Content-Type"].startswith("text/plain")
    assert "Disallow: /accounts/" in told.content.decode()
    assert "Disallow: /\n" not in told.content.decode()


def test_pages_about_the_site_tell_the_numbers_whom_to_ask_and_the_version(client, settings):
    settings.SITE_CONTACT, settings.VERSION = "house@example.org", "7.8.9"
    for name, value in {"fair.pair_daily": 4321, "bots.daily_win_limit": 987}.items():
        Setting.objects.update_or_create(name=name, defaults={"value": value})
    names = ("fair_play", "privacy", "about")
    fair, privacy, about = (client.get(reverse(name)).content.decode() for name in names)
    assert "has lost 4321 points" in fair
    assert "You can win 987 points a day from them" in fair
    assert "house@example.org" in privacy
    assert "house@example.org" in about
    assert "Version 7.8.9" in about


@pytest.mark.parametrize("slug", TABLES)
def test_a_board_names_all_its_modules_at_once_and_a_shared_link_its_table(client, slug) -> None:
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


@pytest.mark.plain
def test_manifest_names_icons_of_the_sizes_that_they_have(client: Client) -> None:
    answer = client.get("/app.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    found = answer.json()
    assert (found["start_url"], found["display"], found["scope"]) == ("/", "standalone", "/")
    assert {icon["purpose"] for icon in found["icons"]} == {"any", "maskable"}
    for icon in found["icons"]:
        file = Path(icon["src"][1:])
        content = file.read_bytes()
        assert content[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", content[16:24])
        assert icon["sizes"] == f"{width}x{height}"
    assert b'rel="manifest" href="/app.webmanifest"' in client.get("/").content


@pytest.mark.plain
def test_service_worker_stores_the_offline_page_and_no_other(client: Client) -> None:
    answer = client.get("/sw.js")
    script = answer.content.decode()
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/javascript", "no-cache")
    config = json.loads(re.search(r"const CONFIG = (\{.*\});", script)[1])
    assert config["offline"] == reverse("offline")
    assert all(path.startswith("/static/") for path in config["shell"])
    assert "cache.put" not in script
    assert script.count("addAll") == 1
    # The page is the same for everybody.
    as_guest = client.get("/offline/").content
    client.force_login(make_user())
    page = client.get("/offline/")
    assert page.content == as_guest
    assert b"csrf" not in page.content
    assert "Set-Cookie" not in page.headers
