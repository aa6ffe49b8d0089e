"""Dynamite in the browser: one person plays a whole game with seven bots, and reads its story."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import Pictures
from tests.e2e.player import Player
from tests.e2e.towns import begin, look, open_town, read_the_story, see_the_end, talk

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
    begin(ann, 8, pictures, "dynamite-before", "Day 1")
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
        see_the_end(ann)
    expect(page.locator(".ending h2")).to_have_text(re.compile("wins?$|A draw"))
    look(page, pictures, "dynamite-over")
    read_the_story(page, pictures, "dynamite-story")


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
