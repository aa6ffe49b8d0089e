"""An idle seat is offered, taken over by a press, and wins for the substitute."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.site import Site
from tests.e2e.towns import look

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_an_idle_seat_is_taken_over_and_wins(site: Site, new_player: MakePlayer) -> None:
    ann, bob, eve = new_player("Ann"), new_player("Bob"), new_player()
    town = site.call("begin", idle=ann.name)
    name, path = town["public_id"], f"/mafia/{town['public_id']}/"
    ann.go(path)
    expect(ann.page.locator(".role-card")).to_be_visible()
    expect(ann.page.locator(".notice-warning")).to_have_count(0)

    # A night and a day in which everybody is there but Ann.
    site.call("act", public_id=name, without=[ann.name])
    site.call("run_out", public_id=name)
    expect(ann.page.get_by_role("heading", name="Day 1")).to_be_visible()
    expect(ann.page.locator(".notice-warning")).to_contain_text("You did nothing in the last phase")
    look(ann.page, "warned")
    site.call("act", public_id=name, without=[ann.name])
    bob.go(path)
    expect(bob.page.get_by_role("button", name=re.compile("^Take over"))).to_have_count(0)
    site.call("run_out", public_id=name)
    expect(ann.page.locator(".notice-warning")).to_contain_text("Your seat is open")
    look(ann.page, "idle")

    # It is offered in the list and on the board; who is not logged in is shown the way.
    eve.go(path)
    expect(eve.page.locator(".town-card")).to_contain_text("A seat is open here. Sign up or log in")
    bob.page.goto("/mafia/")
    row = bob.page.get_by_role("row", name=re.compile(re.escape(town["title"])))
    expect(row).to_contain_text("night 2 · a seat is open")
    look(bob.page, "offered-lobby")
    row.get_by_role("link", name=re.compile("^Take over")).click()
    expect(bob.page.locator(".open-seat")).to_contain_text(f"It is {ann.name}'s until")
    look(bob.page, "offered")
    bob.press("Take over seat 1")
    expect(bob.page.locator(".role-card")).to_be_visible()
    expect(bob.page.locator(".notice-warning")).to_have_count(0)
    look(bob.page, "came")

    # The replaced one sees what everybody sees.
    expect(ann.page.get_by_role("heading", name="You were replaced")).to_be_visible()
    expect(ann.page.locator(".role-card, button.citizen, #post-text, .open-seat")).to_have_count(0)
    expect(ann.page.get_by_role("tab", name="Chat")).to_have_count(0)
    said = f"{bob.name} took over seat 1 from {ann.name}."
    for player in (ann, bob, eve):
        player.page.get_by_role("tab", name="Log").click()
        expect(player.page.locator("main")).to_contain_text(said)
    look(ann.page, "replaced")

    # Bob votes with the others, and the town wins.
    site.call("act", public_id=name, without=[bob.name])
    site.call("run_out", public_id=name)
    expect(bob.page.get_by_role("heading", name="Day 2")).to_be_visible()
    bob.page.get_by_role("button", name=re.compile(f"^Vote for {town['mafioso']}")).click()
    site.call("act", public_id=name, without=[bob.name, town["mafioso"]], choice=town["mafioso"])
    expect(bob.page.locator(".ending")).to_contain_text("You won.")
    expect(ann.page.locator(".ending h2")).to_have_text("The town wins")
    expect(ann.page.locator(".ending")).not_to_contain_text("You won.")
    bob.page.get_by_role("link", name="The whole story").click()
    expect(bob.page.locator(".story-roles")).to_contain_text(f"took over from {ann.name}")
    expect(bob.page.locator(".story")).to_contain_text(said)
    look(bob.page, "story-of-two")
    ann.page.goto(f"/@{ann.name}/")
    expect(ann.page.locator(".record div", has_text="Reliability")).to_contain_text("new")
    look(ann.page, "profile-reliability")


def test_who_is_away_says_so_and_everybody_sees_it(new_player: MakePlayer) -> None:
    ann, bob = new_player("Ann"), new_player("Bob")
    ann.page.goto("/accounts/away/")
    last = ann.page.locator("#until").get_attribute("max")
    ann.page.locator("#until").fill(str(last))
    look(ann.page, "away")
    ann.page.get_by_role("button", name="Save").click()
    expect(ann.page.locator(".notice-success")).to_contain_text("Saved.")
    bob.page.goto(f"/@{ann.name}/")
    expect(bob.page.locator(".profile-head")).to_contain_text("away until")
    look(bob.page, "profile-away")
    ann.page.goto("/mafia/new/")
    ann.page.get_by_role("button", name="Open the game").click()
    expect(ann.page.locator(".citizen.is-mine")).to_contain_text("away until")
    bob.page.goto("/mafia/absence/")
    look(bob.page, "policy")
    ann.page.goto("/accounts/away/")
    ann.page.get_by_role("button", name="I am back").click()
    expect(ann.page.locator("#until")).to_have_value("")
