"""All viewers see the same table and no secret of it, and the page does what it shows."""

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import Spectator, begin_duel, expect_throw, play_throw, say, throw
from tests.e2e.inspection import barriers, clipped
from tests.e2e.player import CALL, PHONE, READY, Player, play_until_round
from tests.e2e.towns import leave_town, open_town

pytestmark = pytest.mark.browser


#: Texts of the boards of a table and a duel that do not change with time.
BOARD = """() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const words = (query) => all(query).map((el) => el.textContent.trim().replace(/\\s+/g, " "));
  const card = (el) => [el.ariaLabel, el.disabled, el.ariaPressed];
  const texts = [".seat", ".centre .pot", ".centre-line", ".target", ".duelist", ".hand-word",
    ".throws tbody tr", ".dock h2, .dock [role=status]", ".feed li"];
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
def test_typed_commands_play_a_round_of_which_a_spectator_notices_no_choice(new_player: MakePlayer):
    ann, bob, path = two_at_a_table(new_player)
    spectator = Spectator(new_player(), path)
    for player in (ann, bob):
        say_and_see(player, "!sit 20")
        expect(player.page.locator(".seats .name", has_text="You")).to_be_visible()
        say_and_see(player, "!ready")
    for _ in (ann, bob):
        until = time.monotonic() + PATIENCE
        while not (turns := [player for player in (ann, bob) if player.button(CALL).count()]):
            assert time.monotonic() < until, "it is nobody's turn to bet"
            ann.page.wait_for_timeout(50)
        say_and_see(turns[0], "!call")
        expect(turns[0].page.locator(".feed")).to_contain_text(re.compile("calls|checks"))
        expect(turns[0].button(CALL)).to_have_count(0)
    for page in (ann.page, bob.page, spectator.page):
        expect(page.locator(".centre")).to_contain_text("Round 1")
    before = len(spectator.views())
    for player, other, hand in ((ann, bob, "Rock"), (bob, ann, "Scissors")):
        say_and_see(player, f"!atk {hand[0].lower()} {other.name}")
        expect(player.page.locator(".seat-choice")).to_contain_text(hand)
    # Both have their answers; what else was sent has time to come.
    spectator.page.wait_for_timeout(400)
    assert len(spectator.views()) == before, "a choice is not even noticed"
    assert spectator.page.locator(".seat-choice").count() == 0
    for player in (ann, bob):
        say_and_see(player, "!lock")
    for page in (ann.page, bob.page, spectator.page):
        expect(page.locator(".round-result")).to_contain_text("Rock breaks Scissors")
    expect(ann.page.locator(".seat.is-you .seat-money")).to_contain_text("2 VP")
    told = json.dumps(spectator.frames)
    assert [word for word in ('"attacks"', '"mines"', '"seq"') if word in told] == []


def say_and_see(player: Player, text: str) -> None:
    say(player, text)
    expect(player.page.locator(".feed-echo", has_text=text).last).to_be_visible()


NUMBER = "Purse, in points"


class Line:
    """The way of a page to its board, which a test cuts, or on which frames get lost."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.is_cut = self.is_lossy = False
        self.sockets: list[WebSocketRoute] = []
        player.page.route_web_socket(re.compile("/ws/match/"), self.join)

    def join(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            socket.close(code=4412)
            return
        self.sockets.append(socket)
        server = socket.connect_to_server()
        socket.on_message(lambda frame: None if self.is_lossy else server.send(frame))

    def cut(self) -> None:
        self.is_cut = True
        self.sockets[-1].close(code=4412)
        expect(self.player.page.locator(".link-badge")).to_have_text("reconnecting…")

    def mend(self) -> None:
        self.is_cut = self.is_lossy = False
        self.player.expect_live()


def test_points_typed_while_the_page_is_drawn_are_the_points_taken(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    path = ann.open_table(seats=3, target=3, betting_clock=60, round_clock=60)
    bob.go(path)
    number = ann.page.get_by_label(NUMBER)
    number.press("Control+a")
    number.press("4")
    bob.sit_and(ready=False)
    expect(ann.page.locator(".seats .name", has_text=str(bob.name))).to_be_visible()
    number.press("7")
    expect(number).to_have_value("47")
    # Three notches of the wheel over the field change nothing.
    number.hover()
    for _ in range(3):
        ann.page.mouse.wheel(0, 100)
    drawn = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    ann.page.evaluate(drawn)
    expect(number).to_have_value("47")
    expect(ann.button("Ready with 47")).to_be_visible()
    number.fill("1007")
    expect(ann.button("Ready with 100")).to_be_visible()
    number.blur()
    expect(number).to_have_value("100")
    number.fill("20")
    for page in (ann.page, bob.page):
        assert clipped(page) == []
        assert barriers(page) == []
    ann.press("Ready with 20")
    dock = ann.page.get_by_role("region", name="Before the game")
    expect(dock).to_contain_text("You are ready with 20.")
    expect(dock).to_contain_text("80 stay in your wallet")
    expect(number).to_have_count(0)
    bob.page.get_by_label(NUMBER).fill("30")
    bob.press("Ready with 30")
    expect(ann.button(re.compile("^(Call|Check)")).or_(ann.page.locator(".plans"))).to_be_visible()
    purses = {
        event["data"]["seat"]: event["data"]["purse"]
        for event in ann.log(path)
        if event["kind"] in ("sat", "purse_changed")
    }
    assert sorted(purses.values()) == [20, 30]


def test_a_line_and_a_move_are_not_done_in_a_later_throw(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    line = Line(ann)
    path = begin_duel(ann, bob, best_of=9, clock_seconds=300)
    box = ann.page.get_by_label(re.compile("^Say something"))
    other = new_player(None)
    other.context.add_cookies(ann.context.cookies())
    other.go(path)

    line.cut()
    box.fill("!roc")
    box.press("k")
    box.press("Enter")
    toast = ann.page.locator(".toast").last
    expect(toast).to_contain_text("No connection: your line is not sent.")
    box.blur()
    ann.page.keyboard.press("r")
    throw(other, "paper")
    throw(bob, "paper")
    expect_throw(2, bob)
    line.mend()
    expect_throw(2, ann)
    expect(box).to_have_value("!rock")
    assert not bob.page.locator(".is-down").count(), "nothing was thrown for her"

    # A move on which no answer came, and whose throw is over.
    line.is_lossy = True
    throw(ann, "rock")
    expect(ann.page.locator(".link-badge")).to_have_text("no answer")
    line.cut()
    throw(other, "scissors")
    throw(bob, "scissors")
    expect_throw(3, bob)
    line.mend()
    expect(ann.page.locator(".toast").last).to_contain_text("it is not sent again")
    expect_throw(3, ann)
    assert not bob.page.locator(".is-down").count()


def test_a_choice_without_its_mark_is_not_told_to_the_opponent(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    begin_duel(ann, bob, best_of=1, clock_seconds=300)
    for player, words in ((ann, "rock"), (bob, "\uff01rock")):
        box = player.page.get_by_label(re.compile("^Say something"))
        box.fill(words)
        box.press("Enter")
        held = player.page.locator(".held-line")
        expect(held).to_contain_text("Did you mean !rock? Nothing is sent yet.")
        expect(box).to_have_value(words)
        assert clipped(player.page) == []
        assert barriers(player.page) == []
    bob.page.get_by_role("button", name="Send !rock").click()
    expect(ann.page.locator(".throw-right .hand-word")).to_have_text("Ready")
    expect(ann.page.locator(".said")).to_have_count(0)
    ann.page.get_by_role("button", name="Send as chat").click()
    expect(ann.page.locator(".said-text")).to_have_text("rock")
    box = ann.page.get_by_label(re.compile("^Say something"))
    for words in ("!dance", "!throw gun"):
        box.fill(words)
        box.press("Enter")
        expect(ann.page.locator(".feed-reply")).to_have_count(1 + (words != "!dance"))
        expect(box).to_have_value(words)


@pytest.mark.slow
def test_what_is_written_survives_the_loss_of_the_line(new_player: MakePlayer):
    ann = new_player("Ann")
    line = Line(ann)
    open_town(ann, "agora", minutes=60)
    ann.press(re.compile("^Fill 6 seats with bots"))
    ann.press("Ready")
    expect(ann.page.locator(".own-card")).to_be_visible()
    ann.page.keyboard.press("Escape")
    leave_town(ann)
    # A mafioso has the box of another room until the town knows that she has left.
    box = ann.page.get_by_label("Your post to the graveyard")
    expect(box).to_be_visible()
    box.focus()
    ann.page.keyboard.type("I think that ")
    line.cut()
    expect(ann.page.locator(".play")).to_have_attribute("aria-disabled", "true")
    ann.page.keyboard.type("B would do it, ")
    line.mend()
    ann.page.keyboard.type("and he did.")
    expect(box).to_have_value("I think that B would do it, and he did.")
    expect(box).to_be_focused()
    box.fill("vote nobody")
    ann.page.keyboard.press("Control+Enter")
    expect(ann.page.locator(".held-line")).to_contain_text("!vote nobody")
    expect(ann.page.locator(".post")).to_have_count(0)
    ann.press("Post it")
    expect(ann.page.locator(".post-text")).to_have_text("vote nobody")
