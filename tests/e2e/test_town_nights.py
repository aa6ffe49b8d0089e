"""Nights, dawn, death and end of a town; an idle seat that is taken over."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import barriers
from tests.e2e.player import MOVING, PHONE, Player
from tests.e2e.site import Site
from tests.e2e.towns import look

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Whether the page is dark, by the colour behind it.
IS_DARK = """() => {
  const channels = getComputedStyle(document.documentElement).backgroundColor.match(/[\\d.]+/g);
  return channels.slice(0, 3).map(Number).every((channel) => channel < 110);
}"""
#: Note each sky that comes, since it stays for a second only.
WATCH_SKY = """() => {
  window.skies = [];
  const note = (node) => node.classList?.contains("sky") && window.skies.push(node.className);
  const watch = (records) => records.forEach(({ addedNodes }) => addedNodes.forEach(note));
  new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
}"""


def begin(site: Site, player: Player) -> tuple[str, list[str]]:
    town = site.call("begin", idle=player.name, role="mafioso")
    return town["public_id"], town["others"]


def ends(page: Page, selector: str) -> tuple[float, float]:
    """Return where an element begins and ends, from the top of the window."""
    box = page.locator(selector).bounding_box()
    assert box
    return box["y"], box["y"] + box["height"]


def test_a_mafioso_lives_through_night_dawn_and_the_end(site: Site, new_player: MakePlayer) -> None:
    ann = new_player("Ann")
    name, others = begin(site, ann)
    page = ann.page
    page.emulate_media(reduced_motion="reduce")
    ann.go(f"/mafia/{name}/")

    # The card tells the role; a key closes it, and it does not come again.
    card = page.get_by_role("dialog", name="Your card")
    expect(card.get_by_role("heading")).to_have_text("Mafioso")
    expect(card).to_contain_text("Be as many as the town.")
    look(page, "night-card")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    ann.go(f"/mafia/{name}/")
    expect(page.locator(".role-card")).to_be_visible()
    expect(card).to_have_count(0)

    # The night takes the page in both themes.
    expect(page.locator("html")).to_have_attribute("data-stage", "night")
    for theme in ("dark", "light"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        assert page.evaluate(IS_DARK), theme
    expect(page.locator(".house.is-lit")).to_have_count(5)
    expect(page.locator(".thread.room-mafia")).to_be_visible()
    expect(ann.button(re.compile("^Post to the mafia"))).to_be_visible()

    # A guest is shown the way to a game like this.
    guest = new_player()
    guest.go(f"/mafia/{name}/")
    expect(guest.page.locator(".own-card, .role-card, .done-bar")).to_have_count(0)
    expect(guest.page.locator(".house.is-mine, .house.is-target")).to_have_count(0)
    link = guest.page.get_by_role("link", name="Play one like it: sign up")
    expect(link).to_have_attribute("href", re.compile("signup/.next=/mafia/"))

    # Nobody is done without a choice by accident.
    ann.press(re.compile("^Done for tonight"))
    question = page.get_by_role("dialog", name="Done: nobody chosen?")
    assert barriers(page) == []
    question.get_by_role("button", name="Choose").click()
    expect(ann.button(re.compile("^Done for tonight"))).to_be_visible()
    victim = others[0]
    ann.button(f"Choose: {victim}").click()
    expect(page.locator(".house.is-target")).to_have_count(1)
    ann.press(re.compile("^Done for tonight"))
    expect(page.locator(".done-bar")).to_contain_text("You are done.")
    expect(ann.button(re.compile("^Undo"))).to_be_visible()
    look(page, "night-night")

    # Dawn: an obituary, a light that is out, and the town's own room.
    site.call("run_out", public_id=name)
    expect(page.locator("html")).to_have_attribute("data-stage", "day")
    expect(page.locator(".sky")).to_be_hidden()
    expect(page.locator(".obituary")).to_contain_text(victim)
    expect(page.locator(".obituary .scene-killed")).to_be_visible()
    expect(page.locator(".house.is-lit")).to_have_count(4)
    expect(page.locator(".role-card")).not_to_have_attribute("open", "")
    page.get_by_role("button", name=re.compile("^The town")).click()
    expect(ann.button(re.compile("^Post to the town"))).to_be_visible()
    page.evaluate("() => { document.documentElement.dataset.theme = 'light'; }")
    assert not page.evaluate(IS_DARK)
    look(page, "night-dawn")

    # The end: it comes into sight, all cards are open, the vote that decided is quoted, the winners
    # are lit.
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    site.call("act", public_id=name, without=[ann.name, victim], choice=ann.name)
    ending = page.locator(".ending")
    expect(ending.locator("h2")).to_have_text("The town wins")
    expect(ending.locator("h2")).to_be_in_viewport()
    expect(ending).to_contain_text("You lost.")
    expect(ending.locator(".fate-card")).to_have_count(5)
    expect(ending.locator(".fate-card.is-winner")).to_have_count(4)
    expect(ending.locator(".fate-card", has_text="Mafioso")).to_contain_text("lynched on day 1")
    quote = ending.locator(".deciding blockquote")
    expect(quote).to_have_text(f"{others[3]} votes for {ann.name}.")
    look(page, "night-end")

    # The replay asks nothing of the player whose eyes it shows.
    page.evaluate("() => localStorage.clear()")
    page.goto(f"/mafia/{name}/replay/")
    expect(page.get_by_role("heading", name="Night 1")).to_be_visible()
    expect(page.locator(".town-card h2")).to_have_text(ann.name)
    expect(page.locator(".town-card p", has_text="Press")).to_have_count(0)
    expect(page.locator(".own-card")).to_have_count(0)


def test_a_phone_has_choices_first_and_dawn_lasts_a_second(site: Site, new_player: MakePlayer):
    ann = new_player("Ann", look=PHONE | MOVING)
    name, _ = begin(site, ann)
    page = ann.page
    ann.go(f"/mafia/{name}/")
    # Without a press the card goes after a while.
    expect(page.locator(".own-card")).to_be_visible()
    expect(page.locator(".own-card")).to_have_count(0)

    top, bottom = ends(page, ".citizens-box ul.citizens")
    assert top < 500
    assert bottom <= ends(page, ".role-card")[0]
    assert ends(page, ".done-bar")[1] <= 844

    page.evaluate(WATCH_SKY)
    site.call("run_out", public_id=name)
    expect(page.get_by_role("heading", name="Day 1")).to_be_visible()
    expect(page.locator(".sky")).to_have_count(0)
    assert page.evaluate("() => window.skies") == ["sky sky-day"]


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
