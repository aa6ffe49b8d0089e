"""Dynamite in the browser: one person plays a whole game with seven bots, and reads its story."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import Pictures
from tests.e2e.player import Player
from tests.e2e.towns import look, open_town, skip_card, talk

pytestmark = pytest.mark.browser


# A day lasts as long as its bots think, a night some seconds more.
@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_one_person_and_seven_bots_play_dynamite_to_its_end(
    new_player: MakePlayer, pictures: Pictures
) -> None:
    ann = new_player("Ann")
    page = ann.page
    page.goto("/mafia/?setup=dynamite")
    expect(page.locator("[data-lobby]")).to_have_count(1)
    page.goto("/mafia/")
    expect(page.locator("[data-lobby]")).to_have_count(2)
    look(page, pictures, "dynamite-lobby")
    page.goto("/rules/dynamite/")
    look(page, pictures, "dynamite-rules")
    page.goto("/mafia/new/?setup=dynamite")
    look(page, pictures, "dynamite-new")
    open_town(ann, "dynamite")
    expect(page.get_by_role("heading", name="1 of 8 seats taken")).to_be_visible()
    look(page, pictures, "dynamite-before")
    ann.press(re.compile("^Fill 7 seats with bots"))
    expect(page.get_by_role("heading", name="8 of 8 seats taken")).to_be_visible()
    ann.press("Ready")
    expect(page.get_by_role("heading", name="Day 1")).to_be_visible()
    skip_card(page)
    assert page.title().startswith("● Your town waits")
    expect(page.locator(".team-card")).to_be_visible()
    expect(page.locator(".gauge")).to_be_visible()
    talk(ann)
    look(page, pictures, "dynamite-day")
    seen: set[str] = set()
    while not page.locator(".ending").count():
        live_in_town(ann)
        for name, sign in (("night", ".phase-night"), ("deaths", ".obituary"), ("dead", ".grave")):
            if name not in seen and page.locator(sign).count():
                seen.add(name)
                look(page, pictures, f"dynamite-{name}")
        end = ann.button("See how it ends")
        if end.count():
            ann._try(end)
        page.wait_for_timeout(250)
    expect(page.locator(".ending h2")).to_have_text(re.compile("wins?$|A draw"))
    look(page, pictures, "dynamite-over")
    page.get_by_role("link", name="The whole story").click()
    expect(page.get_by_role("heading", name="Who was what")).to_be_visible()
    expect(page.locator(".chapter-night")).not_to_have_count(0)
    expect(page.locator(".post-text strong").first).to_have_text("home")
    look(page, pictures, "dynamite-story")


def live_in_town(player: Player) -> None:
    """Do what the town waits for: vote by day, confront by night if one can, be done."""
    page = player.page
    target = page.locator("button.citizen[aria-pressed]")
    has_chosen = page.locator("button.citizen[aria-pressed=true]").count() > 0
    if target.count() and not has_chosen:
        player._try(target.last)
        return
    done = player.button(re.compile("^Done for to"))
    if done.count():
        player._try(done)
