"""A new user buys weapons, carries one into a game, and finds every step in the books."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from economy.units import MINUS
from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import barriers, clipped
from tests.e2e.player import PHONE, READY, Player, bet_until_the_round, play_to_the_end
from tests.e2e.site import Site

pytestmark = pytest.mark.browser


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
