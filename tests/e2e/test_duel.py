"""Duels between people, against a bot and for points, as they are played with mouse and keys."""

import json
import re
import subprocess
import sys
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.boot import PATIENCE, ROOT
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import (
    Spectator,
    cards,
    create_duel,
    expect_end,
    expect_throw,
    join,
    play_throw,
    quick_duel,
    throw,
    throw_by_key,
    throw_until_the_end,
)
from tests.e2e.player import DESKTOP, MOVING, PASSWORD, PHONE, Player
from tests.e2e.site import Site

pytestmark = pytest.mark.browser


def winning_to_nothing(winner: Player, loser: Player, throws: int = 3) -> None:
    for number in range(1, throws + 1):
        play_throw(number, (winner, "paper"), (loser, "rock"))


#: Keeps what the page tells before a start, which lasts three seconds only.
LISTEN = """() => {
  const told = { titles: [], alerts: [], shakes: 0 };
  Object.assign(window, { told });
  navigator.vibrate = () => (told.shakes += 1);
  const look = () => {
    told.titles.push(document.title);
    for (const each of document.querySelectorAll(".dock [role=alert]")) {
      told.alerts.push(each.textContent);
    }
  };
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(document, all);
}"""
#: The ring and the buttons of a dock.
PARTS = (".seat-clock .ring", ".actions")
#: Makes the page hidden, as another tab in front of it does.
HIDE = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_hidden_page_is_asked_before_a_quick_duel_and_not_now_costs_nothing(
    new_player: MakePlayer, site: Site
):
    ann, bob = new_player("Ann", look=DESKTOP), new_player("Bob", look=PHONE)
    path = quick_duel(ann)
    public_id = path.strip("/").split("/")[-1]
    assert site.call("whether_there", public_id=public_id, seat=0, is_there=True)
    ann.page.evaluate(HIDE)
    assert not site.call("whether_there", public_id=public_id, seat=0, is_there=False)
    site.call("ask", public_id=public_id, seat=0)
    expect(ann.page.get_by_role("alert").filter(has_text="Still there?")).to_be_visible()
    assert quick_duel(bob) == path
    expect(ann.page.get_by_role("alert").filter(has_text=f"{bob.name} waits")).to_be_visible()
    expect(bob.page.locator(".dock")).to_contain_text(f"{ann.name} has to press Ready.")
    assert ann.page.title().startswith(f"● {bob.name} waits for you · ")
    ring, buttons = (ann.page.locator(f".dock {part}").bounding_box() for part in PARTS)
    assert ring["y"] + ring["height"] <= buttons["y"]
    ann.press("Not now")
    expect(bob.page.get_by_text("Waiting for an opponent…")).to_be_visible()
    expect(bob.page.get_by_role("button", name="Ready")).to_have_count(0)
    assert quick_duel(ann) == path
    expect_throw(1, ann, bob)


@pytest.mark.slow
def test_two_who_press_quick_duel_meet_play_to_the_end_and_again(new_player: MakePlayer):
    ann, bob = new_player("Ann", look=DESKTOP | MOVING), new_player("Bob", look=PHONE)
    path = quick_duel(ann)
    expect(ann.page.get_by_text("Waiting for an opponent…")).to_be_visible()
    ann.page.evaluate(LISTEN)
    assert quick_duel(bob) == path
    expect_throw(1, ann, bob)
    told = ann.page.evaluate("() => window.told")
    assert any(title.startswith(f"● {bob.name} is here · ") for title in told["titles"])
    assert any(f"{bob.name} is here" in words for words in told["alerts"])
    assert told["shakes"] == 1
    assert ann.page.title().startswith("● Your throw · ")
    throw(ann, "rock")
    expect(ann.page.locator(".throw-left .hand-word")).to_have_text("Rock, face down")
    expect(bob.page.locator(".throw-right .hand-word")).to_have_text("Ready")
    assert not ann.page.title().startswith("●")
    throw(bob, "rock")
    for player in (ann, bob):
        expect(player.page.locator(".verdict")).to_contain_text("Rock meets Rock")
    for number in (2, 3, 4):
        play_throw(number, (bob, "paper"), (ann, "rock"))
    expect_end("You win 3 : 0", bob)
    expect_end(f"{bob.name} wins 3 : 0", ann)
    expect(bob.page.locator(".ending .is-winner .plus")).to_have_text(re.compile(r"^\+\d+$"))

    for player in (ann, bob):
        player.page.evaluate("() => { window.isSamePage = true; }")
    ann.press("Rematch")
    bob.press("Accept the rematch")
    expect_throw(1, ann, bob)
    assert ann.path == bob.path != path
    winning_to_nothing(ann, bob)
    expect_end("You win 3 : 0", ann)
    for player in (ann, bob):
        assert player.page.evaluate("() => window.isSamePage") is True
    expect(ann.page.locator(".insight")).to_contain_text("After a win you threw Paper twice")

    ann.page.goto(f"/@{bob.name}/")
    expect(ann.page.locator(".rows-games tbody tr")).to_have_count(2)
    expect(ann.page.locator(".plot-rating polyline")).to_have_count(1)


def test_keys_throw_and_never_while_somebody_types(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    bob.go(create_duel(ann, best_of=1))
    join(bob, ann)
    expect_throw(1, ann, bob)
    ann.page.keyboard.press("?")
    expect(ann.page.get_by_role("dialog", name="Keys")).to_be_visible()
    ann.page.keyboard.press("r")
    ann.page.keyboard.press("Escape")
    ann.page.get_by_label(re.compile("^Say something")).fill("rps")
    ann.page.keyboard.press("s")
    ann.page.locator("h1").click()
    expect(cards(ann)).to_have_count(3)
    throw_by_key(ann, "scissors")
    expect(ann.page.locator(".throw-card[aria-pressed=true]")).to_contain_text("Scissors")
    throw_by_key(bob, "paper")
    expect_end("You win 1 : 0", ann)
    expect(ann.page.locator(".verdict")).to_contain_text("Scissors cut Paper")


@pytest.mark.slow
def test_a_bot_comes_by_itself_to_whoever_waits_alone_and_says_that_it_is_unrated(
    new_player: MakePlayer,
):
    ann = new_player("Ann")
    quick_duel(ann)
    expect(ann.page.get_by_text("A bot comes in")).to_be_visible()
    ann.press("Keep waiting")
    expect(ann.page.get_by_text("A bot comes in")).to_have_count(0)
    ann.page.reload()
    ann.expect_live()
    expect(ann.page.get_by_text("A bot comes in")).to_be_visible()
    expect(ann.page.locator(".duelist use[href$='#robot']")).to_be_visible()
    throw_until_the_end(ann.page)
    expect(ann.page.locator(".ending")).to_contain_text("A duel with a bot is not rated.")
    expect(ann.page.locator(".ending thead")).not_to_contain_text("Rating")


def test_a_challenge_rings_the_bell_and_can_be_declined_or_accepted(new_player: MakePlayer):
    ann, bob, cyd = new_player("Ann"), new_player("Bob"), new_player("Cyd")
    bob.page.goto("/")
    ann.page.goto("/duels/")
    ann.page.get_by_label("Name").fill("nobody-of-this-name")
    ann.page.get_by_role("button", name="Challenge", exact=True).click()
    expect(ann.page.locator("#id_opponent_error")).to_contain_text("no player called")
    assert ann.path.startswith("/duels/?opponent="), "a refused challenge can be loaded again"
    ann.page.get_by_label("Name").fill(str(bob.name).upper())
    ann.page.get_by_role("button", name="Challenge", exact=True).click()
    ann.expect_live()
    expect(ann.page.locator(".waiting")).to_contain_text(f"Waiting for {bob.name}")
    cyd.go(ann.path)
    expect(cyd.page.get_by_text("The free seat is kept for")).to_be_visible()
    expect(bob.page.locator("[data-bell-count]")).to_have_text("1")
    bob.page.locator("[data-bell] summary").click()
    bob.page.locator("[data-bell-list] a").click()
    bob.expect_live()
    bob.press("Decline")
    expect(bob.page.get_by_text("You have declined.")).to_be_visible()
    expect(ann.page.locator(".gone")).to_contain_text("The challenge was declined")

    bob.page.goto(f"/@{ann.name}/")
    bob.page.get_by_role("link", name="Challenge", exact=True).click()
    bob.page.get_by_role("button", name="Create the duel").click()
    bob.expect_live()
    expect(bob.button("Copy invite link")).to_have_class(re.compile("btn-brass"))
    ann.go(bob.path)
    ann.press("Accept")
    expect(bob.page.get_by_role("heading", name=f"{ann.name} accepted")).to_be_visible()
    expect(bob.page).to_have_title(re.compile(f"^● {ann.name} accepted"))
    expect_throw(1, ann, bob)
    ann.press("Resign")
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(ann.page.locator(".ending-head")).to_contain_text("You resigned.")
    expect(bob.page.locator(".ending-head")).to_contain_text(f"{ann.name} resigned.")


def test_a_changed_configuration_makes_both_unready_and_says_so(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    bob.go(create_duel(ann, best_of=1, rated=False))
    ann.press("Cancel ready")
    bob.press("Take the seat and play")
    expect(bob.button("Cancel ready")).to_be_visible()
    ann.page.get_by_text("Change settings").click()
    ann.page.get_by_label("Best of").select_option("3")
    ann.press("Change for both")
    expect(bob.page.get_by_role("alert").filter(has_text="settings have changed")).to_be_visible()
    for player in (ann, bob):
        expect(player.page.locator(".options")).to_contain_text("Best of3")
        player.press("Ready")
    expect_throw(1, ann, bob)
    expect(ann.page.locator(".duel-middle")).to_contain_text("first to 2")


def test_a_duel_is_suspended_by_both_and_goes_on_when_both_are_back(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    bob.go(create_duel(ann, best_of=1))
    join(bob, ann)
    expect_throw(1, ann, bob)
    ann.press("Offer a break")
    ann.press("Take it back")
    expect(bob.button("Take a break")).to_have_count(0)
    throw(ann, "paper")
    ann.press("Offer a break")
    bob.press("Take a break")
    for player in (ann, bob):
        expect(player.page.get_by_role("heading", name="On a break")).to_be_visible()
        expect(player.page.locator(".long-clock")).to_contain_text(re.compile("7 days|6 days"))
    ann.page.reload()
    ann.expect_live()
    ann.press("I am ready")
    expect(bob.page.locator(".duelist-right .duelist-status")).to_have_text("Ready to continue")
    bob.press("I am ready")
    expect(ann.page.locator(".throw-card[aria-pressed=true]")).to_contain_text("Paper")
    throw(bob, "rock")
    expect_end("You win", ann)


def test_a_stake_is_agreed_paid_and_on_the_books(site: Site, new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    before = site.held()
    bob.go(create_duel(ann, best_of=3, stake=20))
    expect(bob.page.locator(".stake-line")).to_contain_text("20 each · the winner gets 38")
    join(bob, ann)
    expect_throw(1, ann, bob)
    assert (ann.balance(), bob.balance()) == (80, 80)
    play_throw(1, (ann, "rock"), (bob, "scissors"))
    expect_throw(2, ann, bob)
    bob.press("Resign")
    bob.page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    expect_end("You win", ann)
    expect(ann.page.locator(".ending .is-winner")).to_contain_text("+18")
    after = site.held()
    names = ["", str(ann.name), str(bob.name)]
    assert [after[name] - before[name] for name in names] == [2, 18, -20]
    assert "0 violations" in site.command("audit_ledger", "--whole")


def games_of(spectator: Spectator) -> list[dict[str, Any]]:
    return [view["game"] for view in spectator.views() if view["game"]]


def test_spectators_and_the_other_side_see_nothing_before_the_reveal(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    path = create_duel(ann, best_of=1)
    spectator = Spectator(new_player(), path)
    bob.go(path)
    join(bob, ann)
    expect_throw(1, ann, bob)
    throw(ann, "scissors")
    for page in (spectator.page, bob.page):
        expect(page.locator(".hand-card.is-down")).to_have_count(1)
        expect(page.locator(".hand-card")).not_to_contain_text("Scissors")
    assert games_of(spectator)
    for game in games_of(spectator):
        assert game["you"] is None
        assert game["throws"] == []
    assert "scissors" not in json.dumps(games_of(spectator))
    throw(bob, "paper")
    for page in (spectator.page, ann.page, bob.page):
        expect(page.locator(".verdict")).to_contain_text("Scissors cut Paper")
    expect_end(f"{ann.name} wins 1 : 0", bob)
    assert games_of(spectator)[-1]["throws"][-1]["hands"] == ["scissors", "paper"]


def test_typed_commands_play_a_duel(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    bob.go(create_duel(ann, best_of=1))
    join(bob, ann)
    expect_throw(1, ann, bob)
    for player, words in ((ann, "!rock"), (bob, "!throw s")):
        player.page.get_by_label(re.compile("^Say something")).fill(words)
        player.page.get_by_role("button", name="Send").click()
    expect_end("You win 1 : 0", ann)


def test_the_live_console_speaks_with_the_page_s_own_login(new_player: MakePlayer):
    ann = new_player("Ann")
    path = create_duel(ann, best_of=1)
    page = ann.new_tab("/duels/api/")
    page.locator("[name=match]").fill(path)
    page.get_by_role("button", name="Connect").press("Enter")
    expect(page.locator("[data-line-state]")).to_have_text("connected")
    expect(page.locator(".frame").first).to_contain_text("receive_state")
    page.locator("[name=method]").select_option("server_time")
    page.locator("[name=params]").fill("{")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".frame-out")).to_have_count(0)
    page.locator("[name=params]").fill("")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".frame").last).to_contain_text('"result"')


def make_token(player: Player) -> str:
    """Make a token on the page for it, which asks for the password first; return its secret."""
    page = player.page
    page.goto("/accounts/tokens/")
    page.get_by_label("What is it for?").fill("a program")
    page.get_by_role("button", name="Create token").click()
    page.wait_for_url("**/accounts/reauthenticate/**")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    return page.get_by_label(re.compile("^Copy it now")).input_value()


def test_a_person_plays_against_a_program(site: Site, new_player: MakePlayer):
    owner, ann = new_player("Owner"), new_player("Ann")
    command = [sys.executable, "examples/duel_client.py", site.url, make_token(owner)]
    program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        ann.go(program.stdout.readline().strip().removeprefix(site.url))
        ann.press("Take the seat and play")
        throw_until_the_end(ann.page)
        said, _ = program.communicate(timeout=PATIENCE)
    finally:
        program.kill()
    assert program.returncode == 0
    assert "end_game" in said
    thrown = ann.page.locator(".throws tbody tr").count()
    assert said.count("player_chose_hand") == 2 * thrown
