"""The web process is killed in the middle of a round, under two open browsers."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import PHONE, play_to_the_end, play_until_round
from tests.e2e.site import Site

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_kill_costs_a_round_nothing_and_clocks_wait_for_players(
    site: Site, new_player: MakePlayer
):
    ann, bob, guest = new_player("Ann"), new_player("Bob", look=PHONE), new_player()
    path = ann.open_table(seats=2, target=3, betting_clock=60, round_clock=60)
    bob.go(path)
    ann.sit_and(ready=True)
    bob.sit_and(ready=True)
    play_until_round(1, ann, bob)
    chosen = bob.page.locator(".cards-basic .card[aria-pressed=true]")
    bob.page.locator(".cards-basic .card").nth(1).click()
    expect(chosen).to_have_count(1)
    ann.page.locator(".cards-basic .card").nth(0).click()
    ann.press(re.compile("^Lock in"))
    expect(ann.button(re.compile("^Unlock"))).to_be_visible()
    expect(bob.page.locator(".seat-state", has_text="Locked in")).to_be_visible()
    guest.go("/practice/duel/")

    people = (ann, bob, guest)
    for player in people:
        player.is_outage_expected = True
    site.web_process.kill()
    for player in people:
        expect(player.page.locator(".link-badge")).to_have_text("reconnecting…")
        expect(player.page.locator(".play")).to_have_attribute("aria-disabled", "true")
    site.start_web_again()
    for player in people:
        player.expect_live()
    # What a guest practises is in the process alone.
    expired = guest.page.get_by_text("Your last practice game has expired")
    expect(expired).to_be_visible()
    guest.page.get_by_role("button", name="All right").click()
    expect(expired).to_have_count(0)

    assert (ann.round_no(), bob.round_no()) == (1, 1)
    expect(ann.button(re.compile("^Unlock"))).to_be_visible()
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text("Paper")
    bob.press(re.compile("^Lock in"))
    for player in (ann, bob):
        expect(player.page.locator(".round-result")).to_contain_text("Paper covers Rock")

    # Nobody who plays is there when the site is back: the clock waits.
    play_until_round(2, ann, bob)
    guest.go(path)
    for player in (ann, bob):
        player.page.goto("/rules/showdown/")
    site.web_process.kill()
    site.start_web_again()
    waiting = guest.page.get_by_text("The clock waits for the players to come back")
    expect(waiting).to_be_visible()
    expect(guest.page.locator(".centre")).to_contain_text("The clock is stopped")
    for player in (ann, bob):
        player.go(path)
    expect(waiting).to_have_count(0)
    assert ann.round_no() == 2
    expect(ann.page.get_by_role("timer")).to_be_visible()
    play_to_the_end(ann, bob)
