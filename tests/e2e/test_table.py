"""Showdown's board as a card client, a table that is called off, games for points, the books."""

import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from economy.units import MINUS
from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import barriers, clipped
from tests.e2e.player import (
    DESKTOP,
    LOCK_IN,
    MOVING,
    PHONE,
    READY,
    Player,
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


def card(page: Page, name: str) -> Locator:
    return page.locator(".good", has=page.get_by_role("heading", name=name, exact=True))


def buy(player: Player, name: str, quantity: int) -> None:
    good = card(player.page, name)
    for _ in range(quantity - 1):
        good.get_by_role("button", name="One more").click()
    good.get_by_role("button", name="Buy").click()
    expect(player.page.locator(".notice-success")).to_contain_text(f"You bought {quantity}")


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
    buy(ann, "Rocks", 2)
    expect(page.locator("[data-balance]")).to_have_text("90")
    page.reload()
    page.go_back()
    page.go_forward()
    expect(page.locator("[data-balance]")).to_have_text("90")
    expect(card(page, "Rocks")).to_contain_text("You own 2")

    # Balance and bell move by themselves on every page.
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
    assert told == [game, "Bought 2 rocks Shop", "Starting grant Economy"]
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
