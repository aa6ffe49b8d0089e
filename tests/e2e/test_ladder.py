"""The first quarter of an hour of somebody with a program: account, token, lines."""

import re

import pytest
from playwright.sync_api import expect

from games.ladder.queries import EXAMPLES
from tests.e2e.conftest import MakePlayer
from tests.e2e.player import PASSWORD, PHONE
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser

#: A browser that does not let pages write to the clipboard; ``copied`` is what was copied.
FORBID = """
  navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  addEventListener("copy", () => { window.copied = getSelection().toString(); });
"""


def test_a_person_makes_a_program_and_copies_its_lines_by_keyboard(
    site: Site, new_player: MakePlayer
) -> None:
    page = new_player("Ann", PHONE).page
    page.add_init_script(FORBID)
    page.goto("/ladder/")
    page.get_by_role("link", name="Enter a program").click()
    page.get_by_role("link", name="a program", exact=True).click()
    page.get_by_role("button", name="Make a program").click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_label("Copy it now")).to_have_value(re.compile("^rrt_"))
    name = page.locator(".sessions a").inner_text()
    look_at(page, "programs")
    # This page is the answer to the password.
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto("/ladder/#start")
    page.get_by_role("button", name="Copy ladder.py").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    assert page.evaluate("window.copied") == (EXAMPLES / "ladder.py").read_text().rstrip()
    match = site.call("play_ladder", name=name)
    page.goto("/ladder/")
    expect(page.locator(".ladder-board tbody tr", has_text=name)).to_contain_text("Ann")
    look_at(page, "ladder")
    page.goto(f"/ladder/{match}/")
    look_at(page, "ladder-match")
    page.get_by_role("link", name=name).click()
    expect(page.get_by_text("A program of")).to_be_visible()
    look_at(page, "ladder-program")
