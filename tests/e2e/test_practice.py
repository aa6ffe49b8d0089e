"""The first minute without an account: one click to a throw, a table, a lesson."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import throw_until_the_end
from tests.e2e.player import PASSWORD, PHONE, Player, bet_until_the_round, play_to_the_end
from tests.e2e.test_pages import look_at
from tests.platform.prepared import copy_all
from tests.platform.server import Server

pytestmark = pytest.mark.browser


def test_a_guest_throws_with_one_click_or_key_and_plays_again(new_player: MakePlayer):
    guest, other = new_player(), new_player(look=PHONE)
    page = guest.page
    page.goto("/")
    look_at(page, "practice-home")
    page.locator("[data-throw=rock]").click()
    expect(page.locator(".verdict")).to_contain_text(re.compile("Rock|Paper"))
    look_at(page, "practice-home-thrown")
    other.page.goto("/")
    other.page.locator("[data-throw=paper]").focus()
    other.page.keyboard.press("Enter")
    expect(other.page.locator(".verdict")).to_contain_text("Paper")
    expect(other.page.locator("[data-door]")).to_be_focused()
    for player in (guest, other):
        throw_until_the_end(player.page, ".door-ending")
    look_at(page, "practice-home-over")
    for player in (guest, other):
        player.page.get_by_role("button", name="Play again").click()
        heading = player.page.get_by_role("heading", name="Throw 1: choose your hand")
        expect(heading).to_be_visible()
        # A throw is no lesson: that is still on offer.
        assert "learned" not in {cookie["name"] for cookie in player.context.cookies()}
    page.goto("/practice/duel/")
    page.locator(".throw-card").first.click()
    expect(page.locator(".verdict")).to_contain_text("Rock")
    page.reload()
    expect(page.locator(".throws")).to_contain_text("Rock")


def test_a_guest_plays_showdown_against_bots_with_one_click(new_player: MakePlayer):
    guest = new_player()
    page = guest.page
    page.goto("/")
    page.get_by_role("link", name="Play now").click()
    expect(page.locator(".practice-strip")).to_contain_text("Practice chips")
    check = page.get_by_role("button", name=re.compile("^(Check|Call)")).first
    expect(check).to_be_enabled()
    look_at(page, "practice-table")
    bet_until_the_round(guest)
    expect(page.locator(".tray")).to_be_visible()
    look_at(page, "practice-round")


def test_three_clicks_lead_to_a_table_past_a_password_that_is_shown(new_player: MakePlayer):
    guest = new_player()
    page = guest.page
    page.goto("/duels/")
    page.locator("main").get_by_role("link", name="Sign up to duel").first.click()  # 1
    look_at(page, "practice-sign-up")
    guest.fill(username="Threeclicks", password1=PASSWORD)
    field = page.locator("[name=password1]")
    expect(page.locator("[type=password]")).to_have_count(1)
    show = page.get_by_role("button", name="Show the password")
    show.click()
    expect(field).to_have_attribute("type", "text")
    expect(show).to_have_attribute("aria-pressed", "true")
    show.click()
    expect(field).to_have_attribute("type", "password")
    page.locator("main").get_by_role("button", name="Sign up").click()  # 2
    expect(page.get_by_role("heading", name="Play for points")).to_be_visible()
    look_at(page, "practice-start")
    page.get_by_role("button", name="Find an opponent").click()  # 3
    expect(page.get_by_role("heading", name="Before the duel")).to_be_visible()


def test_the_lesson_has_six_steps_and_is_offered_once(new_player: MakePlayer):
    guest = new_player()
    page = guest.page
    page.goto("/")
    page.get_by_role("link", name="Learn it in six steps").click()
    step = page.locator(".lesson h2")
    expect(step).to_have_text("1/6 Bet once")
    look_at(page, "lesson-bet")
    guest.press(re.compile("^Check"))
    expect(step).to_have_text("2/6 Throw in secret")
    ringed = page.locator(".is-ringed")
    expect(ringed).to_contain_text("Rock")
    expect(ringed).to_be_in_viewport(ratio=0.99)
    guest.press(re.compile("^Combine"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("^Mine under")).click()
    guest.press("Plant it")
    expect(page.locator(".toast").last).to_contain_text("First: throw in secret")
    ringed.click()
    expect(ringed).to_contain_text("Lock in")
    ringed.click()
    expect(step).to_have_text("3/6 Battles and victory points")
    expect(page.locator(".lesson")).to_contain_text("Rock against Scissors: you win the battle")
    look_at(page, "lesson-battle")
    page.locator(".lesson").get_by_role("button", name="Continue").click()
    expect(step).to_have_text("4/6 Combine")
    page.locator(".lesson").get_by_role("button", name="Skip this step").click()
    expect(step).to_have_text("5/6 Your stash, and a mine")
    page.get_by_role("button", name=re.compile("^Mine under")).click()
    guest.press("Plant it")
    expect(step).to_have_text("6/6 Win the pot")
    leave = page.locator(".lesson").get_by_role("link", name="Leave the lesson")
    expect(leave).to_have_attribute("href", "/")
    play_to_the_end(guest)
    expect(page.locator(".lesson")).to_contain_text("That is a whole game.")
    page.goto("/")
    expect(page.get_by_role("link", name="Play now")).to_be_visible()
    expect(page.get_by_role("link", name="Learn it in six steps")).to_have_count(0)


def test_a_phone_finds_every_game_and_leaves_a_board_by_its_menu(new_player: MakePlayer):
    guest = new_player(look=PHONE)
    page = guest.page
    page.goto("/")
    games = page.get_by_role("region", name=re.compile("games, one purse$"))
    for word in ("Showdown", "Duel", "Arena", "Agoran Mafia", "Dynamite"):
        expect(games.get_by_role("link", name=re.compile(word)).first).to_be_visible()
    for path in ("/arena/", "/practice/showdown/"):
        page.goto(path)
        page.get_by_label("Menu", exact=True).click()
        page.get_by_role("link", name="Duels", exact=True).click()
        expect(page).to_have_url(re.compile("/duels/$"))
        expect(page.get_by_label("Menu", exact=True)).to_be_hidden()


@pytest.fixture
def quiet(tmp_path: Path, prepared: Path, chromium: Browser) -> Iterator[Player]:
    """A guest of a site at which nothing is on: other tests leave tables behind.

    Of its processes a page that only shows a recorded game needs the one for the web.
    """
    var = copy_all(prepared, tmp_path)
    with Server(var, "daphne", DJANGO_SETTINGS_MODULE="tests.faults.settings") as server:
        guest = Player(chromium.new_context(base_url=f"http://127.0.0.1:{server.port}"), None)
        yield guest
        guest.context.close()
    assert guest.problems == []


def test_a_recorded_game_moves_until_it_is_paused(quiet: Player):
    page = quiet.page
    page.emulate_media(reduced_motion="no-preference")
    page.goto("/")
    demo = page.locator("[data-demo]")
    demo.scroll_into_view_if_needed()
    words = demo.locator("[data-demo-words]")
    expect(words).not_to_be_empty()
    first = words.inner_text()
    expect(words).not_to_have_text(first)
    pause = demo.get_by_role("button", name="Pause")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
