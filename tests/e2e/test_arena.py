import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import barriers, clipped, nameless
from tests.e2e.player import PHONE, Player
from tests.e2e.site import Site
from tests.e2e.test_pages import WIDE, expect_cards_in_sight, look_at, look_at_all

pytestmark = pytest.mark.browser

#: Whether a later round than this one is chosen for.
NEW_ROUND = """(round) => {
  const words = document.querySelector(".floor-head h2").textContent;
  const found = /^Round (\\d+)$/.exec(words.trim());
  return found !== null && Number(found[1]) > round;
}"""


@pytest.fixture(autouse=True)
def _empty_arena(site: Site) -> None:
    """Begin while nobody is in: whose page is closed is dropped when a round ends."""
    site.call("empty_arena")


#: The sentence that says why.
REASON = re.compile("You beat|You lost|You tied|Everybody you met|Count: |Inverted: |you ")


def chip(player: Player, wish: str) -> Locator:
    return player.page.get_by_role("button", name=re.compile(f"^{wish}: "))


def enter(*players: Player) -> None:
    for player in players:
        player.go("/arena/")
        player.press("Enter the arena")
        expect(player.page.get_by_role("region", name="Your throw")).to_be_visible()


def card(player: Player, move: str) -> Locator:
    if move == "nothing":
        return player.page.locator(".choose-nothing")
    return player.page.locator(f".move-cards .card-{move}")


def choose(player: Player, move: str) -> None:
    card(player, move).click()
    expect(card(player, move)).to_have_attribute("aria-pressed", "true")


def round_on(page: Page) -> int:
    """The round that is chosen for, once there is one."""
    heading = page.locator(".floor-head h2")
    expect(heading).to_have_text(re.compile(r"^Round \d+$"))
    return int(heading.inner_text().removeprefix("Round "))


def begin_round(site: Site, player: Player) -> int:
    """End the round under way; return the number of the next, for which all who are in choose."""
    number = round_on(player.page)
    site.call("end_selection", round_no=number)
    player.page.wait_for_function(NEW_ROUND, arg=number)
    return round_on(player.page)


def end_round(site: Site, number: int, *chosen: tuple[Player, str]) -> None:
    """End a round once these choices are stored; wait for the result, as their players read it."""
    choices = {str(player.name): move for player, move in chosen}
    site.call("end_selection", round_no=number, choices=choices)
    for player, move in chosen:
        expect_result(player, number, f"You threw {move}." if move else "You chose nothing")


def expect_result(player: Player, number: int, words: str) -> None:
    if found := re.match(r"You threw (\w+)", words):
        expect(player.page.locator(f".floor-mine .own-throw.card-{found[1]}")).to_be_visible()
    expect(player.page.locator(".floor-caption")).to_have_text(f"Round {number} is over")
    expect(player.page.locator(".floor .verdict")).to_contain_text(words)


@pytest.mark.slow
def test_two_people_and_an_spectator_see_three_rounds(site: Site, new_player: MakePlayer):
    ann, bob, guest = new_player("Ann"), new_player("Bob", look=PHONE), new_player()
    guest.go("/arena/")
    expect(guest.page.get_by_role("heading", name="Try it: 10 rounds")).to_be_visible()
    enter(ann, bob)
    begin_round(site, ann)
    for move, other in (("rock", "paper"), ("paper", "scissors"), ("scissors", "scissors")):
        number = round_on(ann.page)
        ann.page.keyboard.press(move[0])
        expect(card(ann, move)).to_have_attribute("aria-pressed", "true")
        choose(bob, other)
        end_round(site, number, (ann, move), (bob, other))
        expect(guest.page.locator(".floor-caption")).to_contain_text(f"{number} is over")
        expect(guest.page.locator(".floor .verdict")).not_to_contain_text("You threw")
    spoken = ann.page.locator("[aria-live=polite]").filter(has_text="You threw scissors")
    expect(spoken).to_have_count(1)
    for player in (ann, bob, guest):
        assert clipped(player.page) == []
    # The rounds can be watched again, through the eyes of any player.
    guest.page.goto(f"/arena/rounds/{number}/?as={ann.name}")
    expect_result(guest, number, "You threw scissors.")
    expect(guest.page.locator(".count-column.is-own")).to_contain_text("Scissors")
    guest.page.keyboard.press("ArrowLeft")
    expect(guest.page.locator(".floor-caption")).to_have_text(f"Round {number - 1} is over")
    headline = guest.page.locator(".floor .verdict b")
    expect(headline).to_have_text(re.compile("^(You|Nobody|The round)"))
    assert clipped(guest.page) == []


def test_wishes_hold_choices_are_taken_back_and_a_reset_waits(site: Site, new_player: MakePlayer):
    ann = new_player("Ann")
    enter(ann)
    expect(ann.page.locator(".rivals .is-me")).to_have_text(re.compile(rf"{ann.name} \(you\)"))
    expect(ann.page.locator(".wish-row")).to_have_text("any")
    ann.page.locator(".wishes > summary").click()
    for wish, presses in (("Inverted", ("on",)), ("Count", ("on", "off")), ("Classic", ("on",))):
        for value in presses:
            chip(ann, wish).click()
            expect(chip(ann, wish)).to_have_text(f"{wish} {value}")
    expect(ann.page.locator(".wish-chips button")).to_have_count(6)
    expect(ann.page.locator(".wish-chips [aria-busy=true]")).to_have_count(0)
    expect(ann.page.locator(".wish-row .tag")).to_have_text(
        ["Classic on", "Inverted on", "Count off"]
    )
    number = begin_round(site, ann)
    options = ann.page.get_by_role("list", name="Options of this round")
    expect(options).to_contain_text("Inverted")
    expect(options).to_contain_text("Classic")
    expect(card(ann, "rock")).to_contain_text("beats paper")
    choose(ann, "rock")
    ann.page.keyboard.press(" ")
    expect(card(ann, "nothing")).to_have_attribute("aria-pressed", "true")
    expect(card(ann, "rock")).to_have_attribute("aria-pressed", "false")
    end_round(site, number, (ann, ""))
    ann.page.reload()
    ann.expect_live()
    ann.page.locator(".wishes > summary").click()
    expect(chip(ann, "Inverted")).to_have_text("Inverted on")

    number = begin_round(site, ann)
    choose(ann, "paper")
    end_round(site, number, (ann, "paper"))
    streak = ann.page.locator(".streak h2 .num").inner_text()
    expect(ann.page.locator(".rivals .is-me .num").last).to_have_text(streak)
    expect(ann.page.get_by_role("heading", name=re.compile("[Ss]eason"))).to_be_visible()
    battles = ann.page.locator(".figures div", has_text="Battles won").locator("dd")
    expect(battles).not_to_have_text("0 · 0 · 0")
    dialog = ann.page.get_by_role("dialog")
    ann.press("Reset all to 0")
    expect(dialog).to_contain_text("It cannot be undone")
    dialog.get_by_role("button", name="Keep them").click()
    expect(dialog).to_have_count(0)
    ann.press("Reset all to 0")
    dialog.get_by_role("button", name="Reset all to 0").click()
    expect(ann.page.get_by_text("All your figures go back to 0")).to_be_visible()
    site.call("end_selection", round_no=number + 1)
    expect(battles).to_have_text("0 · 0 · 0")


def test_count_tells_of_numbers_and_leaving_waits_for_the_end(site: Site, new_player: MakePlayer):
    ann = new_player("Ann")
    enter(ann)
    ann.page.locator(".wishes > summary").click()
    for wish, presses in (("Count", 1), ("Team", 2), ("Inverted", 2)):
        for _ in range(presses):
            chip(ann, wish).click()
    # Three actions for five presses: the value that was passed over is not sent.
    for wish, value in (("Count", "on"), ("Team", "off"), ("Inverted", "off")):
        expect(chip(ann, wish)).to_have_attribute("aria-busy", "false")
        expect(chip(ann, wish)).to_have_text(f"{wish} {value}")
    number = begin_round(site, ann)
    expect(card(ann, "rock")).to_contain_text("depends on numbers")
    expect(ann.page.locator(".round-options")).to_contain_text("Your options apply this round.")
    choose(ann, "rock")
    end_round(site, number, (ann, "rock"))
    expect(ann.page.locator(".floor .verdict")).to_contain_text(REASON)

    number = begin_round(site, ann)
    ann.press("Leave")
    leaves = ann.page.get_by_text("You leave when the round is over")
    expect(leaves).to_be_visible()
    site.call("end_selection", round_no=number)
    expect(ann.page.get_by_text("You have left the arena.")).to_be_visible()
    ann.press("Enter the arena")
    expect(ann.page.get_by_role("region", name="Your throw")).to_be_visible()
    # Typed commands are answered to oneself.
    field = ann.page.get_by_label(re.compile("^Type a command"))
    field.fill("!help")
    field.press("Enter")
    expect(ann.page.locator(".arena-feed")).to_contain_text("!rock")
    number = round_on(ann.page)
    field.fill("!leave")
    field.press("Enter")
    expect(leaves.first).to_be_visible()
    site.call("end_selection", round_no=number)
    expect(ann.page.get_by_role("button", name="Enter the arena")).to_be_visible()


@pytest.mark.slow
def test_a_guest_throws_ten_uncounted_rounds(new_player: MakePlayer):
    guest = new_player(look=PHONE)
    guest.go("/arena/")
    guest.expect_live()
    for left in range(10, 0, -1):
        rounds = "round" if left == 1 else "rounds"
        heading = guest.page.get_by_role("heading", name=f"Try it: {left} {rounds} without")
        expect(heading).to_be_visible()
        if left == 9:
            expect(guest.page.locator(".floor .verdict")).to_contain_text("You threw rock.")
            expect(guest.page.locator(".floor .verdict")).to_contain_text(REASON)
        guest.page.keyboard.press("r")
    expect(guest.page.get_by_role("heading", name="Those were your rounds")).to_be_visible()
    expect(guest.page.get_by_role("link", name="Sign up").last).to_be_visible()
    assert barriers(guest.page) == []
    assert clipped(guest.page) == []


def test_a_name_is_blocked_shown_again_and_reported(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    enter(ann, bob)
    name = ann.page.locator(".who-list").get_by_role("button", name=str(bob.name))
    name.click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_text("Report this name").click()
    dialog.get_by_label("What is wrong?").fill("It shouts")
    assert barriers(ann.page) == []
    dialog.get_by_role("button", name="Report").click()
    expect(ann.page.locator(".toast")).to_contain_text("The house will look at")
    name.click()
    dialog.get_by_role("button", name="Block").click()
    expect(name).to_have_count(0)
    ann.page.reload()
    ann.expect_live()
    expect(name).to_have_count(0)
    ann.press("1 name blocked")
    dialog.get_by_role("button", name="Show again").click()
    expect(name).to_have_count(1)


def test_the_calculator_follows_what_is_typed(new_player: MakePlayer):
    guest = new_player(look=PHONE)
    page = guest.page
    page.goto("/arena/rules/")
    for move, count in (("Rock", "1"), ("Paper", "2"), ("Scissors", "3")):
        expect(page.get_by_label(move, exact=True)).to_have_value(count)
    for move in ("Rock", "Paper", "Scissors"):
        page.get_by_label(move, exact=True).fill("94906266")
    together = page.get_by_role("region", name="All players on a move together")
    expect(together).to_contain_text("9,007,199,326,062,756")
    page.get_by_label("Rock", exact=True).fill("94906267")
    expect(page.get_by_text("A whole number from 0 to 94,906,266.")).to_be_visible()
    # The tables of the last numbers stay.
    expect(together).to_contain_text("9,007,199,326,062,756")
    assert clipped(page) == []
    assert nameless(page) == []
    assert barriers(page) == []


@pytest.mark.slow
def test_the_arena_in_all_its_looks(site: Site, new_player: MakePlayer):
    ann, bob, guest = new_player("Ann"), new_player("Bob"), new_player()
    guest.go("/arena/")
    look_at(guest.page, "arena-guest")
    ann.go("/arena/")
    look_at(ann.page, "arena-watching")
    enter(ann, bob)
    number = begin_round(site, ann)
    expect_cards_in_sight(ann.page)
    choose(ann, "rock")
    end_round(site, number, (ann, "rock"))
    look_at(ann.page, "arena-playing")
    tiny(ann.page)
    ann.press("Reset all to 0")
    look_at(ann.page, "arena-reset")
    ann.page.get_by_role("button", name="Keep them").click()
    bob.page.goto("/arena/history/")
    look_at(bob.page, "arena-history")
    tiny(bob.page)
    paths = {"board": "/arena/leaderboard/", "rules": "/arena/rules/"}
    paths["round"] = f"/arena/rounds/{number}/"
    look_at_all(guest, "guest-arena", paths)
    for path in ("/", *paths.values()):
        guest.page.goto(path)
        tiny(guest.page)


def tiny(page: Page) -> None:
    """On the smallest phone everything fits, and what is pressed is large enough."""
    page.set_viewport_size({"width": 320, "height": 640})
    small = page.evaluate(
        """() => [...document.querySelectorAll("main button, .bottom-nav a")]
          .filter((el) => el.checkVisibility() && el.getBoundingClientRect().height < 43.5)
          .map((el) => el.textContent.trim())"""
    )
    assert (clipped(page), small) == ([], []), page.url
    page.set_viewport_size(WIDE)
