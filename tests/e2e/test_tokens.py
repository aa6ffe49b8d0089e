"""Making and revoking a program's token, on a desktop and a phone; the site lets it in and out."""

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import Pictures
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser


def call(site: Site, token: str) -> int:
    """Ask for one's duels with a token; return the status."""
    body = json.dumps({"jsonrpc": "2.0", "method": "my_duels", "id": 1}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{site.url}/rpc/", body, headers)) as a:
            return int(a.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code


def test_a_token_is_made_shown_once_and_revoked(
    site: Site, new_player: MakePlayer, pictures: Pictures
) -> None:
    ann = new_player("Ann")
    ann.page.goto("/accounts/sessions/")
    ann.page.locator("main").get_by_role("link", name="tokens", exact=True).click()
    found = look_at(ann.page, "tokens-none", pictures)
    ann.page.get_by_label("What is it for?").fill("my duelling bot")
    ann.page.get_by_role("button", name="Create token").click()
    # As a password is asked for before another one is chosen.
    ann.page.locator("[name=password]").fill("a longer word for doors")
    ann.page.get_by_role("button", name="Confirm").click()
    secret = ann.page.get_by_label("Copy it now")
    expect(secret).to_be_visible()
    token = secret.input_value()
    found += look_at(ann.page, "tokens-made", pictures)
    assert call(site, token) == 200
    ann.page.goto("/accounts/tokens/")
    expect(ann.page.get_by_text("my duelling bot")).to_be_visible()
    assert token not in ann.page.content()
    ann.page.get_by_role("button", name="Revoke my duelling bot").click()
    expect(ann.page.locator(".notice")).to_contain_text("is revoked")
    assert call(site, token) == 401
    assert found == []


def test_the_reading_apis_page_sends_requests(new_player: MakePlayer, pictures: Pictures) -> None:
    ann = new_player("Ann")
    page = ann.page
    page.goto("/api/")
    for name, given, wanted in (
        ("matches", {"limit": "2", "status": "over"}, '"items"'),
        ("player", {"name": ann.name}, f'"name": "{ann.name}"'),
        ("me", {}, '"points"'),
    ):
        entry = page.locator(f"#{name}")
        entry.locator("summary").click()
        for field, value in given.items():
            place = entry.locator(f"[name={field}]")
            if field == "status":
                place.select_option(value)
            else:
                place.fill(value)
        entry.get_by_role("button", name="Send").click()
        expect(entry.locator("[data-reading-body]")).to_contain_text(wanted)
    assert look_at(page, "reading-api-tried", pictures) == []
