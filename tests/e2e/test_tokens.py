"""Making and revoking a program's token, on a desktop and a phone; the site lets it in and out."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import PASSWORD
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser


def test_a_token_is_shown_once_and_revoked_and_the_api_tried(new_player: MakePlayer) -> None:
    ann, program = new_player("Ann"), new_player().context.request

    def status(token: str) -> int:
        call = {"jsonrpc": "2.0", "method": "my_duels", "id": 1}
        headers = {"Authorization": f"Bearer {token}"}
        return program.post("/rpc/", data=call, headers=headers).status

    ann.page.goto("/accounts/sessions/")
    ann.page.locator("main").get_by_role("link", name="tokens", exact=True).click()
    look_at(ann.page, "tokens-none")
    ann.page.get_by_label("What is it for?").fill("my duelling bot")
    ann.page.get_by_role("button", name="Create token").click()
    # As a password is asked for before another one is chosen.
    ann.page.locator("[name=password]").fill(PASSWORD)
    ann.page.get_by_role("button", name="Confirm").click()
    secret = ann.page.get_by_label("Copy it now")
    expect(secret).to_be_visible()
    token = secret.input_value()
    look_at(ann.page, "tokens-made")
    assert status(token) == 200
    ann.page.goto("/accounts/tokens/")
    expect(ann.page.get_by_text("my duelling bot")).to_be_visible()
    assert token not in ann.page.content()
    ann.page.get_by_role("button", name="Revoke my duelling bot").click()
    expect(ann.page.locator(".notice")).to_contain_text("is revoked")
    assert status(token) == 401
    # The page of the reading API sends requests.
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
