"""Showdown's board as a card client: keys at once, wishes in advance."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import barriers
from tests.e2e.player import DESKTOP, LOCK_IN, MOVING, READY, bet_until_the_round

pytestmark = pytest.mark.browser


def test_keys_pressed_at_once_lock_in_and_the_round_says_who_scored(new_player: MakePlayer):
    ann = new_player("Ann", look=DESKTOP | MOVING)
    page = ann.page
    ann.sit_with_bots(2, clock=60)
    ann.press(READY)
    bet_until_the_round(ann)
    for key in ("2", "1", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".reveal").or_(page.locator(".tray.is-locked")).first).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)
    reveal = page.locator(".reveal")
    expect(reveal).to_be_visible()
    expect(reveal.locator("h2")).to_have_text(re.compile(r"^Round 1: .*\+[12] VP"))
    expect(page.locator(".flight")).to_have_count(0)
    assert barriers(page) == []
    page.keyboard.press("j")
    expect(reveal).to_have_count(0)
    # The last weapons again, and a lock without a press.
    ann.press("Auto-lock")
    page.keyboard.press("s")
    expect(page.locator(".reveal h2")).to_have_text(re.compile("^Round 2: "))
    page.locator(".reveal").get_by_role("button", name="Continue").click()
    page.locator("button.round-result").click()
    expect(page.locator(".reveal .result-lines li")).not_to_have_count(0)


def test_a_wish_for_the_next_turn_is_done_when_the_turn_comes(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    path = ann.open_table(seats=2, target=3, betting_clock=60, round_clock=60)
    bob.go(path)
    ann.sit_and(ready=True)
    bob.sit_and(ready=True)
    call = re.compile("^(Call|Check)")
    for player in (ann, bob):
        expect(player.page.locator(".bet-call, .plans").first).to_be_visible()
    first, second = (ann, bob) if ann.button(call).count() else (bob, ann)
    wish = second.button(re.compile("^Next turn: Call any, up to"))
    wish.click()
    expect(wish).to_have_attribute("aria-pressed", "true")
    assert barriers(second.page) == []
    first.press(re.compile("^Raise"))
    for player in (first, second):
        expect(player.button(LOCK_IN)).to_be_visible()
