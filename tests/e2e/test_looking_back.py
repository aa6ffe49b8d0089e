import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import DESKTOP
from tests.e2e.towns import leave_town, look, open_town, see_the_end

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_end_of_a_town_shows_lives_and_the_turning_point_and_takes_a_thumb(
    new_player: MakePlayer,
) -> None:
    ann, bob = new_player("Ann"), new_player("Bob", DESKTOP)
    path = open_town(ann, "agora")
    bob.go(path)
    bob.press("Take a seat")
    ann.press(re.compile("^Fill 5 seats with bots"))
    for player in (ann, bob):
        player.press("Ready")
    for player in (ann, bob):
        expect(player.page.locator(".own-card")).to_be_visible()
        player.page.keyboard.press("Escape")
        leave_town(player)
    while not ann.page.locator(".ending").count():
        see_the_end(ann)
    lives = ann.page.locator(".ending .lives")
    expect(lives.locator("tbody tr")).to_have_count(7)
    expect(lives.get_by_text("left town in night 1").first).to_be_attached()
    thumb = ann.page.locator(".thumbs").get_by_role("button", name=str(bob.name))
    expect(thumb).to_have_attribute("aria-pressed", "false")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    expect(thumb).to_have_text(f"{bob.name} 1")
    expect(thumb).to_be_focused()
    look(ann.page, "looking-back")
    bob.page.goto(f"{path}story/")
    expect(bob.page.locator(".turning-point")).to_contain_text("chance by numbers alone went from")
    bob.page.locator(".thumbs").get_by_role("button", name=str(ann.name)).click()
    expect(bob.page.locator(".thumbs [aria-pressed=true]")).to_have_text(f"{ann.name} 1")
    look(bob.page, "looking-back-story")
    bob.page.goto(f"/@{bob.name}/?game=agora")
    expect(bob.page.locator(".record")).to_contain_text(re.compile(r"Thumbs\s*1"))


def test_the_lobby_has_a_switch_for_news_of_towns(new_player: MakePlayer) -> None:
    ann = new_player("Ann")
    page = ann.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/mafia/")
    bell = page.locator("[data-town-bell]")
    look(page, "town-bell-closed")
    assert not [url for url in asked if "notifications" in url], "the lobby asks for nothing"
    bell.locator("summary").click()
    expect(bell.get_by_role("checkbox")).to_be_visible()
    expect(
        bell.get_by_role("checkbox")
        .and_(page.locator(":enabled"))
        .or_(bell.get_by_text(re.compile("no notifications|does not send")))
        .first
    ).to_be_visible()
    look(page, "town-bell")
    bell.get_by_role("link", name="All notifications").click()
    page.get_by_label(re.compile("somebody opens a town", re.IGNORECASE)).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label(re.compile("somebody opens a town", re.IGNORECASE))).to_be_checked()
    look(page, "town-bell-settings")
