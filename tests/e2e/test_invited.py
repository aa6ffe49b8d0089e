"""A guest who is invited, or finds a free seat: a name, a password, and the seat is taken."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import create_duel
from tests.e2e.player import PASSWORD, PHONE, READY, Player
from tests.e2e.test_pages import look_at
from tests.e2e.towns import open_town

pytestmark = pytest.mark.browser

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
