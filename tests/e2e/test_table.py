"""Showdown's board as a card client: the hand in the window, keys at once, wishes in advance."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import Pictures, barriers, clipped
from tests.e2e.player import DESKTOP, LOCK_IN, MOVING, READY, Player, bet_until_the_round

pytestmark = pytest.mark.browser

#: The windows in which a hand is never cut: two laptops, two phones.
WINDOWS: Final = ((1366, 650), (1280, 720), (390, 844), (320, 640))

#: The parts of the hand and its buttons that are not wholly in the window or are covered.
OUT_OF_REACH: Final = """() => {
  const box = (el) => el.getBoundingClientRect();
  const all = document.querySelectorAll(".tray .card, .tray .actions .btn, .tray .target");
  const isOut = (el) => box(el).top < 0 || box(el).bottom > innerHeight
    || box(el).left < 0 || box(el).right > innerWidth;
  const isCovered = (el) => {
    const { x, y, width, height } = box(el);
    return !el.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  return [...all].filter((el) => isOut(el) || isCovered(el)).map((el) => el.textContent.trim());
}"""

#: Parts of a card that lie on each other, and names wider than their card.
CROWDED: Final = """() => {
  const box = (el) => el.getBoundingClientRect();
  const meet = (a, b) => box(a).left < box(b).right && box(b).left < box(a).right
    && box(a).top < box(b).bottom && box(b).top < box(a).bottom;
  const isSeen = (el) => el?.checkVisibility();
  const isCrowded = (card) => {
    const name = card.querySelector("b");
    const parts = [card.querySelector(":scope > .icon"), name,
      ...card.querySelectorAll(".badge, .card-key")].filter(isSeen);
    const isWide = box(name).left < box(card).left || box(name).right > box(card).right;
    return isWide || parts.some((a, place) => parts.slice(place + 1).some((b) => meet(a, b)));
  };
  return [...document.querySelectorAll(".tray .card")].filter(isCrowded)
    .map((card) => `crowded: ${card.dataset.weapon}`);
}"""

#: The distance of the dock's foot from the window's, and the height of the heading's row.
FOOT: Final = """() => [
  innerHeight - document.querySelector(".dock").getBoundingClientRect().bottom,
  document.querySelector(".table-head").getBoundingClientRect().height]"""


def out_of_reach(page: Page, name: str, pictures: Pictures) -> list[str]:
    """Measure the hand in every window, where nobody has scrolled."""
    wrong = []
    assert page.evaluate("() => scrollY") == 0, "the game begins where the hand is"
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => scrollTo(0, 0)")
        pictures.take(page, f"{name}-{width}")
        found = [*page.evaluate(OUT_OF_REACH), *page.evaluate(CROWDED), *clipped(page)]
        foot, head = page.evaluate(FOOT)
        if not 0 <= foot <= 16:
            found.append(f"the dock ends {foot} above the foot")
        if head > 48:
            found.append(f"the heading is {head} high")
        wrong += [f"{name} {width}x{height}: {what}" for what in found]
    assert page.locator(".tray .card").count() == 9
    return wrong


def into_the_round(player: Player, bots: int) -> None:
    """Sit down with bots at a table that waits for a while, and bet until the first round."""
    player.sit_with_bots(bots, clock=60)
    player.press(READY)
    bet_until_the_round(player)
    expect(player.page.locator(".tray")).to_be_visible()


@pytest.mark.parametrize("bots", [1, 2, 3])
def test_the_hand_is_wholly_in_the_window_at_a_table(
    new_player: MakePlayer, pictures: Pictures, bots: int
):
    ann = new_player("Ann")
    into_the_round(ann, bots)
    wrong = out_of_reach(ann.page, f"hand-{bots + 1}", pictures)
    ann.page.set_viewport_size(DESKTOP["viewport"])
    ann.page.keyboard.press("m")
    expect(ann.page.locator(".combine-bar")).to_be_visible()
    wrong += out_of_reach(ann.page, f"hand-{bots + 1}-combine", pictures)
    assert wrong == []


@pytest.mark.parametrize("path", ["/practice/showdown/", "/learn/"], ids=["practice", "lesson"])
def test_the_hand_is_wholly_in_the_window_in_practice(
    new_player: MakePlayer, pictures: Pictures, path: str
):
    guest = new_player()
    guest.page.goto(path)
    bet_until_the_round(guest)
    expect(guest.page.locator(".tray")).to_be_visible()
    assert out_of_reach(guest.page, path.strip("/").replace("/", "-"), pictures) == []
    for nothing in ("watching", "Give up"):
        expect(guest.page.locator(".table-head")).not_to_contain_text(nothing)


def test_keys_pressed_at_once_lock_in_and_the_round_says_who_scored(new_player: MakePlayer):
    ann = new_player("Ann", look=DESKTOP | MOVING)
    into_the_round(ann, 2)
    page = ann.page
    for key in ("2", "1", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".reveal").or_(page.locator(".tray.is-locked")).first).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)
    reveal = page.locator(".reveal")
    expect(reveal).to_be_visible()
    expect(reveal.locator("h2")).to_have_text(re.compile(r"^Round 1: .*\+[12] VP"))
    expect(page.locator(".flight")).to_have_count(0)
    assert barriers(page) == []
    page.keyboard.press("j")
    expect(reveal).to_have_count(0)
    # The last weapons again, and a lock without a press.
    ann.press("Auto-lock")
    page.keyboard.press("s")
    expect(page.locator(".reveal h2")).to_have_text(re.compile("^Round 2: "))
    page.locator(".reveal").get_by_role("button", name="Continue").click()
    page.locator("button.round-result").click()
    expect(page.locator(".reveal .result-lines li")).not_to_have_count(0)


def test_a_wish_for_the_next_turn_is_done_when_the_turn_comes(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    path = ann.open_table(seats=2, target=3, betting_clock=60, round_clock=60)
    bob.go(path)
    ann.sit_and(ready=True)
    bob.sit_and(ready=True)
    call = re.compile("^(Call|Check)")
    for player in (ann, bob):
        expect(player.page.locator(".bet-call, .plans").first).to_be_visible()
    first, second = (ann, bob) if ann.button(call).count() else (bob, ann)
    wish = second.button(re.compile("^Next turn: Call any, up to"))
    wish.click()
    expect(wish).to_have_attribute("aria-pressed", "true")
    assert barriers(second.page) == []
    first.press(re.compile("^Raise"))
    for player in (first, second):
        expect(player.button(LOCK_IN)).to_be_visible()
