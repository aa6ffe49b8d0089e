"""All viewers, after every reload, see the same table and no secret of it."""

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import Spectator, create_duel, expect_throw, join, play_throw, throw
from tests.e2e.player import PHONE, READY, Player, play_until_round

pytestmark = pytest.mark.browser

BET = re.compile("^(Call|Check)")

#: Texts of the board that do not change with time.
BOARD = """() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const words = (query) => all(query).map((el) => el.textContent.trim().replace(/\\s+/g, " "));
  const said = (el, name) => el.getAttribute(name);
  const card = (el) => [said(el, "aria-label"), el.disabled, said(el, "aria-pressed")];
  return {
    seats: words(".seat"),
    pot: words(".centre .pot"),
    centre: words(".centre-line"),
    dock: words(".dock h2, .dock [role=status]"),
    cards: all(".tray .card").map(card),
    targets: words(".target"),
    log: words("[role=log] li"),
  };
}"""


def seen(page: Page, board: str = BOARD) -> dict[str, Any]:
    """Return what a page's board says, once it says the same for two frames."""
    expect(page.locator(".link-badge")).to_have_text("live")
    known: dict[str, Any] = page.evaluate(board)
    page.wait_for_timeout(50)
    while (now := page.evaluate(board)) != known:
        known = now
        page.wait_for_timeout(50)
    return known


def assert_same(page: Page, wanted: dict[str, Any], board: str = BOARD) -> None:
    """Wait until a page's board says this: a new socket's first view takes its time."""
    until = time.monotonic() + PATIENCE / 2
    while (now := seen(page, board)) != wanted and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert now == wanted


def assert_same_after_reload(player: Player, board: str = BOARD) -> None:
    before = seen(player.page, board)
    player.page.reload()
    assert_same(player.page, before, board)


def two_at_a_table(new_player: MakePlayer) -> tuple[Player, Player, str]:
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    path = ann.open_table(seats=2, target=3, betting_clock=60, round_clock=60)
    bob.go(path)
    return ann, bob, path


def test_a_reload_at_any_moment_and_a_second_tab_show_the_same(new_player: MakePlayer):
    ann, bob, path = two_at_a_table(new_player)
    ann.sit_and(ready=True)
    bob.sit_and(ready=False)
    expect(ann.page.locator(".seat-state", has_text="Not ready")).to_be_visible()
    assert_same_after_reload(ann)
    bob.press(READY)
    for player in (ann, bob):
        expect(player.page.locator(".centre .pot")).to_be_visible()
        assert_same_after_reload(player)
    play_until_round(1, ann, bob)
    ann.page.locator(".cards-basic .card").nth(2).click()
    expect(ann.page.locator(".cards-basic .card").nth(2)).to_have_attribute("aria-pressed", "true")
    second = ann.new_tab(path)
    assert_same(second, seen(ann.page))
    second.locator(".cards-basic .card").nth(0).click()
    for page in (second, ann.page):
        expect(page.locator(".cards-basic .card").nth(0)).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".seat-choice")).to_contain_text("Rock")
    assert_same(second, seen(ann.page))
    assert_same_after_reload(ann)
    assert_same_after_reload(bob)


#: Texts of a duel's board that do not change with time.
DUEL = """() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const words = (query) => all(query).map((el) => el.textContent.trim().replace(/\\s+/g, " "));
  const said = (el, name) => el.getAttribute(name);
  const card = (el) => [said(el, "aria-label"), el.disabled, said(el, "aria-pressed")];
  return {
    players: words(".duelist"),
    hands: words(".hand-word"),
    dock: words(".dock h2, .dock [role=status]"),
    cards: all(".throw-card").map(card),
    throws: words(".throws tbody tr"),
    log: words("[role=log] li"),
  };
}"""


def test_a_reload_and_a_second_tab_show_the_same_duel(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    path = create_duel(ann, best_of=5, clock_seconds=300)
    bob.go(path)
    join(bob, ann)
    play_throw(1, (ann, "rock"), (bob, "scissors"))
    expect_throw(2, ann, bob)
    throw(ann, "paper")
    second = ann.new_tab(path)
    for page in (ann.page, second):
        expect(page.locator(".throw-left .hand-word")).to_have_text("Paper, face down")
    assert_same(second, seen(ann.page, DUEL), DUEL)
    expect(bob.page.locator(".throw-right .hand-word")).to_have_text("Ready")
    for player in (ann, bob):
        assert_same_after_reload(player, DUEL)


@pytest.mark.slow
def test_typed_commands_play_a_round_and_an_spectator_learns_no_secret(new_player: MakePlayer):
    ann, bob, path = two_at_a_table(new_player)
    spectator = Spectator(new_player(), path)
    for player in (ann, bob):
        say(player, "!sit 20")
        expect(player.page.locator(".seats .name", has_text="You")).to_be_visible()
        say(player, "!ready")
    for _ in (ann, bob):
        turn = whose_turn(ann, bob)
        say(turn, "!call")
        expect(turn.page.locator("[role=log]")).to_contain_text(re.compile("calls|checks"))
        expect(turn.button(BET)).to_have_count(0)
    for player in (ann, bob):
        expect(player.page.locator(".centre")).to_contain_text("Round 1")
    expect(spectator.page.locator(".centre")).to_contain_text("Round 1")
    before = len(spectator.views())
    say(ann, f"!atk r {bob.name}")
    expect(ann.page.locator(".seat-choice")).to_contain_text("Rock")
    say(bob, f"!atk s {ann.name}")
    expect(bob.page.locator(".seat-choice")).to_contain_text("Scissors")
    # Both have their answers; what else was sent has time to come.
    spectator.page.wait_for_timeout(400)
    assert len(spectator.views()) == before, "a choice is not even noticed"
    assert spectator.page.locator(".seat-choice").count() == 0
    assert_no_secret(spectator)
    say(ann, "!lock")
    say(bob, "!lock")
    for page in (ann.page, bob.page, spectator.page):
        expect(page.locator(".round-result")).to_contain_text("Rock breaks Scissors")
    expect(ann.page.locator(".seat.is-you .seat-money")).to_contain_text("2 VP")
    assert_no_secret(spectator)


def say(player: Player, text: str) -> None:
    player.page.get_by_label(re.compile("^Say something")).fill(text)
    player.page.get_by_role("button", name="Send").click()
    expect(player.page.locator(".feed-echo", has_text=text).last).to_be_visible()


def whose_turn(*players: Player) -> Player:
    """Return the player who may bet, once a board says so."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for player in players:
            if player.button(BET).count():
                return player
        players[0].page.wait_for_timeout(50)
    raise AssertionError("it is nobody's turn to bet")


def assert_no_secret(spectator: Spectator) -> None:
    """No frame to a guest holds a hand, a choice, a mine or the seed."""
    for view in spectator.views():
        assert view["match"]["seed"] is None
        assert view["you"]["seat"] is None
        assert view["you"]["stock"] is None
        if view["game"]:
            assert view["game"]["you"] is None
            assert view["game"]["result"] is None
    text = json.dumps(spectator.frames)
    for word in ('"attacks"', '"mines"', '"seq"'):
        assert word not in text
