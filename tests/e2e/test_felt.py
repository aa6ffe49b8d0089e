"""The felt and the seats keep their place through all phases of a game."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import READY, bet_until_the_round, play_to_the_end

pytestmark = pytest.mark.browser

WINDOWS: Final = ((1366, 650), (1280, 800), (390, 844))
#: Where the felt and each face are on the page, in pixels.
PLACES: Final = """() => ["the felt", ...document.querySelectorAll(".seat")].map((seat) => {
  const box = (seat.querySelector?.(".disc") ?? document.querySelector(".felt-box"))
    .getBoundingClientRect();
  return [seat.dataset?.seat ?? seat, Math.round(box.left + scrollX),
    Math.round(box.top + scrollY), Math.round(box.width), Math.round(box.height)].join(" ");
})"""


def places(page: Page) -> list[list[str]]:
    """The places in each window; leaves the first one."""
    found = []
    for width, height in (*WINDOWS, WINDOWS[0]):
        page.set_viewport_size({"width": width, "height": height})
        found.append(page.evaluate(PLACES))
    return found


def expect_stable(page: Page, first: list[list[str]], phase: str) -> None:
    assert places(page) == first, phase


def test_the_felt_and_the_seats_stay_where_they_are_in_all_phases(new_player: MakePlayer):
    guest = new_player()
    page = guest.page
    page.goto("/practice/showdown/")
    expect(guest.button(re.compile("^(Call|Check)"))).to_be_visible()
    first = places(page)
    bet_until_the_round(guest)
    expect_stable(page, first, "round")
    page.keyboard.press("1")
    expect(page.locator(".seat-choice")).to_be_visible()
    expect_stable(page, first, "chosen")
    page.keyboard.press("m")
    expect(page.locator(".combine-bar")).to_be_visible()
    expect_stable(page, first, "combining")
    page.keyboard.press("Escape")
    play_to_the_end(guest)
    expect_stable(page, first, "result")


def test_the_felt_and_the_seats_stay_where_they_are_in_the_lesson(new_player: MakePlayer):
    guest = new_player()
    page = guest.page
    page.goto("/learn/")
    step = page.locator(".lesson h2")
    expect(step).to_have_text("1/6 Bet once")
    first = places(page)
    guest.press(re.compile("^Check"))
    expect(step).to_have_text("2/6 Throw in secret")
    expect_stable(page, first, "round")
    page.locator(".is-ringed").click()
    expect(page.locator(".is-ringed")).to_contain_text("Lock in")
    page.locator(".is-ringed").click()
    expect(step).to_have_text("3/6 Battles and victory points")
    expect_stable(page, first, "battle")


#: The own choices that lie on the round, the pot or the clock.
LYING: Final = """() => [...document.querySelectorAll(".seat-choice")].filter((choice) => {
  const one = choice.getBoundingClientRect();
  return [...document.querySelectorAll(".centre > *")].some((part) => {
    const two = part.getBoundingClientRect();
    return one.left < two.right && two.left < one.right
      && one.top < two.bottom && two.top < one.bottom;
  });
}).map((choice) => choice.textContent)"""


@pytest.mark.parametrize("bots", [2, 3])
def test_what_one_has_chosen_lies_beside_the_round(new_player: MakePlayer, bots: int):
    ann = new_player("Ann")
    ann.sit_with_bots(bots, clock=120)
    ann.press(READY)
    bet_until_the_round(ann)
    expect(ann.page.locator(".tray .card")).to_have_count(9)
    # Some bots may have folded; against a single opponent nobody is chosen.
    targets = ann.page.locator(".target").all()
    for place in range(max(len(targets), 1)):
        if targets:
            targets[place].click()
        ann.page.keyboard.press("2")
        expect(ann.page.locator(".seat-choice")).to_have_count(place + 1)
    for width, height in WINDOWS:
        ann.page.set_viewport_size({"width": width, "height": height})
        assert ann.page.evaluate(LYING) == [], (width, height)


def test_waiting_for_others_moves_no_seat(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    path = ann.open_table(seats=2, betting_clock=60, round_clock=60)
    bob.go(path)
    ann.sit_and(ready=True)
    bob.sit_and(ready=True)
    for player in (ann, bob):
        expect(player.page.locator(".dock .chip").first).to_be_visible()
    call = re.compile("^(Call|Check)")
    acting, waiting = (ann, bob) if ann.button(call).count() else (bob, ann)
    expect(waiting.page.locator(".waiting-dock")).to_be_visible()
    first = places(waiting.page)
    acting.press(call)
    expect(waiting.page.locator(".waiting-dock")).to_have_count(0)
    expect_stable(waiting.page, first, "own turn")
