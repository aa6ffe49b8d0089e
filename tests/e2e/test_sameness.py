"""All viewers, after every reload, see the same table and no secret of it."""

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import Spectator, begin_duel, expect_throw, play_throw, say, throw
from tests.e2e.player import PHONE, READY, Player, play_until_round

pytestmark = pytest.mark.browser

BET = re.compile("^(Call|Check)")

#: Texts of the boards of a table and a duel that do not change with time.
BOARD = """() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const words = (query) => all(query).map((el) => el.textContent.trim().replace(/\\s+/g, " "));
  const card = (el) => [el.ariaLabel, el.disabled, el.ariaPressed];
  const texts = [".seat", ".centre .pot", ".centre-line", ".target", ".duelist", ".hand-word",
    ".throws tbody tr", ".dock h2, .dock [role=status]", "[role=log] li"];
  const cards = all(".tray .card, .throw-card").map(card);
  return { cards, ...Object.fromEntries(texts.map((query) => [query, words(query)])) };
}"""


def seen(page: Page) -> dict[str, Any]:
    """Return what a page's board says, once it says the same for two frames."""
    expect(page.locator(".link-badge")).to_have_text("live")
    known: dict[str, Any] = page.evaluate(BOARD)
    page.wait_for_timeout(50)
    while (now := page.evaluate(BOARD)) != known:
        known = now
        page.wait_for_timeout(50)
    return known


def assert_same(page: Page, wanted: dict[str, Any]) -> None:
    """Wait until a page's board says this: a new socket's first view takes its time."""
    until = time.monotonic() + PATIENCE / 2
    while (now := seen(page)) != wanted and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert now == wanted


def assert_same_after_reload(*players: Player) -> None:
    for player in players:
        before = seen(player.page)
        player.page.reload()
        assert_same(player.page, before)


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
    assert_same_after_reload(ann, bob)


def test_a_reload_and_a_second_tab_show_the_same_duel(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    path = begin_duel(ann, bob, best_of=5, clock_seconds=300)
    play_throw(1, (ann, "rock"), (bob, "scissors"))
    expect_throw(2, ann, bob)
    throw(ann, "paper")
    second = ann.new_tab(path)
    for page in (ann.page, second):
        expect(page.locator(".throw-left .hand-word")).to_have_text("Paper, face down")
    assert_same(second, seen(ann.page))
    expect(bob.page.locator(".throw-right .hand-word")).to_have_text("Ready")
    assert_same_after_reload(ann, bob)


@pytest.mark.slow
def test_typed_commands_play_a_round_and_an_spectator_learns_no_secret(new_player: MakePlayer):
    ann, bob, path = two_at_a_table(new_player)
    spectator = Spectator(new_player(), path)
    for player in (ann, bob):
        say_and_see(player, "!sit 20")
        expect(player.page.locator(".seats .name", has_text="You")).to_be_visible()
        say_and_see(player, "!ready")
    for _ in (ann, bob):
        until = time.monotonic() + PATIENCE
        while not (turns := [player for player in (ann, bob) if player.button(BET).count()]):
            assert time.monotonic() < until, "it is nobody's turn to bet"
            ann.page.wait_for_timeout(50)
        turn = turns[0]
        say_and_see(turn, "!call")
        expect(turn.page.locator("[role=log]")).to_contain_text(re.compile("calls|checks"))
        expect(turn.button(BET)).to_have_count(0)
    for player in (ann, bob):
        expect(player.page.locator(".centre")).to_contain_text("Round 1")
    expect(spectator.page.locator(".centre")).to_contain_text("Round 1")
    before = len(spectator.views())
    say_and_see(ann, f"!atk r {bob.name}")
    expect(ann.page.locator(".seat-choice")).to_contain_text("Rock")
    say_and_see(bob, f"!atk s {ann.name}")
    expect(bob.page.locator(".seat-choice")).to_contain_text("Scissors")
    # Both have their answers; what else was sent has time to come.
    spectator.page.wait_for_timeout(400)
    assert len(spectator.views()) == before, "a choice is not even noticed"
    assert spectator.page.locator(".seat-choice").count() == 0
    assert_no_secret(spectator)
    say_and_see(ann, "!lock")
    say_and_see(bob, "!lock")
    for page in (ann.page, bob.page, spectator.page):
        expect(page.locator(".round-result")).to_contain_text("Rock breaks Scissors")
    expect(ann.page.locator(".seat.is-you .seat-money")).to_contain_text("2 VP")
    assert_no_secret(spectator)


def say_and_see(player: Player, text: str) -> None:
    say(player, text)
    expect(player.page.locator(".feed-echo", has_text=text).last).to_be_visible()


def assert_no_secret(spectator: Spectator) -> None:
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
