"""People and a bot play for points, from the sign-up to the next game."""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import clipped
from tests.e2e.player import DESKTOP, MOVING, PHONE, READY, Player, play_to_the_end
from tests.e2e.site import Site

pytestmark = pytest.mark.browser


BACK = {"uncalled_returned", "purse_returned", "pot_awarded", "bonus_paid"}


def told(events: list[dict[str, Any]], purses: dict[int, int], names: list[str]) -> dict[str, int]:
    """Return what a game's facts say that everybody has won or lost; the treasury has no name."""
    change = {"": 0} | {names[seat]: -purse for seat, purse in purses.items()}
    for event in events:
        if event["kind"] in BACK:
            change[names[event["data"]["seat"]]] += event["data"]["amount"]
        elif event["kind"] == "tax_taken":
            change[""] += event["data"]["amount"]
    return change


def changed(before: Counter[str], after: Counter[str], names: list[str]) -> dict[str, int]:
    return {name: after[name] - before[name] for name in ["", *names]}


@pytest.mark.slow
def test_two_people_and_a_bot_play_for_points_and_go_on(site: Site, new_player: MakePlayer):
    ann, bob = new_player("Ann", look=DESKTOP | MOVING), new_player("Bob", look=PHONE)
    path = ann.open_table(seats=3, target=3, betting_clock=60, round_clock=60, largest_purse=60)
    bob.go(path)
    ann.sit_and(ready=False)
    bob.sit_and(ready=False)
    ann.press("Add a bot")
    bot = ann.page.locator(".seat", has=ann.page.locator("use[href$='#robot']")).locator(".name")
    names = [str(ann.name), str(bob.name), bot.inner_text()]
    before = site.held()
    assert (before[names[0]], before[names[1]]) == (100, 100)
    ann.press(READY)
    bob.press(READY)
    play_to_the_end(ann, bob)

    events = ann.log(path)
    purses = {e["data"]["seat"]: e["data"]["purse"] for e in events if e["kind"] == "sat"}
    assert (purses[0], purses[1]) == (20, 20)
    change = told(events, purses, names)
    minted = sum(event["data"]["amount"] for event in events if event["kind"] == "bonus_paid")
    assert sum(change.values()) == minted
    between = site.held()
    assert changed(before, between, names) == change
    assert ann.balance() == between[names[0]]
    assert bob.balance() == between[names[1]]
    assert "0 violations" in site.command("audit_ledger", "--whole")
    assert clipped(bob.page) == []

    go_on(ann, bob)
    assert ann.path != path
    events = ann.log(ann.path)
    assert changed(between, site.held(), names) == told(events, purses, names)
    assert "0 violations" in site.command("audit_ledger", "--whole")


def go_on(ann: Player, bob: Player) -> None:
    for player in (ann, bob):
        player.page.evaluate("() => { window.isSamePage = true; }")
    ann.press("Play again")
    bob.press("Go to the next game")
    for player in (ann, bob):
        expect(player.page.locator(".seats .name", has_text="You")).to_be_visible()
        expect(player.page.locator(".ending")).to_have_count(0)
        player.expect_live()
    assert ann.path == bob.path
    bob.press(READY)
    play_to_the_end(ann, bob, seed=8)
    for player in (ann, bob):
        assert player.page.evaluate("() => window.isSamePage") is True
