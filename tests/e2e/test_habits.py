"""Habits of throwing: the question after a long duel, beside the seat, on their page."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, expect_throw
from tests.e2e.player import DESKTOP, PHONE
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_habits_are_asked_for_and_seen_beside_the_seat(new_player: MakePlayer, site: Site):
    ann, bob = new_player("Ann", look=DESKTOP), new_player("Bob", look=PHONE)
    site.call("habits_of", name=ann.name, other=bob.name)
    path = begin_duel(ann, bob, best_of=3)
    for player in (ann, bob):
        player.page.locator(".seat-habits summary").click()
    expect(ann.page.locator(".seat-habits")).to_contain_text(f"{bob.name} does not show habits.")
    expect(bob.page.locator(".seat-habits")).to_contain_text("while you show your own")
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator(".seat-habits .menu-box")).to_be_hidden()
    site.call("throw_in", public_id=path.split("/")[2], throws=15)
    expect_throw(16, ann, bob)
    ann.page.keyboard.press("Escape")
    bob.page.get_by_role("button", name="Resign").click()
    bob.page.get_by_role("dialog").get_by_role("button", name=re.compile("Resign")).click()
    question = bob.page.locator(".habits-question")
    expect(question).to_contain_text("Show your habits?")
    expect(ann.page.locator(".ending")).to_be_visible()
    expect(ann.page.locator(".habits-question")).to_have_count(0)
    look_at(bob.page, "habits-question")
    question.get_by_label("Let one bot know them").check()
    question.get_by_role("button", name="Show").click()
    expect(question).to_have_count(0)
    bob.page.reload()
    expect(bob.page.locator(".ending")).to_be_visible()
    expect(bob.page.locator(".habits-question")).to_have_count(0)
    bob.page.locator(".seat-habits summary").click()
    expect(bob.page.locator(".seat-habits")).to_contain_text(
        "A reader that remembers the month wins"
    )
    look_at(bob.page, "habits-seat")
    bob.page.goto(f"/@{ann.name}/?game=duel")
    folded = bob.page.locator(".profile-habits")
    expect(folded.get_by_role("table")).to_have_count(0)
    look_at(bob.page, "habits-profile-folded")
    folded.locator("summary").click()
    expect(folded).to_contain_text(re.compile("After a (win|loss|tie): "))
    look_at(bob.page, "habits-profile")
    bob.page.goto(f"/duels/habits/{ann.name}/")
    expect(bob.page.locator(".dossier")).to_contain_text(re.compile("After a (win|loss|tie): "))
    look_at(bob.page, "habits-page")
    bob.page.goto("/settings/privacy/")
    for switch in ("^Show my habits", "^Let one bot"):
        expect(bob.page.get_by_label(re.compile(switch))).to_be_checked()
    look_at(bob.page, "habits-privacy")
