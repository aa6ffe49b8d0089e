import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.boot import PATIENCE, ROOT
from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import (
    Spectator,
    begin_duel,
    create_duel,
    expect_end,
    expect_throw,
    play_throw,
    quick_duel,
    say,
    throw,
    throw_until_the_end,
)
from tests.e2e.inspection import THREE_SIZES, wrong_in_all_looks
from tests.e2e.player import DESKTOP, MOVING, PASSWORD, PHONE
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser


#: Keeps what the page tells before a start, which lasts three seconds only.
LISTEN = """() => {
  const told = window.told = { titles: [], alerts: [], shakes: 0 };
  navigator.vibrate = () => (told.shakes += 1);
  const look = () => {
    told.titles.push(document.title);
    const alerts = document.querySelectorAll(".dock [role=alert]");
    for (const each of alerts) told.alerts.push(each.textContent);
  };
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(document, all);
}"""
#: Makes the page hidden, as another tab in front of it does.
HIDE = """() => {
  Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

SHOW = HIDE.replace("get: () => true", "get: () => false")


def test_a_hidden_page_is_asked_first_and_not_now_costs_nothing(new_player: MakePlayer, site: Site):
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
    parts = (".seat-clock .ring", ".actions")
    ring, buttons = (ann.page.locator(f".dock {part}").bounding_box() for part in parts)
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
    told = bob.page.locator(".ending .notice")
    expect(told).to_have_text("Goal reached: First duel won, Not one throw lost.")
    expect(ann.page.locator(".ending .notice")).to_have_count(0)
    expect(bob.page.locator(".ending .is-winner .plus")).to_have_text(re.compile(r"^\+\d+$"))

    for player in (ann, bob):
        player.page.evaluate("() => { window.isSamePage = true; }")
    ann.press("Rematch")
    bob.press("Accept the rematch")
    expect_throw(1, ann, bob)
    assert ann.path == bob.path != path
    for number in (1, 2, 3):
        play_throw(number, (ann, "paper"), (bob, "rock"))
    expect_end("You win 3 : 0", ann)
    for player in (ann, bob):
        assert player.page.evaluate("() => window.isSamePage") is True
    expect(ann.page.locator(".insight")).to_contain_text("After a win you threw Paper twice")

    ann.page.goto(f"/@{bob.name}/")
    expect(ann.page.locator(".rows-games tbody tr")).to_have_count(2)
    expect(ann.page.locator(".plot-rating polyline")).to_have_count(1)


def test_who_ticks_both_lengths_plays_the_long_duel_of_who_comes(new_player: MakePlayer):
    ann, bob = new_player("Ann", look=DESKTOP), new_player("Bob", look=PHONE)
    path = quick_duel(ann, "quick", "long")
    expect(ann.page.locator(".waiting")).to_contain_text("Best of 5 or best of 21")
    look_at(ann.page, "long-waiting")
    assert quick_duel(bob, "long") == path
    for player in (ann, bob):
        expect(player.page.locator(".pips").first).to_contain_text("of 11 wins")
    ann.press("Resign")
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(bob.page.get_by_role("button", name="New long duel")).to_be_visible()
    look_at(bob.page, "long-over")
    ann.page.goto(f"/@{bob.name}/")
    expect(ann.page.locator(".record")).to_contain_text("Long duel rating")
    look_at(ann.page, "long-profile")


def test_a_long_duel_takes_throws_ahead_and_drops_them(new_player: MakePlayer):
    ann, bob = new_player("Ann", look=DESKTOP | MOVING), new_player("Bob", look=PHONE)
    # A clock with which nothing depends on the speed of the machine.
    spectator = Spectator(new_player(), begin_duel(ann, bob, best_of=21, clock_seconds=300))
    ahead, thrown = (
        ann.page.locator(f".throw-card{which}") for which in (".is-ahead", "[aria-pressed=true]")
    )
    ann.page.keyboard.press("r")
    expect(thrown).to_contain_text("Rock")
    ann.page.keyboard.press("p")
    expect(ahead).to_contain_text("Paper")
    expect(ahead).to_contain_text("next throw")
    look_at(ann.page, "long-ahead")
    throw(bob, "scissors")
    # It goes out without a press, and nobody else sees it.
    expect(thrown).to_contain_text("Paper")
    expect(ahead).to_have_count(0)
    assert "paper" not in json.dumps([view["game"] for view in spectator.views()])
    expect_throw(2, bob)
    throw(bob, "rock")
    for page in (ann.page, bob.page):
        expect(page.locator(".verdict")).to_contain_text("Paper covers Rock")

    drops: tuple[Callable[[], Any], ...] = (
        lambda: ann.page.keyboard.press("Escape"),
        lambda: ann.page.keyboard.press("s"),
        lambda: ann.page.evaluate(HIDE),
    )
    for number, drop in enumerate(drops, start=3):
        expect_throw(number, ann, bob)
        ann.page.keyboard.press("r")
        expect(thrown).to_contain_text("Rock")
        ann.page.keyboard.press("s")
        expect(ahead).to_contain_text("Scissors")
        drop()
        expect(ahead).to_have_count(0)
        throw(bob, "scissors")
    ann.page.evaluate(SHOW)
    expect_throw(6, ann, bob)
    for hand in ("rock", "paper"):
        throw(ann, hand)
    expect(ahead).to_contain_text("Paper")
    throw(bob, "rock")
    expect(ann.page.locator(".verdict")).to_contain_text("Rock meets Rock")
    expect(ahead).to_have_count(0)
    expect_throw(7, ann, bob)


def game_of(spectator: Spectator) -> dict[str, Any]:
    """Return what a spectator was sent of a game last; nothing of it was ever somebody's own."""
    games = [view["game"] for view in spectator.views() if view["game"]]
    assert games
    assert [game for game in games if game["you"] is not None] == []
    return games[-1]


def test_keys_and_commands_throw_and_nobody_sees_a_throw_before_the_reveal(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    spectator = Spectator(new_player(), begin_duel(ann, bob, best_of=3))
    ann.page.keyboard.press("?")
    expect(ann.page.get_by_role("dialog", name="Keys")).to_be_visible()
    ann.page.keyboard.press("r")
    ann.page.keyboard.press("Escape")
    ann.page.get_by_label(re.compile("^Say something")).fill("rps")
    ann.page.keyboard.press("s")
    ann.page.locator("h1").click()
    expect(ann.page.locator(".throw-card:not([disabled])")).to_have_count(3)
    ann.page.keyboard.press("s")
    expect(ann.page.locator(".throw-card[aria-pressed=true]")).to_contain_text("Scissors")
    for page in (spectator.page, bob.page):
        expect(page.locator(".hand-card.is-down")).to_have_count(1)
        expect(page.locator(".hand-card")).not_to_contain_text("Scissors")
    assert game_of(spectator)["throws"] == []
    assert "scissors" not in json.dumps([view["game"] for view in spectator.views()])
    bob.page.keyboard.press("p")
    for page in (spectator.page, ann.page, bob.page):
        expect(page.locator(".verdict")).to_contain_text("Scissors cut Paper")
    assert game_of(spectator)["throws"][-1]["hands"] == ["scissors", "paper"]
    expect_throw(2, ann, bob)
    say(ann, "!rock")
    say(bob, "!throw s")
    expect_end("You win 2 : 0", ann)
    expect_end(f"{ann.name} wins 2 : 0", bob)
    told = "{} read on 0 of 2 throws; chance is 0 or 1."
    for page, words in ((ann.page, "You were"), (bob.page, f"{ann.name} was")):
        expect(page.locator(".strip")).to_contain_text(told.format(words))


@pytest.mark.slow
def test_a_bot_comes_to_whoever_waits_alone_and_is_unrated(new_player: MakePlayer):
    ann = new_player("Ann")
    quick_duel(ann)
    comes = ann.page.locator(".bot-question")
    expect(comes).to_be_visible()
    ann.press("Keep waiting")
    expect(comes).to_have_count(0)
    ann.page.reload()
    ann.expect_live()
    expect(comes).to_be_visible()
    expect(ann.page.locator(".duelist .bot-face")).to_be_visible()
    throw_until_the_end(ann.page)
    expect(ann.page.locator(".ending")).to_contain_text("A duel with a bot is not rated.")
    expect(ann.page.locator(".ending thead")).not_to_contain_text("Rating")


def test_the_analysis_of_a_long_duel_scrolls_by_keys_and_follows_the_replay(
    site: Site, new_player: MakePlayer
) -> None:
    ann, bob = new_player("Ann"), new_player("Bob")
    hands = " ".join(["rs", "rp", "pr", "sp", "rr", "ps"] * 16)
    names = [ann.name, bob.name]
    address = site.call("duel_over", hands=hands, names=names, best_of=99, no_ties=True)
    page = ann.page
    page.goto(address.removesuffix("replay/"))
    strip = page.locator(".strip")
    expect(strip).to_contain_text(re.compile(r"You were read on \d+ of 96 throws; chance is 32\."))
    expect(strip).to_contain_text(re.compile(r"in 100 throws against you; chance is 0, give or ta"))
    expect(strip).to_contain_text(re.compile(r"The reader knew [\d.]+ bits a throw more about you"))
    rows = strip.locator("tbody tr")
    expect(rows.locator("th")).to_have_text(["You", str(bob.name)])
    expect(rows.nth(1).locator("td").first).to_have_text(
        "scissors, expected rock 33 %, paper 33 %, scissors 33 %"
    )
    region = page.get_by_role("region", name="Throws as they were read")
    assert wrong_in_all_looks(page, "duel-analysis", THREE_SIZES) == []

    page.goto(address)
    expect(strip.locator("[aria-current]")).to_have_count(0)
    for place in range(2, 7):
        page.get_by_role("button", name="One on").click()
        expect(page.locator(".replay-count")).to_have_text(re.compile(f"^{place} /"))
    expect(strip.locator("[aria-current]")).to_have_text("2")
    while not region.evaluate("(region) => region === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.strip .scroll-x').scrollLeft > 0")
    expect(page.locator(".replay-count")).to_have_text(re.compile("^6 /"))
    assert wrong_in_all_looks(page, "duel-analysis-replay", THREE_SIZES) == []


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


def test_a_staked_duel_is_changed_suspended_and_on_the_books(site: Site, new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    before = site.call("held")
    bob.go(create_duel(ann, best_of=1, stake=20, rated=False))
    expect(bob.page.locator(".stake-line")).to_contain_text("20 each · the winner gets 38")
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
    assert (ann.balance(), bob.balance()) == (80, 80)

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

    expect_throw(2, ann, bob)
    bob.press("Resign")
    bob.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(bob.page.locator(".ending-head")).to_contain_text("You resigned.")
    expect(ann.page.locator(".ending-head")).to_contain_text(f"{bob.name} resigned.")
    expect_end("You win", ann)
    expect(ann.page.locator(".ending .is-winner")).to_contain_text("+18")
    after, names = site.call("held"), ["", str(ann.name), str(bob.name)]
    assert [after[name] - before[name] for name in names] == [2, 18, -20]
    assert "0 violations" in site.command("audit_ledger", "--whole")


def test_a_person_plays_a_program_beside_the_live_console(site: Site, new_player: MakePlayer):
    page, ann = new_player("Owner").page, new_player("Ann")
    page.goto("/accounts/tokens/")
    page.get_by_label("What is it for?").fill("a program")
    page.get_by_role("button", name="Create token").click()
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    secret = page.get_by_label(re.compile("^Copy it now")).input_value()
    look_at(page, "tokens-made")
    command = [sys.executable, "examples/duel_client.py", site.url, secret]
    program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        ann.go(program.stdout.readline().strip().removeprefix(site.url))
        console = ann.new_tab("/duels/api/")
        console.locator("[name=match]").fill(ann.path)
        console.get_by_role("button", name="Connect").press("Enter")
        expect(console.locator("[data-line-state]")).to_have_text("connected")
        expect(console.locator(".frame").first).to_contain_text("receive_state")
        console.locator("[name=method]").select_option("server_time")
        # From the method on by the keyboard alone.
        console.locator("[name=method]").press("Tab")
        console.keyboard.type("{")
        console.keyboard.press("Enter")
        expect(console.locator(".frame-out")).to_have_count(0)
        console.keyboard.press("Backspace")
        for key in ("Tab", "Enter"):
            console.keyboard.press(key)
        expect(console.locator(".frame").last).to_contain_text('"result"')
        console.close()
        ann.press("Take the seat and play")
        throw_until_the_end(ann.page)
        said, _ = program.communicate(timeout=PATIENCE)
    finally:
        program.kill()
    assert program.returncode == 0
    assert "end_game" in said
    assert said.count("player_chose_hand") == 2 * ann.page.locator(".throws tbody tr").count()
