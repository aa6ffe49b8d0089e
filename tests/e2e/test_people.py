"""People to each other: pictures, quick phrases, the menu of a name, a block and its way back."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import PHONE, Player
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser


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
