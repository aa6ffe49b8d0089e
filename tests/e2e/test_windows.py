"""The tables in every window: laptops and tablets, their zoom, phones that lie on a side.

In four of them the hand is never cut nor covered, and the dock stands at the foot.
"""

import re
from collections.abc import Iterable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, throw
from tests.e2e.inspection import clipped, take
from tests.e2e.player import DESKTOP, READY, bet_until_the_round

pytestmark = pytest.mark.browser

#: Widths at which the log may stand beside the felt or below it.
BESIDE: Final = ((1000, 768), (1100, 700), (1180, 820), (1240, 720), (1250, 720), (1366, 560))
#: Phones and tablets on a side and upright.
HELD: Final = ((844, 390), (667, 375), (1024, 768), (820, 1180), (390, 844))
#: Two laptops at 100, 125, 150 and 200 %, and one with a low window at 150 %.
ZOOMED: Final = (
    *((1280, 800), (1024, 640), (853, 533), (640, 400)),
    *((1366, 768), (1093, 614), (911, 512), (683, 384), (911, 433)),
)
TABLE_WINDOWS: Final = (*BESIDE, *HELD, *ZOOMED)
#: Two laptops, two phones.
HAND_WINDOWS: Final = ((1366, 650), (1280, 720), (390, 844), (320, 640))

#: The least width of a card and the least height of a felt.
CARD, FELT = 57, 150

#: What lies on something else, is cut, is too small or cannot be reached without scrolling.
FAULTS: Final = """([leastCard, leastFelt]) => {
  const all = (query) => [...document.querySelectorAll(query)].filter((el) => el.checkVisibility());
  const boxOf = (el) => el.getBoundingClientRect();
  const isForEars = (el) => el.closest(".sr") || getComputedStyle(el).clipPath !== "none";
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const WHOLE = "h1, svg, .btn, .disc, .name, .ring, .points, .hand-card, .hand-slot";
  // The boxes of what is drawn: words as wide as they are, not as their row.
  const inkOf = (el) => {
    if (isForEars(el) || !el.checkVisibility()) return [];
    if (el.matches(WHOLE)) return [boxOf(el)];
    return [...el.childNodes].flatMap((node) => {
      if (node.nodeType === Node.ELEMENT_NODE) return inkOf(node);
      const range = document.createRange();
      range.selectNodeContents(node);
      return node.textContent.trim() ? [range.getBoundingClientRect()] : [];
    });
  };
  const named = (query) => all(query)
    .map((el) => [`${el.className} "${el.textContent.trim().slice(0, 20)}"`, inkOf(el)]);
  const seats = named(".seat, .duelist");
  const parts = [...seats, ...named(`.centre > *, .duel-middle > :not(.hands), .hands > .between,
    .throw-hand, .table-head h1, .table-head .cluster > *`)];
  const wrong = [];
  parts.forEach(([name, ink], place) => {
    for (const [other, its] of parts.slice(place + 1)) {
      if (ink.some((a) => its.some((b) => meet(a, b)))) wrong.push(`${name} lies on ${other}`);
    }
  });
  const felt = boxOf(document.querySelector(".felt-box, .duel-box"));
  const isOutside = (box) => box.left < felt.left - 1 || box.right > felt.right + 1
    || box.top < felt.top - 1 || box.bottom > felt.bottom + 1;
  for (const [name, ink] of seats) if (ink.some(isOutside)) wrong.push(`${name} leaves the felt`);
  if (felt.height < leastFelt) wrong.push(`the felt is ${felt.height} high`);
  if (boxOf(document.querySelector(".table-head h1")).width < 80) wrong.push("no title");
  for (const card of all(".tray .card, .throw-card")) {
    const box = boxOf(card);
    const [name, ...others] = [card.querySelector("b"), ...card.querySelectorAll(
      ":scope > .icon, .badge, .card-key")]
      .filter((el) => el.checkVisibility()).map(inkOf).map((ink) => ink.flat());
    const isCut = name.some((ink) => ink.left < box.left || ink.right > box.right);
    const isOn = name.some((ink) => others.flat().some((other) => meet(ink, other)));
    const words = `${box.width} wide: ${card.textContent}`;
    if (box.width < leastCard || isCut || isOn) wrong.push(words);
  }
  for (const el of all(".tray .card, .throw-card, .dock:not(.ending) .actions .btn, .target")) {
    const box = boxOf(el);
    if (box.top < 0 || box.bottom > innerHeight) wrong.push(`out of reach: ${el.textContent}`);
  }
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) wrong.push(`the page is ${width} wide`);
  return wrong;
}"""


#: What of the hand is cut or covered, and whether dock and heading are where they should be.
OUT_OF_REACH: Final = """() => {
  const box = (el) => el.getBoundingClientRect();
  const isOut = (el) => box(el).top < 0 || box(el).bottom > innerHeight
    || box(el).left < 0 || box(el).right > innerWidth;
  const isCovered = (el) => {
    const { x, y, width, height } = box(el);
    return !el.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  const wrong = [...document.querySelectorAll(".tray .card, .tray .actions .btn, .tray .target")]
    .filter((el) => isOut(el) || isCovered(el)).map((el) => `out of reach: ${el.textContent}`);
  const foot = innerHeight - box(document.querySelector(".dock")).bottom;
  const head = box(document.querySelector(".table-head")).height;
  if (foot < 0 || foot > 16) wrong.push(`the dock ends ${foot} above the foot`);
  if (head > 48) wrong.push(`the heading is ${head} high`);
  return wrong;
}"""


def expect_whole(page: Page, name: str, windows: Iterable[tuple[int, int]] = TABLE_WINDOWS) -> None:
    """Look at a board in each of the windows, where nobody has scrolled; leave the first one."""
    for width, height in windows:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => scrollTo(0, 0)")
        take(page, f"{name}-{width}x{height}")
        found = [*page.evaluate(FAULTS, [CARD, FELT]), *clipped(page)]
        if windows is HAND_WINDOWS:
            found += page.evaluate(OUT_OF_REACH)
        assert found == [], (name, width, height)
    page.set_viewport_size(DESKTOP["viewport"])


def expect_hand_whole(page: Page, name: str) -> None:
    """Look at the whole hand, at which the game begins."""
    expect(page.locator(".tray .card")).to_have_count(9)
    assert page.evaluate("() => scrollY") == 0
    expect_whole(page, name, HAND_WINDOWS)


@pytest.mark.parametrize("bots", [1, 2, 3])
def test_a_table_is_whole_in_every_window(new_player: MakePlayer, bots: int):
    ann = new_player("Ann")
    ann.sit_with_bots(bots, clock=120)
    ann.press(READY)
    expect(ann.button(re.compile("^(Call|Check)"))).to_be_visible()
    expect_whole(ann.page, f"windows-betting-{bots + 1}")
    bet_until_the_round(ann)
    expect_hand_whole(ann.page, f"hand-{bots + 1}")
    ann.page.keyboard.press("1")
    expect(ann.page.locator(".seat-choice")).to_be_visible()
    expect_whole(ann.page, f"windows-round-{bots + 1}")
    ann.page.keyboard.press("m")
    expect(ann.page.locator(".combine-bar")).to_be_visible()
    expect_hand_whole(ann.page, f"hand-{bots + 1}-combine")


@pytest.mark.parametrize("path", ["/practice/showdown/", "/learn/"], ids=["practice", "lesson"])
def test_the_hand_is_wholly_in_the_window_in_practice(new_player: MakePlayer, path: str):
    guest = new_player()
    guest.page.goto(path)
    bet_until_the_round(guest)
    expect_hand_whole(guest.page, path.split("/")[1])
    for nothing in ("watching", "Give up"):
        expect(guest.page.locator(".table-head")).not_to_contain_text(nothing)


def test_a_duel_is_whole_in_every_window(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    begin_duel(ann, bob, best_of=5, stake=10, clock_seconds=300)
    expect_whole(ann.page, "windows-duel")
    throw(ann, "scissors")
    expect(ann.page.locator(".is-own .is-down")).to_be_visible()
    expect_whole(ann.page, "windows-duel-thrown")
