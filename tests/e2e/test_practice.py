import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import create_duel, throw_until_the_end
from tests.e2e.player import PASSWORD, PHONE, READY, Player, bet_until_the_round, play_to_the_end
from tests.e2e.test_pages import look_at
from tests.e2e.towns import open_town
from tests.platform.prepared import copy_all
from tests.platform.server import Server

pytestmark = pytest.mark.browser


def test_a_guest_throws_with_one_click_or_key_and_plays_again(new_player: MakePlayer):
    guest, other = new_player(), new_player(look=PHONE)
    page = guest.page
    page.goto("/")
    look_at(page, "practice-home")
    page.locator("[data-throw=rock]").click()
    expect(page.locator(".verdict")).to_contain_text(re.compile("Rock|Paper"))
    look_at(page, "practice-home-thrown")
    other.page.goto("/")
    other.page.locator("[data-throw=paper]").focus()
    other.page.keyboard.press("Enter")
    expect(other.page.locator(".verdict")).to_contain_text("Paper")
    expect(other.page.locator("[data-door]")).to_be_focused()
    for player in (guest, other):
        throw_until_the_end(player.page, ".door-ending")
    look_at(page, "practice-home-over")
    for player in (guest, other):
        player.page.get_by_role("button", name="Play again").click()
        heading = player.page.get_by_role("heading", name="Throw 1: choose your hand")
        expect(heading).to_be_visible()
        # A throw is no lesson: that is still on offer.
        assert "learned" not in {cookie["name"] for cookie in player.context.cookies()}
    page.goto("/practice/duel/")
    page.locator(".throw-card").first.click()
    expect(page.locator(".verdict")).to_contain_text("Rock")
    page.reload()
    expect(page.locator(".throws")).to_contain_text("Rock")


def test_a_bot_is_chosen_by_its_character_and_says_how_it_played(new_player: MakePlayer):
    guest, ann = new_player(look=PHONE), new_player("Ann")
    page = guest.page
    page.goto("/practice/duel/")
    page.get_by_role("button", name="Choose a bot").click()
    expect(page.get_by_role("dialog")).not_to_contain_text("Like me")
    look_at(page, "practice-bots")
    page.locator(".bot-choice", has_text="Bookkeeper").click()
    page.wait_for_url("**/practice/duel/?bot=Bookkeeper_Bo")
    expect(page.locator(".duelist", has_text="Bookkeeper_Bo")).to_be_visible()
    throw_until_the_end(page)
    expect(page.locator(".bot-says")).to_contain_text(
        re.compile("I (waited for you|found nothing)")
    )
    look_at(page, "practice-bot-says")
    create_duel(ann)
    ann.press("Choose a bot…")
    look_at(ann.page, "duel-bots")
    ann.press("Like me")
    expect(ann.page.locator(".duelist .bot-face").first).to_be_visible()


def test_a_guest_plays_showdown_against_bots_with_one_click(new_player: MakePlayer):
    guest = new_player()
    page = guest.page
    page.goto("/")
    page.get_by_role("link", name="Play now").click()
    expect(page.locator(".practice-strip")).to_contain_text("Practice chips")
    check = page.get_by_role("button", name=re.compile("^(Check|Call)")).first
    expect(check).to_be_enabled()
    look_at(page, "practice-table")
    bet_until_the_round(guest)
    expect(page.locator(".tray")).to_be_visible()
    look_at(page, "practice-round")


def test_three_clicks_lead_to_a_table_past_a_password_that_is_shown(new_player: MakePlayer):
    guest = new_player()
    page = guest.page
    page.goto("/duels/")
    page.locator("main").get_by_role("link", name="Sign up to duel").first.click()  # 1
    look_at(page, "practice-sign-up")
    guest.fill(username="Threeclicks", password1=PASSWORD)
    field = page.locator("[name=password1]")
    expect(page.locator("[type=password]")).to_have_count(1)
    show = page.get_by_role("button", name="Show the password")
    show.click()
    expect(field).to_have_attribute("type", "text")
    expect(show).to_have_attribute("aria-pressed", "true")
    show.click()
    expect(field).to_have_attribute("type", "password")
    page.locator("main").get_by_role("button", name="Sign up").click()  # 2
    expect(page.get_by_role("heading", name="Play for points")).to_be_visible()
    look_at(page, "practice-start")
    page.get_by_role("button", name="Find an opponent").click()  # 3
    expect(page.get_by_role("heading", name="Before the duel")).to_be_visible()


def test_the_lesson_has_six_steps_and_is_offered_once(new_player: MakePlayer):
    guest = new_player()
    page = guest.page
    page.goto("/")
    page.get_by_role("link", name="Learn it in six steps").click()
    step = page.locator(".lesson h2")
    expect(step).to_have_text("1/6 Bet once")
    look_at(page, "lesson-bet")
    guest.press(re.compile("^Check"))
    expect(step).to_have_text("2/6 Throw in secret")
    ringed = page.locator(".is-ringed")
    expect(ringed).to_contain_text("Rock")
    expect(ringed).to_be_in_viewport(ratio=0.99)
    guest.press(re.compile("^Combine"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("^Mine under")).click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".toast").last).to_contain_text("First: throw in secret")
    ringed.click()
    expect(ringed).to_contain_text("Lock in")
    ringed.click()
    expect(step).to_have_text("3/6 Battles and victory points")
    expect(page.locator(".lesson")).to_contain_text("Rock against Scissors: you win the battle")
    look_at(page, "lesson-battle")
    page.locator(".lesson").get_by_role("button", name="Continue").click()
    expect(step).to_have_text("4/6 Combine")
    page.locator(".lesson").get_by_role("button", name="Skip this step").click()
    expect(step).to_have_text("5/6 Your stash, and a mine")
    page.get_by_role("button", name=re.compile("^Mine under")).click()
    guest.press("Plant it")
    expect(step).to_have_text("6/6 Win the pot")
    leave = page.locator(".lesson").get_by_role("link", name="Leave the lesson")
    expect(leave).to_have_attribute("href", "/")
    play_to_the_end(guest)
    expect(page.locator(".lesson")).to_contain_text("That is a whole game.")
    page.goto("/")
    expect(page.get_by_role("link", name="Play now")).to_be_visible()
    expect(page.get_by_role("link", name="Learn it in six steps")).to_have_count(0)


def test_a_phone_finds_every_game_and_leaves_a_board_by_its_menu(new_player: MakePlayer):
    guest = new_player(look=PHONE)
    page = guest.page
    page.goto("/")
    games = page.get_by_role("region", name=re.compile("games, one purse$"))
    for word in ("Showdown", "Duel", "Arena", "Agoran Mafia", "Dynamite"):
        expect(games.get_by_role("link", name=re.compile(word)).first).to_be_visible()
    for path in ("/arena/", "/practice/showdown/"):
        page.goto(path)
        page.get_by_label("Menu", exact=True).click()
        page.get_by_role("link", name="Duels", exact=True).click()
        expect(page).to_have_url(re.compile("/duels/$"))
        expect(page.get_by_label("Menu", exact=True)).to_be_hidden()


def test_a_recorded_game_moves_until_it_is_paused(tmp_path, prepared, chromium) -> None:
    # At a site at which nothing is on: other tests leave tables behind.
    var = copy_all(prepared, tmp_path)
    with Server(var, "daphne", DJANGO_SETTINGS_MODULE="tests.faults.settings") as server:
        guest = Player(chromium.new_context(base_url=f"http://127.0.0.1:{server.port}"), None)
        page = guest.page
        page.emulate_media(reduced_motion="no-preference")
        page.goto("/")
        demo = page.locator("[data-demo]")
        demo.scroll_into_view_if_needed()
        words = demo.locator("[data-demo-words]")
        expect(words).not_to_be_empty()
        first = words.inner_text()
        expect(words).not_to_have_text(first)
        pause = demo.get_by_role("button", name="Pause")
        pause.click()
        expect(pause).to_have_attribute("aria-pressed", "true")
        guest.context.close()
    assert guest.problems == []


def test_one_list_has_all_open_seats_and_a_switch_turns_to_bots(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    bob.page.goto("/")
    opened = bob.page.get_by_role("region", name="Open now")
    expect(bob.page.locator("[data-lobby-state]")).to_have_text("live")
    table = ann.open_table(seats=3)
    row = opened.locator("tr", has=bob.page.locator(f"a[href='{table}']"))
    expect(row).to_contain_text("first to")
    look_at(bob.page, "lobby-open")
    row.get_by_role("link", name=re.compile("^Join")).click()
    bob.expect_live()
    ann.page.goto("/")
    going_on = ann.page.get_by_role("region", name="Continue")
    expect(going_on.get_by_role("link")).to_have_attribute("href", table)
    look_at(ann.page, "lobby-member")
    # A switch turns the games to bots.
    modes = ann.page.get_by_role("region", name="Play")
    expect(modes.get_by_role("button", name=re.compile("^Duel a bot"))).to_be_hidden()
    modes.get_by_label("Against bots").check()
    modes.get_by_role("button", name=re.compile("^Duel a bot")).click()
    ann.expect_live()
    expect(ann.page.get_by_role("heading", name="Throw 1: choose your hand")).to_be_visible()


def test_a_challenge_stands_on_top_of_the_lobby_until_it_is_answered(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    bob.page.goto("/")
    asked = bob.page.get_by_role("region", name="Challenges")
    expect(bob.page.locator("[data-lobby-state]")).to_have_text("live")
    expect(asked).to_have_count(0)
    form = f"/duels/new/?opponent={bob.name}"
    ann.open(form, "Create the duel", best_of=3, stake=20)
    ann.page.goto("/")
    own = ann.page.get_by_role("region", name="Challenges")
    expect(own).to_contain_text(f"You challenge {bob.name}")
    # The row appears and leaves without a reload.
    expect(asked).to_contain_text(f"{ann.name} challenges you")
    expect(asked).to_contain_text("Best of 3, 20 points")
    look_at(bob.page, "lobby-challenged")
    own.get_by_role("button", name="Cancel").click()
    expect(own).to_have_count(0)
    expect(asked).to_have_count(0)
    ann.open(form, "Create the duel")
    asked.get_by_role("button", name=re.compile("^Accept")).click()
    bob.expect_live()
    for player in (ann, bob):
        expect(player.page.get_by_role("heading", name=re.compile("^Throw 1"))).to_be_visible()


def quick_seat(player: Player, ante: int) -> None:
    player.page.goto("/")
    tile = f".mode-stakes button.on-people[value='{ante}']"
    player.page.get_by_role("region", name="Play").locator(tile).click()
    player.expect_live()
    expect(player.button(READY)).to_be_visible()


def test_the_tile_seats_people_together_and_a_bot_with_who_stays_alone(new_player: MakePlayer):
    ann, bob, cyd = new_player("Ann"), new_player("Bob", look=PHONE), new_player("Cyd")
    cyd.page.goto("/tables/")
    look_at(cyd.page, "tables-empty")
    quick_seat(cyd, 20)
    quick_seat(ann, 5)
    expect(ann.page.locator(".bot-question")).to_be_visible()
    look_at(ann.page, "quick-seat")
    quick_seat(bob, 5)
    assert bob.path == ann.path
    expect(ann.page.locator(".bot-question")).to_have_count(0)
    # Cyd has pressed nothing more.
    expect(cyd.page.locator(".seat .bot-face")).to_have_count(1)
    for player in (ann, bob):
        player.press(READY)
    for player in (ann, bob):
        expect(player.page.locator(".centre .pot")).to_be_visible()


def test_a_blocked_player_is_not_heard_until_the_block_is_undone(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob", look=PHONE)
    bob.page.goto("/settings/avatar/")
    bob.page.get_by_text("Stapler", exact=True).click()
    bob.page.get_by_role("button", name="Save").click()
    expect(bob.page.locator(".profile-head use[href$='#stapler']")).to_be_visible()
    ann.open_table(seats=2)
    bob.go(ann.path)
    bob.page.get_by_role("button", name=re.compile("^Sit here with")).click()
    expect(ann.page.locator(".disc use[href$='#stapler']")).to_be_visible()
    bob.page.get_by_role("button", name="Good luck").click()
    ann.page.get_by_role("tab", name=re.compile("^Chat")).click()
    said = ann.page.get_by_role("log", name="Chat")
    expect(said).to_contain_text("Good luck")
    said.get_by_role("button", name=re.compile(str(bob.name))).click()
    menu = ann.page.get_by_role("dialog", name=str(bob.name))
    expect(menu.get_by_role("link", name="Report")).to_have_attribute("href", re.compile("no=1"))
    look_at(ann.page, "people-menu")
    menu.get_by_role("button", name="Block").click()
    expect(menu.get_by_role("status")).to_have_text(f"{bob.name} is blocked.")
    menu.get_by_role("button", name="Close").click()
    expect(said).not_to_contain_text("Good luck")
    # A second phrase would have to wait.
    line = bob.page.get_by_label(re.compile("^Say something"))
    line.fill("Never mind")
    line.press("Enter")
    expect(bob.page.get_by_role("log", name="Chat")).to_contain_text("Never mind")
    ann.page.get_by_role("button", name="Good luck").click()
    expect(said).to_have_text(re.compile(f"{ann.name}.*Good luck$"))
    ann.page.goto("/people/")
    look_at(ann.page, "people")
    ann.page.get_by_role("button", name=f"Unblock {bob.name}").click()
    expect(ann.page.get_by_role("heading", name="Blocked")).to_have_count(0)
    ann.go(bob.path)
    ann.page.get_by_role("tab", name=re.compile("^Chat")).click()
    expect(said).to_contain_text("Never mind")


SIT = re.compile(r"^Sign up and sit \(100 free points\)$")


def sign_up_here(player: Player, name: str) -> None:
    player.fill(username=name, password1=PASSWORD)
    player.page.locator("main").get_by_role("button", name="Sign up").click()


def expect_seated(player: Player, path: str) -> None:
    """The person is back at the table, on a seat, with the purse to be chosen."""
    player.page.wait_for_url(f"**{path}")
    player.expect_live()
    expect(player.page.locator(".seats .name", has_text="You")).to_be_visible()
    expect(player.page.get_by_label("Purse").first).to_be_visible()
    expect(player.button(READY)).to_be_enabled()


def test_a_guest_at_an_open_or_a_private_table_signs_up_and_sits(new_player: MakePlayer):
    ann, guest, stranger = new_player("Ann"), new_player(look=PHONE), new_player(look=PHONE)
    path = ann.open_table(seats=3)
    guest.go(path)
    expect(guest.page.locator("#board").get_by_role("link", name=SIT)).to_be_visible()
    look_at(guest.page, "guest-at-table")
    guest.page.locator(".seats").get_by_role("link", name="Free seat").first.click()
    sign_up_here(guest, "Newcomer")
    expect_seated(guest, path)
    # The press counts once: who stands up and looks again stays a spectator.
    guest.press("Stand up")
    expect(guest.button(re.compile("^Sit down with"))).to_be_visible()
    guest.page.reload()
    guest.expect_live()
    expect(guest.button(re.compile("^Sit down with"))).to_be_visible()

    path = ann.open_table(listed=False, spectators=False)
    page = stranger.page
    page.goto(path)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(f"{ann.name} invites you to Showdown")
    look_at(page, "invitation")
    page.get_by_role("link", name=SIT).click()
    sign_up_here(stranger, "Stranger")
    expect_seated(stranger, path)


def test_a_guest_at_another_game_signs_up_and_sits_but_is_not_ready(new_player: MakePlayer):
    ann = new_player("Ann")
    for name, path, seat in (
        ("duel", create_duel(ann), ".duelist"),
        ("town", open_town(ann, "agora"), ".citizens"),
    ):
        guest = new_player(look=PHONE)
        guest.go(path)
        free = guest.page.locator(seat).get_by_role("link", name="Free seat")
        expect(free.first).to_be_visible()
        look_at(guest.page, f"guest-at-{name}")
        guest.page.locator("#board").get_by_role("link", name=SIT).click()
        sign_up_here(guest, f"Guest_{name}")
        guest.page.wait_for_url(f"**{path}")
        guest.expect_live()
        expect(guest.button("Stand up")).to_be_visible()
        expect(guest.button("Ready")).to_be_enabled()
    guest = new_player(look=PHONE)
    guest.go("/arena/")
    guest.page.locator("#board").get_by_role("link", name=re.compile("^Sign up and enter")).click()
    sign_up_here(guest, "Gladiator")
    guest.page.wait_for_url("**/arena/")
    guest.expect_live()
    expect(guest.button("Leave")).to_be_visible()
