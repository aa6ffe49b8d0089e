"""Passkeys and log-ins of a person; the page of the reading API."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import DESKTOP, PASSWORD, Player
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser


def give_device(page: Page) -> None:
    """Give the browser a virtual authenticator whose user is always present."""
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True,
        "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
    }  # fmt: skip
    line.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def log_out(page: Page) -> None:
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name=re.compile("Log out")).click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()


def test_a_passkey_is_added_logs_in_alone_and_is_removed(site: Site, chromium: Browser):
    # At the site's host name: passkeys do not work with an IP address.
    url = site.url.replace("127.0.0.1", "localhost")
    player = Player(chromium.new_context(base_url=url, **DESKTOP), "Ann")
    player.sign_up()
    page, main = player.page, player.page.locator("main")
    log_out(page)
    page.goto("/accounts/login/")
    give_device(page)
    main.get_by_role("button", name="Log in with a passkey").click()
    expect(page.locator("[data-passkey-error]")).to_contain_text("No passkey was used.")
    player.log_in()
    expect(page.get_by_label(f"Account of {player.name}")).to_be_visible()
    page.goto("/accounts/2fa/")
    main.get_by_role("link", name="Add").click()
    main.locator("[name=password]").fill(PASSWORD)
    main.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Add a passkey")).to_be_visible()
    look_at(page, "passkey-add")
    main.get_by_label("What you call it").fill("This computer")
    main.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/accounts/2fa/webauthn/")
    expect(main).to_contain_text("Logs in without the password")
    look_at(page, "passkeys")

    log_out(page)
    page.goto("/accounts/login/")
    look_at(page, "log-in-with-a-passkey")
    main.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_label(f"Account of {player.name}")).to_be_visible()

    log_out(page)
    player.log_in()
    expect(page.get_by_role("heading", name="One more thing")).to_be_visible()
    look_at(page, "passkey-after-the-password")
    main.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_label(f"Account of {player.name}")).to_be_visible()

    page.goto("/accounts/2fa/webauthn/")
    # The log-in counts for some minutes; a page that asks again asks for the passkey.
    page.goto("/accounts/2fa/webauthn/reauthenticate/?next=/accounts/2fa/webauthn/")
    look_at(page, "passkey-once-more")
    main.get_by_role("button", name="Use a passkey").click()
    main.get_by_role("link", name="Remove").click()
    main.get_by_role("button", name="Remove").click()
    expect(main).to_contain_text("None yet")
    assert player.problems == []
    player.context.close()


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


def test_the_page_of_the_reading_api_sends_requests(new_player: MakePlayer):
    ann = new_player("Ann")
    page = ann.page
    page.goto("/api/")
    for name, given, wanted in (
        ("matches", {"limit": "2"}, '"items"'),
        ("player", {"name": ann.name}, f'"name": "{ann.name}"'),
        ("me", {}, '"points"'),
    ):
        entry = page.locator(f"#{name}")
        entry.locator("summary").click()
        for field, value in given.items():
            entry.locator(f"input[name={field}]").fill(value)
        if name == "matches":
            entry.locator("[name=status]").select_option("over")
        entry.get_by_role("button", name="Send").click()
        expect(entry.locator("[data-reading-body]")).to_contain_text(wanted)
    look_at(page, "reading-api-tried")
