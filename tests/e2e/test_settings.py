import json
import re
from contextlib import nullcontext

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.accounts.push_service import PushBrowser
from tests.e2e.conftest import MakePlayer
from tests.e2e.player import DESKTOP, PASSWORD, PHONE, READY, Player
from tests.e2e.site import Site
from tests.e2e.test_pages import PARTS, look_at, look_at_all, named
from tests.forms import some

pytestmark = pytest.mark.browser

PAGES = named("""
    /settings/ /settings/avatar/ /people/ /accounts/away/ /settings/notifications/ /accounts/mail/
    /accounts/email/ /accounts/password/change/ /accounts/2fa/ /accounts/2fa/totp/activate/
    /accounts/sessions/ /accounts/tokens/ /settings/privacy/ /settings/data/ /settings/delete/
""")
#: A browser that can be asked: no push service can be reached from here.
ASKABLE = """(keys) => {
  window.asked = 0;
  window.Notification = { permission: "default", requestPermission: async () => {
    window.asked += 1;
    return Notification.permission = "granted";
  } };
  const subscription = {
    endpoint: "https://push.example.net/" + keys.auth,
    toJSON: () => ({ endpoint: subscription.endpoint, keys }),
    unsubscribe: async () => delete localStorage.subscribed,
  };
  PushManager.prototype.subscribe = async (options) => {
    window.subscribedWith = options;
    localStorage.subscribed = "yes";
    return subscription;
  };
  const found = async () => (localStorage.subscribed ? subscription : null);
  PushManager.prototype.getSubscription = found;
}"""


WORKER: dict[str, object] = {"service_workers": "allow"}


@pytest.mark.slow
def test_the_settings_pages(new_player: MakePlayer):
    ann = new_player("Ann")
    ann.page.goto("/settings/data/")
    ann.fill(password=PASSWORD)
    ann.page.get_by_role("button", name="Confirm").click()
    expect(ann.page.get_by_role("heading", name="Your data")).to_be_visible()
    look_at_all(ann, "own", some(PAGES, PARTS))


def test_sound_is_kept_in_the_browser_or_with_the_account(new_player: MakePlayer):
    guest, ann = new_player(), new_player("Ann", look=PHONE)
    for player in (guest, ann):
        page = player.page
        page.goto("/settings/")
        expect(page.get_by_role("checkbox", name="Sounds")).not_to_be_checked()
        page.get_by_text("Sounds", exact=True).click()
        expect(page.get_by_text("Saved.")).to_be_visible()
        # A member's is sent to the site.
        board = re.compile("/settings/board/")
        with page.expect_response(board) if player is ann else nullcontext():
            page.get_by_label("Volume").fill("20")
        page.reload()
        expect(page.get_by_role("checkbox", name="Sounds")).to_be_checked()
        expect(page.get_by_label("Volume")).to_have_value("20")
    expect(guest.page.get_by_role("button", name="Save")).to_have_count(0)
    expect(guest.page.get_by_role("navigation", name="Settings")).to_have_count(0)
    ann.open_table(seats=2)
    with page.expect_response(re.compile("/settings/board/")):
        page.get_by_role("button", name="Sound", exact=True).click()
    page.goto("/settings/")
    expect(page.get_by_role("checkbox", name="Sounds")).not_to_be_checked()
    # On a phone the first page is the list, and the others lead back.
    rail = page.get_by_role("navigation", name="Settings")
    rail.get_by_role("link", name="Tokens").click()
    expect(page.get_by_role("heading", name="Tokens", exact=True)).to_be_visible()
    expect(rail).to_be_hidden()
    page.get_by_role("main").get_by_role("link", name="Settings").click()
    expect(rail).to_be_visible()


def test_notifications_are_offered_once_after_a_game_below_the_board(new_player: MakePlayer):
    ann = new_player("Ann", look=DESKTOP | WORKER)
    bob = new_player("Bob", look=PHONE | WORKER)
    for player in (ann, bob):
        player.context.add_init_script(f"({ASKABLE})({json.dumps(PushBrowser().keys)})")
        player.page.goto("/")
        player.sit_with_bots(1, 120)
        offer = player.page.get_by_role("complementary", name="Notifications")
        expect(offer).to_have_count(0)
        player.press(READY)
        player.press("Give up")
        player.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
        expect(player.page.locator(".ending")).to_be_visible()
        assert offer.evaluate("offer => getComputedStyle(offer).position") == "static"
        offer = player.page.get_by_role("complementary", name="Notifications")
        expect(offer).to_be_visible()
        assert player.page.evaluate("asked") == 0, "the browser asks after a press only"
        look_at(player.page, f"push-offer-{player.name and player.name[:3]}")
    offer = ann.page.get_by_role("complementary", name="Notifications")
    offer.get_by_role("button", name="Turn on").click()
    expect(offer).to_contain_text("Notifications are on.")
    assert ann.page.evaluate("asked") == 1
    key = "subscribedWith.userVisibleOnly && subscribedWith.applicationServerKey.length"
    assert ann.page.evaluate(key) == 87
    with bob.page.expect_response(re.compile("/settings/notifications/browser/")):
        bob.page.get_by_role("button", name="No thanks").click()
    assert bob.page.evaluate("asked") == 0
    for player in (ann, bob):
        with player.page.expect_response(re.compile("/settings/notifications/browser/")):
            player.page.reload()
        expect(player.page.get_by_role("complementary", name="Notifications")).to_have_count(0)
        assert player.page.evaluate("asked") == 0
    bob.page.goto("/settings/notifications/")
    bob.page.get_by_role("button", name="Turn on").click()
    expect(bob.page.get_by_text("On.", exact=True)).to_be_visible()
    bob.page.get_by_role("button", name="Turn off").click()
    expect(bob.page.get_by_text("Off.", exact=True)).to_be_visible()


def test_without_a_network_there_is_a_page_and_no_page_of_the_site_is_kept(new_player: MakePlayer):
    ann = new_player("Ann", look=DESKTOP | WORKER)
    page = ann.page
    page.goto("/wallet/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.goto("/settings/")
    ann.is_outage_expected = True
    ann.context.set_offline(True)
    page.goto("/wallet/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    height = "getComputedStyle(document.querySelector('.btn-brass')).minHeight"
    assert page.evaluate(height) == "44px"
    kept = page.evaluate(
        """async () => {
          const names = await caches.keys();
          const keysOf = async (name) => (await caches.open(name)).keys();
          const all = await Promise.all(names.map(keysOf));
          return all.flat().map(({ url }) => new URL(url).pathname);
        }"""
    )
    assert "/offline/" in kept
    assert all(path == "/offline/" or path.startswith("/static/") for path in kept)
    ann.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Wallet")).to_be_visible()
    ann.problems = [each for each in ann.problems if "ERR_INTERNET_DISCONNECTED" not in each]


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
    contexts = [chromium.new_context(base_url=url, **DESKTOP) for _ in range(2)]
    guest, player = Player(contexts[0], None), Player(contexts[1], "Ann")
    guest.page.goto("/accounts/login/")
    give_device(guest.page)
    guest.page.locator("main").get_by_role("button", name="Log in with a passkey").click()
    expect(guest.page.locator("[data-passkey-error]")).to_contain_text("No passkey was used.")
    player.sign_up()
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
    assert guest.problems + player.problems == []
    for context in contexts:
        context.close()


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
