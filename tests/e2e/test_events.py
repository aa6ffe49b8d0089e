"""An evening alone with bots: from the form of a Train to its end."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import throw_until_the_end
from tests.e2e.player import PHONE
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at
from tests.games.events.test_pages import verify

pytestmark = pytest.mark.browser

#: What the page says once the viewer's pair is decided, and where the viewer plays no more.
DECIDED = re.compile("You go on|in a few seconds|You ride|Winner|The clock runs")
ENDED = re.compile("You ride|Winner")


def registered(page: Page) -> str:
    """Make a Train with bots and register; return its path."""
    page.goto("/events/new/")
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name="You are aboard")).to_be_visible()
    return page.url


@pytest.mark.slow
def test_one_person_plays_a_train_with_bots_to_its_end(site: Site, new_player: MakePlayer) -> None:
    ann = new_player("Ann", PHONE)
    page = ann.page
    address = registered(page)
    public_id = address.rstrip("/").rpartition("/")[2]
    assert re.fullmatch(r"\d+:\d\d", page.locator(".event-clock").inner_text())
    look_at(page, "event-announced")
    # The first opponent is known some seconds before the table, to which the page goes.
    site.call("bring_forward", public_id=public_id)
    expect(page.locator(".event-now")).to_contain_text("in a few seconds")
    assert page.locator(".trains > li").count() == 4
    assert "is-me" in (page.locator(".trains > li").first.get_attribute("class") or "")
    now = page.locator(".event-now")
    while True:
        page.wait_for_url("**/duels/**")
        throw_until_the_end(page)
        page.get_by_role("link", name="To Our Train").click()
        # In the end it says where one rides, or who won; else it leads to the next table.
        told = now.filter(has_text=DECIDED)
        told.or_(page.locator("#board")).first.wait_for()
        if told.is_visible() and ENDED.search(told.inner_text()):
            break
    look_at(page, "event-after")
    expect(page.locator(".event-now h2")).to_have_text(re.compile(" won$"), timeout=120_000)
    look_at(page, "event-over")
    assert page.locator(".trains > li").count() == 7
    proof = json.loads(page.request.get(f"{address}proof.json").text())
    said = verify(proof)
    assert len(said) == 2
    assert not any(words.startswith("WRONG") for words in said)
    page.goto("/events/")
    expect(page.get_by_role("heading", name="Events")).to_be_visible()
    look_at(page, "events")


def test_who_ticks_stay_is_not_taken_to_the_table(site: Site, new_player: MakePlayer) -> None:
    page = new_player("Ann").page
    address = registered(page)
    page.get_by_label("Stay here").check()
    site.call("bring_forward", public_id=address.rstrip("/").rpartition("/")[2])
    link = page.get_by_role("link", name="Go to your table")
    expect(link).to_be_visible()
    expect(page).to_have_url(address)
    # What waits for the user is at the bell of every page.
    page.goto("/shop/")
    expect(page.locator("[data-bell-list]")).to_contain_text("Our Train, station 1")
    page.goto(address)
    link.click()
    page.wait_for_url("**/duels/**")
