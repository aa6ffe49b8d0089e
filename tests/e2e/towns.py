"""Helpers for browser tests of towns: open one, look at it, post there."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.inspection import wrong_in_all_looks
from tests.e2e.player import Player


def look(page: Page, name: str) -> None:
    """Look at the page in both themes: what floats over a board covers targets for a moment."""
    found = wrong_in_all_looks(page, name, allowed=("target-size",))
    assert found == [], found


def leave_town(player: Player) -> None:
    player.press(re.compile("^Leave"))
    player.page.get_by_role("dialog").get_by_role("button", name="Leave town").click()


def open_town(player: Player, setup: str, minutes: int = 1) -> str:
    return player.open(f"/mafia/new/?setup={setup}", "Open the game", length=minutes)


def talk(player: Player) -> None:
    box = player.page.locator("#post-text")
    if not box.count():
        return
    box.fill("I was at **home** all night.\n\n> who says so?\n\n<b>I</b> do.")
    player.press(re.compile("^Post"))
    expect(box).to_have_value("")
    expect(player.page.locator(".post.is-own strong")).to_have_text("home")
    expect(player.page.locator(".post.is-own .post-text")).to_contain_text("<b>I</b> do.")


def begin(player: Player, seats: int, name: str, phase: str) -> None:
    page = player.page
    expect(page.get_by_role("heading", name=f"1 of {seats} seats taken")).to_be_visible()
    look(page, name)
    player.press(re.compile(f"^Fill {seats - 1} seats with bots"))
    expect(page.get_by_role("heading", name=f"{seats} of {seats} seats taken")).to_be_visible()
    player.press("Ready")
    expect(page.get_by_role("heading", name=phase)).to_be_visible()
    # The own card is shown at the start and over everything for some seconds.
    expect(page.locator(".own-card")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".own-card")).to_have_count(0)
    assert page.title().startswith("● Your town waits")


def see_the_end(player: Player) -> None:
    end = player.button("See how it ends")
    if end.count():
        player._try(end)
    player.page.wait_for_timeout(250)


def read_the_story(page: Page, name: str) -> None:
    page.get_by_role("link", name="The whole story").click()
    expect(page.get_by_role("heading", name="Who was what")).to_be_visible()
    expect(page.locator(".chapter-night")).not_to_have_count(0)
    expect(page.locator(".post-text strong").first).to_have_text("home")
    look(page, name)
