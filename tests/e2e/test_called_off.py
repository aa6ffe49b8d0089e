"""A table that is no more says why, gives everything back and shows a way on."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import clipped, take
from tests.e2e.player import READY
from tests.e2e.site import Site

pytestmark = pytest.mark.browser

REASON = "The roof is leaking on the cards"


def test_a_table_called_off_or_closed_says_why_and_gives_back(site: Site, new_player: MakePlayer):
    ann = new_player("Ann")
    path = ann.open_table(seats=2, largest_purse=40)
    ann.sit_and(ready=False)
    ann.press("Add a bot")
    ann.press(READY)
    expect(ann.page.locator(".centre .pot")).to_be_visible()
    assert ann.balance() == 80
    site.command("void_match", path.split("/")[-2], "--reason", REASON)
    gone = ann.page.get_by_role("region", name="This table is over")
    expect(gone).to_contain_text(f"This game was called off: {REASON}.")
    expect(gone).to_contain_text("Your purse of 20 is back in your wallet.")
    expect(ann.page.locator(".is-you .seat-money")).to_have_text("20 back")
    expect(ann.page.locator(".centre")).to_contain_text("Called off")
    expect(ann.page.locator("[data-balance]")).to_have_text("100")
    assert ann.balance() == 100
    assert clipped(ann.page) == []
    take(ann.page, "table-void")
    ann.press("Play again")
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("game 2")
    assert ann.path != path

    path = ann.open_table(seats=2)
    site.command("void_match", path.split("/")[-2], "--reason", REASON)
    expect(gone).to_contain_text(f"This table has closed: {REASON}.")
    take(ann.page, "table-closed")
    gone.get_by_role("link", name="To the tables").click()
    expect(ann.page.get_by_role("heading", name="Tables", exact=True)).to_be_visible()
