import re
from collections.abc import Iterable
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from economy.units import MINUS
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, throw
from tests.e2e.inspection import barriers, clipped, take
from tests.e2e.player import (
    DESKTOP,
    LOCK_IN,
    MOVING,
    PHONE,
    READY,
    bet_until_the_round,
    play_to_the_end,
)
from tests.e2e.site import Site

pytestmark = pytest.mark.browser


def test_keys_pressed_at_once_lock_in_and_the_round_says_who_scored(new_player: MakePlayer):
    ann = new_player("Ann", look=DESKTOP | MOVING)
    page = ann.page
    ann.sit_with_bots(2, clock=60)
    ann.press(READY)
    bet_until_the_round(ann)
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
    ann.press("Play again")
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("game 2")
    assert ann.path != path

    path = ann.open_table(seats=2)
    site.command("void_match", path.split("/")[-2], "--reason", REASON)
    expect(gone).to_contain_text(f"This table has closed: {REASON}.")
    gone.get_by_role("link", name="To the tables").click()
    expect(ann.page.get_by_role("heading", name="Tables", exact=True)).to_be_visible()


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


def changed(before: dict[str, int], after: dict[str, int], names: list[str]) -> dict[str, int]:
    return {name: after[name] - before[name] for name in ["", *names]}


@pytest.mark.slow
def test_two_people_and_a_bot_play_for_points_and_go_on(site: Site, new_player: MakePlayer):
    ann, bob = new_player("Ann", look=DESKTOP | MOVING), new_player("Bob", look=PHONE)
    path = ann.open_table(seats=3, target=3, betting_clock=60, round_clock=60, largest_purse=60)
    bob.go(path)
    ann.sit_and(ready=False)
    bob.sit_and(ready=False)
    ann.press("Add a bot")
    bot = ann.page.locator(".seat", has=ann.page.locator(".bot-face")).locator(".name")
    names = [str(ann.name), str(bob.name), bot.inner_text()]
    before = site.call("held")
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
    between = site.call("held")
    assert changed(before, between, names) == change
    assert ann.balance() == between[names[0]]
    assert bob.balance() == between[names[1]]
    assert "0 violations" in site.command("audit_ledger", "--whole")
    assert clipped(bob.page) == []

    # The next game at the same table, without reloading the page.
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
    assert ann.path != path
    events = ann.log(ann.path)
    assert changed(between, site.call("held"), names) == told(events, purses, names)
    assert "0 violations" in site.command("audit_ledger", "--whole")


def card(page: Page, name: str) -> Locator:
    return page.locator(".good", has=page.get_by_role("heading", name=name, exact=True))


def words(page: Page) -> list[str]:
    lines = page.locator(".rows-money tbody th").all_inner_texts()
    return [" ".join(line.split()) for line in lines]


def amounts(page: Page) -> list[tuple[int, int]]:
    cells = page.locator(".rows-money tbody td.num").all_inner_texts()
    numbers = [int(cell.replace(MINUS, "-")) for cell in cells]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_every_step_of_a_bought_weapon_is_in_the_books(site: Site, new_player: MakePlayer):
    ann = new_player("Ann")
    page = ann.page
    page.goto("/")
    page.get_by_role("navigation", name="Main", exact=True).get_by_role("link", name="Shop").click()
    card(page, "Rocks").get_by_role("button", name="One more").click()
    expect(card(page, "Rocks").locator("[data-change]")).to_have_text("Balance 100 → 90 for 2")
    page.reload()
    card(page, "Rocks").get_by_role("button", name="One more").click()
    card(page, "Rocks").get_by_role("button", name="Buy").click()
    expect(page.locator(".notice-success")).to_contain_text("You bought 2")
    expect(page.locator("[data-balance]")).to_have_text("90")
    page.reload()
    page.go_back()
    page.go_forward()
    expect(page.locator("[data-balance]")).to_have_text("90")
    expect(card(page, "Rocks")).to_contain_text("You own 2")

    # Balance and bell move without a reload on every page.
    shop = ann.new_tab("/shop/")
    expect(shop.locator("[data-bell]")).to_be_hidden()
    limits = {"target": 3, "largest_purse": 30, "betting_clock": 60, "round_clock": 60}
    path = ann.open_table(seats=2, **limits)
    ann.sit_and(ready=False)
    ann.press("Add a bot")
    ann.press(READY)
    expect(page.locator(".centre .pot")).to_be_visible()
    expect(shop.locator("[data-balance]")).to_have_text("70")
    expect(card(shop, "Rocks").locator("[data-change]")).to_have_text("Balance 70 → 65 for 1")
    title = page.get_by_role("heading", level=1).inner_text()
    bet_until_the_round(ann)
    expect(shop.locator("[data-bell-count]")).to_have_text("1")
    expect(shop).to_have_title(re.compile(r"^\(1\) "))
    toast = shop.locator(".toast")
    expect(toast.get_by_role("link")).to_have_attribute("href", path)
    toast.get_by_label("Close").click()
    expect(toast).to_have_count(0)
    shop.get_by_label("1 thing waits for you").click()
    need = shop.locator("[data-bell-list] a")
    expect(need).to_contain_text("Choose your weapons")
    expect(need).to_have_attribute("href", path)
    page.bring_to_front()
    ann.press(re.compile("^Add Rock"))
    expect(ann.button(re.compile("^Add Rock"))).to_contain_text("1")
    books = ann.new_tab("/stock/")
    expect(books.locator(".held")).to_contain_text(re.compile(r"1 rock\s+at " + re.escape(title)))
    books.goto("/shop/")
    expect(books.get_by_text("The shop is closed while you sit in a running game.")).to_be_visible()
    expect(books.get_by_role("button", name=re.compile(r"^Buy \d+ rocks$"))).to_be_disabled()
    expect(books.get_by_role("link", name=f"Back to {title}")).to_have_attribute("href", path)
    books.goto("/wallet/")
    expect(books.locator(".held")).to_contain_text(title)
    # The browser draws only the tab in front, and a press waits for drawings.
    page.bring_to_front()
    play_to_the_end(ann)
    expect(shop.locator("[data-bell]")).to_be_hidden()
    expect(shop).not_to_have_title(re.compile(r"^\("))
    expect(shop.locator("[data-balance]")).to_have_text(str(ann.balance()))
    books.bring_to_front()

    books.goto("/wallet/")
    told, moved = words(books), amounts(books)
    inside = books.locator(".movements li")
    game = f"Game {title} {inside.count()} movements"
    assert told == [game, "Bought 2 rocks Shop", "Part of the starting grant Economy"]
    assert moved[1:] == [(-10, 90), (100, 100)]
    assert moved[0][1] == 90 + moved[0][0]
    books.locator(".movements summary").click()
    expect(inside.last).to_contain_text("Purse brought into a game")
    expect(inside.last).to_contain_text(f"{MINUS}20")
    expect(inside.last).to_contain_text("balance 70")
    expect(inside.first).to_contain_text(f"balance {moved[0][1]}")
    expect(books.locator("[data-balance]")).to_have_text(str(moved[0][1]))
    assert ann.balance() == moved[0][1]
    file = ann.context.request.get("/wallet/statement.csv")
    assert len(file.text().splitlines()) == inside.count() + len(told[1:]) + 1

    books.goto("/stock/")
    assert words(books) == [
        f"Rocks: brought into a game {title} used up",
        "Rocks: bought in the shop Shop",
    ]
    assert amounts(books) == [(-1, 1), (2, 2)]
    expect(books.locator(".held")).to_have_count(0)
    books.get_by_role("link", name=title).click()
    expect(books.get_by_role("heading", name=title)).to_be_visible()
    assert "0 violations" in site.command("audit_ledger", "--whole")
    books.set_viewport_size(PHONE["viewport"])
    for name in ("shop", "wallet", "stock", "economy"):
        books.goto(f"/{name}/")
        assert clipped(books) == []
        assert barriers(books) == []


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
    const words = `card ${box.width} wide: ${card.textContent}`;
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
            crowded = [each for each in page.evaluate(FAULTS, [0, 0]) if each.startswith("card")]
            found = [*page.evaluate(OUT_OF_REACH), *crowded, *clipped(page)]
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
