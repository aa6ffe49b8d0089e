"""A passkey of the browser is added, logs in alone, and is removed again."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.player import DESKTOP, PASSWORD, Player
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser


@pytest.fixture
def player(site: Site, chromium: Browser) -> Iterator[Player]:
    """A person at the site's host name: passkeys do not work with an IP address."""
    url = site.url.replace("127.0.0.1", "localhost")
    made = Player(chromium.new_context(base_url=url, **DESKTOP), "Ann")
    made.sign_up()
    yield made
    made.context.close()
    assert made.problems == []


def give_device(page: Page) -> None:
    """Give the browser a virtual authenticator whose user is always present."""
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    line.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def log_out(page: Page) -> None:
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name=re.compile("Log out")).click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()


def test_a_passkey_is_added_logs_in_alone_and_is_removed(player: Player):
    page, main = player.page, player.page.locator("main")
    give_device(page)
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
    page.goto("/accounts/login/")
    main.locator("[name=login]").fill(str(player.name))
    main.locator("[name=password]").fill(PASSWORD)
    main.get_by_role("button", name="Log in", exact=True).click()
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


def test_a_browser_without_a_passkey_says_so(player: Player):
    page = player.page
    log_out(page)
    page.goto("/accounts/login/")
    give_device(page)
    page.locator("main").get_by_role("button", name="Log in with a passkey").click()
    expect(page.locator("[data-passkey-error]")).to_contain_text("No passkey was used.")
