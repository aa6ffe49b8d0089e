"""A changed password keeps the own table open in the other tab; logging out ends it there."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import PASSWORD

pytestmark = pytest.mark.browser


def test_a_new_password_keeps_the_own_table_and_logging_out_ends_it(new_player: MakePlayer):
    ann = new_player("Ann")
    path = ann.open_table(seats=2)
    other = ann.new_tab("/accounts/password/change/")
    other.locator("[name=oldpassword]").fill(PASSWORD)
    for field in ("password1", "password2"):
        other.locator(f"[name={field}]").fill(f"not {PASSWORD}")
    with ann.page.expect_websocket():
        other.locator("main").get_by_role("button", name="Change password").click()
    expect(other.locator(".notice")).to_contain_text("Your password is changed")
    ann.expect_live()
    ann.sit_and(ready=False)

    other.goto("/")
    expect(other.get_by_role("link", name="Waiting for players")).to_be_visible()
    other.get_by_label(f"Account of {ann.name}").click()
    other.get_by_role("button", name="Log out").click()
    expect(other.get_by_role("link", name="Log in")).to_be_visible()
    expect(ann.page.locator(".link-badge")).to_have_text("disconnected")
    notice = ann.page.locator(".link-notice")
    expect(notice).to_contain_text("You are logged out")
    way = notice.get_by_role("link", name="Log in")
    expect(way).to_have_attribute("href", f"/accounts/login/?next={path}")
    expect(ann.page.locator(".play")).to_have_attribute("aria-disabled", "true")
