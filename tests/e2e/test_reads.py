import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.site import Site
from tests.e2e.towns import begin, leave_town, look, open_town, see_the_end

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_dead_seal_a_read_by_keyboard_and_see_it_in_the_story(
    site: Site, new_player: MakePlayer
) -> None:
    ann, bob = new_player("Ann"), new_player("Bob")
    page = ann.page
    path = open_town(ann, "agora", minutes=60)
    begin(ann, 7, "reads-before", "Night 1")
    panel, summary = page.locator(".sealed-read"), page.get_by_text("Seal a read")
    expect(summary).to_have_count(0)
    bob.go(path)
    bob.page.get_by_text("Seal a read").click()
    # Both come from one address.
    expect(bob.page.locator(".sealed-read [role=status]")).to_have_text(
        "You may not seal a read of this game."
    )
    expect(bob.page.locator(".sealed-read form")).to_have_count(0)
    look(bob.page, "reads-refused")

    leave_town(ann)
    summary.focus()
    page.keyboard.press("Enter")
    rows = panel.get_by_role("radiogroup")
    expect(rows).to_have_count(6)
    look(page, "reads-open")
    first = rows.first.get_by_role("radio")
    first.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(first.nth(2)).to_be_checked()
    page.keyboard.press("Enter")
    expect(panel.get_by_role("status")).to_have_text(
        re.compile(r"Sealed for day \d+\. Nobody sees it before the end\.")
    )
    expect(panel.get_by_role("button")).to_be_disabled()
    look(page, "reads-sealed")
    ann.go(path)
    summary.click()
    expect(first.nth(2)).to_be_checked()
    rows.nth(1).get_by_role("radio", name="Very").check()
    panel.get_by_role("button", name="Seal again").click()
    expect(panel.get_by_role("button")).to_be_disabled()

    site.call("seal_reads", public_id=path.split("/")[2], count=4)
    while not page.locator(".ending").count():
        see_the_end(ann)
    site.call("score_reads")
    page.get_by_role("link", name="The whole story").click()
    expect(page.get_by_role("heading", name="Sealed reads")).to_be_visible()
    expect(page.locator(".story-reads")).to_contain_text("knew roles")
    look(page, "reads-story")
    page.get_by_role("link", name="Best readers").click()
    expect(page.get_by_role("heading", name="Best readers")).to_be_visible()
    look(page, "reads-board")
