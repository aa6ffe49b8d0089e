"""Flights over the table, cards before words, and presses that do several things."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, throw
from tests.e2e.inspection import clipped
from tests.e2e.player import DESKTOP, MOVING, READY, bet_until_the_round
from tests.e2e.test_first_evening import PATIENT_REVEAL
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser

#: Everything that has flown: what it said, and whether it was a card.
FLIGHTS = """{
  window.flown = [];
  const see = (node) => node.classList?.contains("flight")
    && flown.push([node.textContent, node.classList.contains("mini")]);
  const watch = () => new MutationObserver(
    (all) => all.forEach((one) => one.addedNodes.forEach(see)),
  ).observe(document.body, { childList: true });
  addEventListener("DOMContentLoaded", watch);
}"""
#: Texts of the felt over which something of the reveal lies.
COVERED = """() => {
  const boxes = (names) => [...document.querySelectorAll(names)]
    .map((el) => [el.textContent, el.getBoundingClientRect()]);
  const over = boxes(".reveal .mini, .reveal .battle-mid, .reveal h2, .reveal .btn");
  const meets = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;
  const felt = boxes(".centre .pot, .seat .disc, .seat .name");
  return felt.filter(([, a]) => over.some(([, b]) => meets(a, b))).map(([text]) => text);
}"""


def test_one_press_makes_and_throws_and_the_round_is_shown_beside_the_pot(
    new_player: MakePlayer,
) -> None:
    ann, bob, guest = new_player("Ann", look=DESKTOP | MOVING), new_player("Bob"), new_player()
    for player in (ann, bob):
        player.page.add_init_script(PATIENT_REVEAL)
        player.page.add_init_script(FLIGHTS)
    page = ann.page
    path = ann.open_table(seats=3, target=7, betting_clock=120, round_clock=120)
    ann.sit_and(ready=False)
    bob.go(path)
    bob.sit_and(ready=False)
    ann.press("Add a bot")
    expect(bob.page.locator(".seat .bot-face")).to_have_count(1)
    bob.press(READY)
    guest.go(path)
    ann.press(READY)
    for _ in range(4):
        for player in (ann, bob):
            call = player.button(re.compile("^(Check|Call)"))
            lock, waits = player.page.locator(".tray"), player.page.locator(".waiting-dock")
            expect(call.or_(lock).or_(waits).first).to_be_visible()
            if call.count():
                call.click()
                expect(lock.or_(waits).first).to_be_visible()
    for player in (ann, bob):
        bet_until_the_round(player)
    antes = [["1", False]] * 3
    assert page.evaluate("flown")[:3] == antes
    assert bob.page.evaluate("flown") == [], "nothing moves for those who want none"

    page.locator(".target", has_text=str(bob.name)).click()
    page.locator("[data-weapon=sling]").click()
    expect(page.locator(".combine-bar")).to_be_visible()
    assert clipped(page) == []
    ann.press(f"Make and throw at {bob.name}")
    targets = page.locator(".target")
    expect(targets.filter(has_text="Sling")).to_have_count(1)
    ann.press(re.compile("^Sling at all"))
    expect(targets.filter(has_text="Sling")).to_have_count(2)
    expect(page.locator("[data-weapon=rock] .badge")).to_contain_text("8")
    bob.page.locator(".target", has_text=str(ann.name)).click()
    bob.page.locator("[data-weapon=scissors]").click()
    expect(bob.page.locator(".target-text", has_text="Scissors")).to_be_visible()
    ann.press(re.compile("^Lock in"))
    bob.press(re.compile("^Lock in"))
    bob.page.get_by_role("dialog").get_by_role("button", name="Lock in anyway").click()

    reveal, log = page.locator(".reveal"), page.get_by_role("log", name="What happened")
    expect(reveal.locator(".mini").first).to_be_visible()
    page.wait_for_function("() => flown.some(([, isCard]) => isCard)")
    assert "Scissors" in json.dumps(page.evaluate("flown.filter(([, isCard]) => isCard)"))
    # The bot may have thrown them as well.
    expect(page.locator("[data-weapon=scissors] .badge")).to_contain_text(re.compile("1[12]"))
    assert page.evaluate(COVERED) == []
    expect(log).not_to_contain_text("beats")
    look_at(page, "theatre-battle")
    page.keyboard.press("j")
    expect(reveal.locator("h2")).to_contain_text("VP")
    expect(reveal.locator(".mini").first).to_be_visible()
    expect(log).to_contain_text("beats")
    assert page.evaluate(COVERED) == []

    counted = page.locator(".target", has_text=str(bob.name)).locator(".known .sr")
    expect(counted).to_have_text(re.compile("and 9 Scissors"))
    row = guest.page.locator(".known-board li", has_text=str(bob.name)).locator(".sr").first
    expect(row).to_have_text(counted.inner_text())
    page.keyboard.press("j")
    expect(reveal).to_have_count(0)
    page.get_by_role("tab", name="Chat").click()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Lock in with bare hands?")).to_be_visible()


#: The cards of a throw turn until `lies()` is called.
HELD_CARDS = """{
  const real = window.setTimeout;
  window.setTimeout = (done, wait, ...rest) =>
    real(wait === 700 ? () => (window.lies = done) : done, wait, ...rest);
}"""


def test_a_duel_tells_nothing_before_its_cards_lie_and_its_stakes_fly(
    new_player: MakePlayer,
) -> None:
    ann, bob = new_player("Ann", look=DESKTOP | MOVING), new_player("Bob")
    page = ann.page
    for script in (HELD_CARDS, FLIGHTS):
        page.add_init_script(script)
    begin_duel(ann, bob, best_of=1, stake=20, rated=False)
    assert page.evaluate("flown") == [["20", False]] * 2
    log = page.get_by_role("log", name="What happened")
    throw(ann, "rock")
    throw(bob, "scissors")
    expect(page.locator(".is-turning")).to_have_count(2)
    expect(page.get_by_text("The last hands…")).to_be_visible()
    page.wait_for_function("() => window.lies")
    expect(page.locator(".duelist.is-winner")).to_have_count(0)
    expect(page.locator(".ending")).to_have_count(0)
    expect(log).not_to_contain_text("scissors")
    assert page.evaluate("flown.length") == 2
    page.evaluate("lies()")
    expect(page.locator(".duelist.is-winner")).to_contain_text("Winner")
    expect(page.locator(".ending h2")).to_contain_text("You win")
    expect(log).to_contain_text("scissors")
    assert page.evaluate("flown.slice(2)") == [["+38", False]]
    expect(page.locator(".flight")).to_have_count(0)
    look_at(page, "theatre-duel")
