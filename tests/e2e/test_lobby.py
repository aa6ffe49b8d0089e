"""The lobby of a member, people to each other, and guests who are invited or find a seat."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import create_duel
from tests.e2e.player import PASSWORD, PHONE, READY, Player
from tests.e2e.test_pages import look_at
from tests.e2e.towns import open_town

pytestmark = pytest.mark.browser


def test_one_list_has_all_open_seats_and_a_switch_turns_to_bots(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    bob.page.goto("/")
    opened = bob.page.get_by_role("region", name="Open now")
    expect(bob.page.locator("[data-lobby-state]")).to_have_text("live")
    table = ann.open_table(seats=3)
    row = opened.locator("tr", has=bob.page.locator(f"a[href='{table}']"))
    expect(row).to_contain_text("first to")
    look_at(bob.page, "lobby-open")
    row.get_by_role("link", name=re.compile("^Join")).click()
    bob.expect_live()
    ann.page.goto("/")
    going_on = ann.page.get_by_role("region", name="Continue")
    expect(going_on.get_by_role("link")).to_have_attribute("href", table)
    look_at(ann.page, "lobby-member")
    # A switch turns the games to bots.
    modes = ann.page.get_by_role("region", name="Play")
    expect(modes.get_by_role("button", name=re.compile("^Duel a bot"))).to_be_hidden()
    modes.get_by_label("Against bots").check()
    modes.get_by_role("button", name=re.compile("^Duel a bot")).click()
    ann.expect_live()
    expect(ann.page.get_by_role("heading", name="Throw 1: choose your hand")).to_be_visible()


def test_a_challenge_stands_on_top_of_the_lobby_until_it_is_answered(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    bob.page.goto("/")
    asked = bob.page.get_by_role("region", name="Challenges")
    expect(bob.page.locator("[data-lobby-state]")).to_have_text("live")
    expect(asked).to_have_count(0)
    form = f"/duels/new/?opponent={bob.name}"
    ann.open(form, "Create the duel", best_of=3, stake=20)
    ann.page.goto("/")
    own = ann.page.get_by_role("region", name="Challenges")
    expect(own).to_contain_text(f"You challenge {bob.name}")
    # The row appears and leaves without a reload.
    expect(asked).to_contain_text(f"{ann.name} challenges you")
    expect(asked).to_contain_text("Best of 3, 20 points")
    look_at(bob.page, "lobby-challenged")
    own.get_by_role("button", name="Cancel").click()
    expect(own).to_have_count(0)
    expect(asked).to_have_count(0)
    ann.open(form, "Create the duel")
    asked.get_by_role("button", name=re.compile("^Accept")).click()
    bob.expect_live()
    for player in (ann, bob):
        expect(player.page.get_by_role("heading", name=re.compile("^Throw 1"))).to_be_visible()


def quick_seat(player: Player, ante: int) -> None:
    player.page.goto("/")
    tile = f".mode-stakes button.on-people[value='{ante}']"
    player.page.get_by_role("region", name="Play").locator(tile).click()
    player.expect_live()
    expect(player.button(READY)).to_be_visible()


def test_the_tile_seats_people_together_and_a_bot_with_who_stays_alone(new_player: MakePlayer):
    ann, bob, cyd = new_player("Ann"), new_player("Bob", look=PHONE), new_player("Cyd")
    cyd.page.goto("/tables/")
    look_at(cyd.page, "tables-empty")
    quick_seat(cyd, 20)
    quick_seat(ann, 5)
    expect(ann.page.get_by_text("A bot comes in")).to_be_visible()
    look_at(ann.page, "quick-seat")
    quick_seat(bob, 5)
    assert bob.path == ann.path
    expect(ann.page.get_by_text("A bot comes in")).to_have_count(0)
    # Cyd has pressed nothing more.
    expect(cyd.page.locator(".seat use[href$='#robot']")).to_have_count(1)
    for player in (ann, bob):
        player.press(READY)
    for player in (ann, bob):
        expect(player.page.locator(".centre .pot")).to_be_visible()


def choose_picture(player: Player, name: str) -> None:
    player.page.goto("/settings/avatar/")
    player.page.get_by_text(name, exact=True).click()
    player.page.get_by_role("button", name="Save").click()
    expect(player.page.locator(f".profile-head use[href$='#{name.lower()}']")).to_be_visible()


def test_a_blocked_player_is_not_heard_until_the_block_is_undone(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    choose_picture(bob, "Stapler")
    ann.open_table(seats=2)
    bob.go(ann.path)
    bob.page.get_by_role("button", name=re.compile("^Sit here with")).click()
    expect(ann.page.locator(".disc use[href$='#stapler']")).to_be_visible()
    bob.page.get_by_role("button", name="Good luck").click()
    ann.page.get_by_role("tab", name=re.compile("^Chat")).click()
    said = ann.page.get_by_role("log", name="Chat")
    expect(said).to_contain_text("Good luck")
    said.get_by_role("button", name=re.compile(str(bob.name))).click()
    menu = ann.page.get_by_role("dialog", name=str(bob.name))
    expect(menu.get_by_role("link", name="Report")).to_have_attribute("href", re.compile("no=1"))
    look_at(ann.page, "people-menu")
    menu.get_by_role("button", name="Block").click()
    expect(menu.get_by_role("status")).to_have_text(f"{bob.name} is blocked.")
    menu.get_by_role("button", name="Close").click()
    expect(said).not_to_contain_text("Good luck")
    bob.page.get_by_role("button", name="Oops").click()
    expect(bob.page.get_by_role("log", name="Chat")).to_contain_text("Oops")
    ann.page.get_by_role("button", name="Good luck").click()
    expect(said).to_have_text(re.compile(f"{ann.name}.*Good luck$"))
    ann.page.goto("/people/")
    look_at(ann.page, "people")
    ann.page.get_by_role("button", name=f"Unblock {bob.name}").click()
    expect(ann.page.get_by_role("heading", name="Blocked")).to_have_count(0)
    ann.go(bob.path)
    ann.page.get_by_role("tab", name=re.compile("^Chat")).click()
    expect(said).to_contain_text("Oops")


SIT = re.compile(r"^Sign up and sit \(100 free points\)$")


def sign_up_here(player: Player, name: str) -> None:
    player.fill(username=name, password1=PASSWORD)
    player.page.locator("main").get_by_role("button", name="Sign up").click()


def expect_seated(player: Player, path: str) -> None:
    """The person is back at the table, on a seat, with the purse to be chosen."""
    player.page.wait_for_url(f"**{path}")
    player.expect_live()
    expect(player.page.locator(".seats .name", has_text="You")).to_be_visible()
    expect(player.page.get_by_label("Purse").first).to_be_visible()
    expect(player.button(READY)).to_be_enabled()


def test_a_guest_at_an_open_or_a_private_table_signs_up_and_sits(new_player: MakePlayer):
    ann, guest, stranger = new_player("Ann"), new_player(look=PHONE), new_player(look=PHONE)
    path = ann.open_table(seats=3)
    guest.go(path)
    expect(guest.page.locator("#board").get_by_role("link", name=SIT)).to_be_visible()
    look_at(guest.page, "guest-at-table")
    guest.page.locator(".seats").get_by_role("link", name="Free seat").first.click()
    sign_up_here(guest, "Newcomer")
    expect_seated(guest, path)
    # The press counts once: who stands up and looks again stays a spectator.
    guest.press("Stand up")
    expect(guest.button(re.compile("^Sit down with"))).to_be_visible()
    guest.page.reload()
    guest.expect_live()
    expect(guest.button(re.compile("^Sit down with"))).to_be_visible()

    path = ann.open_table(listed=False, spectators=False)
    page = stranger.page
    page.goto(path)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(f"{ann.name} invites you to Showdown")
    look_at(page, "invitation")
    page.get_by_role("link", name=SIT).click()
    sign_up_here(stranger, "Stranger")
    expect_seated(stranger, path)


def test_a_guest_at_another_game_signs_up_and_sits_but_is_not_ready(new_player: MakePlayer):
    ann = new_player("Ann")
    for name, path, seat in (
        ("duel", create_duel(ann), ".duelist"),
        ("town", open_town(ann, "agora"), ".citizens"),
    ):
        guest = new_player(look=PHONE)
        guest.go(path)
        free = guest.page.locator(seat).get_by_role("link", name="Free seat")
        expect(free.first).to_be_visible()
        look_at(guest.page, f"guest-at-{name}")
        guest.page.locator("#board").get_by_role("link", name=SIT).click()
        sign_up_here(guest, f"Guest_{name}")
        guest.page.wait_for_url(f"**{path}")
        guest.expect_live()
        expect(guest.button("Stand up")).to_be_visible()
        expect(guest.button("Ready")).to_be_enabled()
    guest = new_player(look=PHONE)
    guest.go("/arena/")
    guest.page.locator("#board").get_by_role("link", name=re.compile("^Sign up and enter")).click()
    sign_up_here(guest, "Gladiator")
    guest.page.wait_for_url("**/arena/")
    guest.expect_live()
    expect(guest.button("Leave")).to_be_visible()
