"""The second evening of somebody with a friend: come back, continue, play, look around."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, expect_end, play_throw
from tests.e2e.player import PHONE, Player, play_to_the_end
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def first_evening(ann: Player, bob: Player) -> None:
    begin_duel(ann, bob, best_of=1, rated=True)
    play_throw(1, (ann, "rock"), (bob, "scissors"))
    expect_end("You win", ann)
    ann.page.goto(f"/@{bob.name}/")
    ann.page.get_by_label(f"More about {bob.name}").click()
    ann.page.get_by_role("button", name="Follow", exact=True).click()
    expect(ann.page.get_by_text(f"You follow {bob.name}.")).to_be_visible()


def come_back(ann: Player, chromium: Browser, site: Site) -> Player:
    again = Player(chromium.new_context(base_url=site.url, **PHONE), None)
    again.name = ann.name
    again.log_in()
    expect(again.page.get_by_role("heading", name=re.compile(str(ann.name)))).to_be_visible()
    return again


def play_daily(player: Player) -> None:
    page = player.page
    over = page.locator(".ending")
    step = page.get_by_role("button", name=re.compile("^(Check|Call|Lock in)")).first
    while not over.count():
        expect(step.or_(over).first).to_be_visible()
        for key in ("Escape", "c", "1", "2", "Enter"):
            page.keyboard.press(key)
        anyway = page.get_by_role("dialog").get_by_role("button", name=re.compile("anyway|Call"))
        # The dialog may close between the question and the click.
        anyway.evaluate_all("buttons => buttons[0]?.click()")


def challenge_friend(ann: Player, bob: Player) -> None:
    """Challenge a followed player, who accepts; lose all three throws with the same hand."""
    page = ann.page
    page.goto("/people/")
    following = page.get_by_role("region", name="Following")
    following.get_by_role("link", name=f"Challenge {bob.name}").click()
    page.locator("[name=best_of]").fill("5")
    page.get_by_role("button", name="Create the duel").click()
    ann.expect_live()
    bob.go(ann.path)
    bob.press("Accept")
    for number in (1, 2, 3):
        play_throw(number, (ann, "rock"), (bob, "paper"))
    expect_end(f"{bob.name} wins", ann)


def test_second_evening_of_two(new_player: MakePlayer, chromium: Browser, site: Site) -> None:
    first, bob = new_player("Ann"), new_player("Bob")
    first_evening(first, bob)
    table = first.open_table(seats=2)
    first.sit_and(ready=False)
    ann = come_back(first, chromium, site)
    page = ann.page

    greeting = page.locator(".greeting")
    expect(greeting).to_contain_text(re.compile(r"Duel 16\d\d"))
    expect(greeting).to_contain_text("100")
    going_on = page.get_by_role("region", name="Continue")
    expect(going_on.get_by_role("link")).to_have_attribute("href", table)
    look_at(page, "second-evening-lobby")

    going_on.get_by_role("link").click()
    ann.expect_live()
    bob.go(table)
    bob.sit_and(ready=True)
    ann.sit_and(ready=True)
    play_to_the_end(ann, bob)

    page.goto("/")
    expect(page.get_by_role("region", name="Continue")).to_have_count(0)
    page.get_by_role("link", name="Daily table").click()
    page.get_by_role("button", name="Play today's table").click()
    ann.expect_live()
    page.reload()
    ann.expect_live()
    play_daily(ann)
    page.get_by_role("link", name="See your result").first.click()
    expect(page.locator("[data-shared]")).to_have_value(re.compile(r"chips [■◧□]*\nPlace \d+ of"))
    expect(page.locator(".top .streak")).to_contain_text("1")
    look_at(page, "daily-result")
    page.get_by_role("link", name="Look at the table").click()
    expect(page.locator(".ending")).to_be_visible()
    expect(page.get_by_role("button", name="Play again")).to_have_count(0)

    challenge_friend(ann, bob)
    habits = page.get_by_role("region", name="Your habits")
    expect(habits).to_contain_text("After a loss you threw Rock twice.")
    expect(habits).to_contain_text(f"{bob.name} beat it twice.")
    look_at(page, "second-evening-habits")

    page.goto(f"/@{ann.name}/")
    expect(page.locator(".record").first).to_be_visible()
    rows = page.get_by_role("region", name="Finished games").locator("tbody tr")
    expect(rows.first.get_by_role("link").first).to_have_attribute("href", re.compile("^/"))
    look_at(page, "second-evening-profile")
    page.goto(f"/@{bob.name}/?game=duel")
    expect(page.locator(".together")).to_contain_text("You won 1")
    assert ann.problems == []
    ann.context.close()
