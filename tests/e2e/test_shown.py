"""The page does what it shows: the typed number, the purse beside Ready, the moment of a line."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import barriers, clipped
from tests.e2e.player import PHONE

pytestmark = pytest.mark.browser

NUMBER = "Purse, in points"


def wheel_over(page: Page, label: str) -> None:
    """Turn the wheel by three notches over a field."""
    page.get_by_label(label).hover()
    for _ in range(3):
        page.mouse.wheel(0, 100)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def test_points_typed_while_the_page_is_drawn_are_the_points_taken(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    path = ann.open_table(seats=3, target=3, betting_clock=60, round_clock=60)
    bob.go(path)
    number = ann.page.get_by_label(NUMBER)
    number.press("Control+a")
    number.press("4")
    bob.sit_and(ready=False)
    expect(ann.page.locator(".seats .name", has_text=str(bob.name))).to_be_visible()
    number.press("7")
    expect(number).to_have_value("47")
    wheel_over(ann.page, NUMBER)
    expect(number).to_have_value("47")
    expect(ann.button("Ready with 47")).to_be_visible()
    number.fill("1007")
    expect(ann.button("Ready with 100")).to_be_visible()
    number.blur()
    expect(number).to_have_value("100")
    number.fill("20")
    for page in (ann.page, bob.page):
        assert clipped(page) == []
        assert barriers(page) == []
    ann.press("Ready with 20")
    dock = ann.page.get_by_role("region", name="Before the game")
    expect(dock).to_contain_text("You are ready with 20.")
    expect(dock).to_contain_text("80 stay in your wallet")
    expect(number).to_have_count(0)
    bob.page.get_by_label(NUMBER).fill("30")
    bob.press("Ready with 30")
    expect(ann.button(re.compile("^(Call|Check)")).or_(ann.page.locator(".plans"))).to_be_visible()
    purses = {
        event["data"]["seat"]: event["data"]["purse"]
        for event in ann.log(path)
        if event["kind"] in ("sat", "purse_changed")
    }
    assert sorted(purses.values()) == [20, 30]
