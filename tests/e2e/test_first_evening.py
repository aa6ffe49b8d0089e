import re

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import begin_duel, expect_end, play_throw
from tests.e2e.inspection import barriers, clipped
from tests.e2e.player import (
    DESKTOP,
    MOVING,
    PHONE,
    READY,
    Player,
    bet_until_the_round,
    play_to_the_end,
    play_until_round,
)
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at

pytestmark = pytest.mark.browser

#: What a refusal's message lies over.
COVERED = """() => {
  const toast = document.querySelector(".toast:last-child").getBoundingClientRect();
  const meets = (box) => box.left < toast.right && toast.left < box.right
    && box.top < toast.bottom && toast.top < box.bottom;
  return [...document.querySelectorAll(".felt, .dock .actions, .side, .top")]
    .filter((el) => meets(el.getBoundingClientRect())).map((el) => el.className);
}"""

#: What stands in a reveal's score.
SCORE = """() => {
  const reveal = document.querySelector(".reveal");
  if (!reveal?.querySelector("h2").textContent.includes("VP")) return null;
  const isInWindow = (el) => {
    const box = el.getBoundingClientRect();
    return box.top >= -1 && box.bottom <= innerHeight + 1;
  };
  return {
    inWindow: [reveal, document.querySelector(".felt")].map(isInWindow),
    looks: [...reveal.querySelectorAll(".result-lines li")].map((line) => line.className),
  };
}"""
#: A reveal whose battles and score stay until a key is pressed.
PATIENT_REVEAL = """{
  const real = window.setTimeout;
  window.setTimeout = (done, wait, ...rest) =>
    real(done, [900, 4000].includes(wait) ? 1e6 : wait, ...rest);
}"""

FOCUSED = "() => document.activeElement?.closest('.dock') !== null"
TURN, CHECK = re.compile("^Your turn"), re.compile("^(Check|Call)")


def with_a_bot(player: Player) -> None:
    """Choose bots on the front page: one click to a table."""
    player.page.goto("/")
    player.page.get_by_label("Against bots").check()
    player.page.get_by_role("button", name=re.compile("^Showdown with a bot")).click()
    player.expect_live()


def test_a_purse_is_offered_can_be_changed_and_one_plays_again(new_player: MakePlayer):
    ann = new_player("Ann", look=PHONE)
    page = ann.page
    with_a_bot(ann)
    purse = page.get_by_label("Purse, in points")
    expect(purse).to_have_value("20")
    assert page.evaluate(FOCUSED), "after the page's button the focus is in the dock"
    expect(page.locator(".seat-kind")).to_contain_text("easy bot")
    purse.fill("90")
    purse.blur()
    ann.press("Ready with 90")
    refusal = page.locator(".toast").last
    expect(refusal).to_contain_text("With bots you may bring 50 points at most today.")
    purse.fill("45")
    purse.blur()
    ann.button("Ready with 45").focus()
    # A refusal lies over the heading until it is closed.
    for close in page.locator(".toast").get_by_role("button", name="Close").all():
        close.click()
    assert clipped(page) == []
    assert barriers(page) == []
    # Everything is put in and given up.
    ann.press(READY)
    turn, ending = page.get_by_role("heading", name=TURN), page.locator(".ending")
    expect(turn).to_be_visible()
    page.keyboard.press("f")
    # After a bot's raise nothing is asked.
    fold = page.get_by_role("dialog").get_by_role("button", name="Fold")
    expect(fold.or_(ending)).to_be_visible()
    if fold.count():
        fold.click()
    expect(page.locator("[data-balance]")).to_have_text("99")
    ann.press("Play again")
    expect(ending).to_have_count(0)
    expect(turn.or_(page.locator(".tray")).or_(ending).first).to_be_visible()


def test_the_board_stays_put_and_explains_turn_refusals_and_weapons(new_player: MakePlayer):
    ann = new_player("Ann")
    page, dock = ann.page, ann.page.locator(".dock")
    with_a_bot(ann)
    # The line is lost and comes back; nothing moves.
    felt = page.locator(".felt").bounding_box()
    ann.is_outage_expected = True
    ann.context.set_offline(True)
    expect(page.locator(".link-notice")).to_be_visible(timeout=2_500)
    expect(page.locator(".link-badge")).to_have_text("reconnecting…")
    assert page.locator(".felt").bounding_box() == felt
    ann.context.set_offline(False)
    ann.expect_live()
    expect(page.locator(".link-notice")).to_have_count(0)
    assert page.locator(".felt").bounding_box() == felt

    # Answers stay in the log, and a refusal covers nothing.
    line = page.get_by_label(re.compile("^Say something"))
    for words in ("!status", "!status", "!purse 20", "!dance"):
        line.fill(words)
        line.press("Enter")
    for feed in (".feed-echo", ".feed-reply"):
        expect(page.locator(feed)).to_have_count(4)
    line.fill("")
    line.blur()
    expect(page.get_by_text("The bots are ready. Take your time.")).to_be_visible()
    ann.press(READY)
    turn = page.get_by_role("heading", name=TURN)
    expect(turn).to_be_visible()
    page.wait_for_function(FOCUSED)  # after Ready the focus is in the dock
    expect(dock.locator(".count")).to_contain_text("time out = fold")
    expect(dock.locator(".notice")).to_contain_text("You bet once per game.")
    expect(page.locator(".wallet")).to_contain_text(re.compile(r"80\s*· 20 in play"))
    words = turn.inner_text().removeprefix("Your turn: ")
    expect(page.locator(".centre-line")).to_contain_text(words)
    line.fill("!mine nobody")
    line.press("Enter")
    expect(page.locator(".feed-reply")).to_have_count(5)
    texts = [reply.inner_text() for reply in page.locator(".feed-reply").all()]
    assert texts[0] == texts[1]
    for number in range(9):
        line.fill(f"line {number}")
        line.press("Enter")
    expect(page.locator(".toast").last).to_be_visible()
    assert page.evaluate(COVERED) == []
    check = ann.button(CHECK)
    if check.inner_text().startswith("Check"):
        expect(check).to_have_class(re.compile("btn-brass"))
        ann.press(re.compile("^Fold"))
        expect(page.get_by_role("dialog", name="Fold for nothing?")).to_be_visible()
        page.keyboard.press("Escape")

    # A weapon says what it beats on its card and in the rules.
    bet_until_the_round(ann)
    card = page.get_by_role("button", name=re.compile("^Boulder .*beats"))
    beats = re.compile("beats Rock, Scissors, Twin Blades and Shuriken$")
    expect(card).to_have_accessible_name(beats)
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("group", name="Weapon").get_by_role("button", name="Sling").click()
    shown = page.locator(".weapon-shown")
    expect(shown.locator(".is-T")).to_have_text("Beats and takesScissors")
    expect(shown.locator(".is-L")).to_have_text(re.compile("^Loses to.*Paper"))
    page.get_by_text("All weapons compared", exact=True).click()
    expect(page.locator(".matrix tbody tr")).to_have_count(9)
    assert barriers(page) == []


def test_nothing_is_locked_in_with_bare_hands_by_mistake(new_player: MakePlayer):
    ann = new_player("Ann", look=DESKTOP | MOVING)
    with_a_bot(ann)
    ann.press(READY)
    bet_until_the_round(ann)
    ann.page.keyboard.press("Enter")
    question = ann.page.get_by_role("dialog", name="Lock in with bare hands?")
    expect(question).to_be_visible()
    question.get_by_role("button", name="Keep choosing").click()
    expect(question).to_have_count(0)
    expect(ann.page.locator(".tray.is-locked")).to_have_count(0)
    ann.press(re.compile("^Lock in"))
    expect(question).to_be_visible()
    ann.page.keyboard.press("Escape")
    ann.page.keyboard.press("1")
    chosen = ann.page.locator(".card[aria-pressed=true]")
    expect(chosen).to_be_visible()
    chosen.hover()
    # The ring stays under the mouse, once its transition has ended.
    expect(chosen).to_have_css("box-shadow", re.compile(r"(?:\b0px 0px 0px.*){2}"))
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator(".round-result, .ending").first).to_be_visible()


def test_a_bot_is_chosen_by_name_and_a_phone_shows_the_round_in_the_dock(new_player: MakePlayer):
    ann = new_player("Ann", look=PHONE)
    ann.page.add_init_script(PATIENT_REVEAL)
    ann.open_table(seats=4, target=15)
    ann.sit_and(ready=False)
    ann.press("Choose a bot…")
    dialog = ann.page.get_by_role("dialog", name="Choose a bot")
    for strength in ("Easy", "Normal", "Hard"):
        row = dialog.get_by_role("region", name=strength)
        expect(row.get_by_role("button")).to_have_count(4)
    assert clipped(ann.page) == []
    dialog.get_by_role("button", name=re.compile("^Nickels_Novak")).click()
    expect(ann.page.locator(".seat .name", has_text="Nickels_Novak")).to_be_visible()
    expect(ann.page.locator(".seat-kind")).to_have_text("hard bot, cautious")
    for count in (2, 3):
        ann.press("Add a bot")
        expect(ann.page.locator(".seat .bot-face")).to_have_count(count)
    ann.press(READY)
    bet_until_the_round(ann)
    for _ in range(len(ann.page.locator(".target").all()) or 1):
        ann.page.locator(".cards-basic .card:not([disabled])").first.click()
        ann.page.wait_for_timeout(300)
    ann.press(re.compile("^Lock in"))
    reveal = ann.page.locator(".reveal")
    expect(reveal).to_be_visible()
    while not reveal.get_by_role("button", name="Continue").count():
        ann._try(reveal.get_by_role("button", name="Skip"))
    # However many lines it has, and on the smallest phone.
    for width, height in ((320, 568), (390, 844)):
        ann.page.set_viewport_size({"width": width, "height": height})
        score = ann.page.wait_for_function(SCORE).json_value()
        assert score["inWindow"] == [True, True], width
    looks = score["looks"]
    assert looks[0] != "is-other"
    assert looks == sorted(looks, key=lambda look: look == "is-other"), "own battles come first"
    reveal.get_by_role("button", name="Continue").click()
    expect(reveal).to_have_count(0)
    expect(ann.page.locator(".round-result")).to_contain_text("Round 1")
    assert clipped(ann.page) == []


def test_a_key_ends_the_reveal_and_the_round_a_half_made_combination(new_player: MakePlayer):
    ann, bob = new_player("Ann"), new_player("Bob")
    ann.page.add_init_script(PATIENT_REVEAL)
    path = ann.open_table(seats=2, target=15)
    bob.go(path)
    bob.sit_and(ready=False)
    expect(ann.page.locator(".is-new .name")).to_contain_text(str(bob.name))
    ann.press(READY)
    expect(ann.page.locator(".seat-clock .ring")).to_be_visible()
    bob.press(READY)
    play_until_round(1, ann, bob)
    for player in (ann, bob):
        expect(player.page.locator(".tray")).to_be_visible()
        player.page.keyboard.press("1")
        expect(player.page.locator(".card[aria-pressed=true]")).to_be_visible()
    bob.page.keyboard.press("Enter")
    ann.page.keyboard.press("m")
    expect(ann.page.locator(".combine-bar")).to_be_visible()
    ann.press(re.compile("^Lock in"))
    reveal = ann.page.locator(".reveal")
    expect(reveal).to_be_visible()
    expect(ann.page.locator(".centre .ring")).to_be_visible()
    ann.page.keyboard.press("j")
    expect(reveal.locator("h2")).to_contain_text("Round 1: ")
    ann.page.keyboard.press("j")
    expect(reveal).to_have_count(0)
    expect(ann.page.locator(".combine-bar")).to_have_count(0)
    expect(ann.page.locator(".round-result")).to_contain_text("Round 1")


def test_a_press_that_does_not_get_through_says_so(new_player: MakePlayer):
    ann = new_player("Ann")
    is_held = []

    def hold(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(lambda frame: None if is_held else server.send(frame))

    ann.page.route_web_socket(re.compile("/ws/match/"), hold)
    with_a_bot(ann)
    is_held.append(True)
    ann.press(READY)
    expect(ann.page.locator(".late")).to_have_text("not sent yet")
    expect(ann.page.locator(".link-badge")).to_have_text("no answer")
    expect(ann.page.locator(".link-notice")).to_contain_text(
        "Your move is sent as soon as it is back."
    )
    is_held.clear()
    expect(ann.page.get_by_role("heading", name=TURN)).to_be_visible()
    expect(ann.page.locator(".late")).to_have_count(0)
    ann.expect_live()


def play_daily(player: Player) -> None:
    page = player.page
    over = page.locator(".ending")
    step = page.get_by_role("button", name=re.compile("^(Check|Call|Lock in)")).first
    while not over.count():
        expect(step.or_(over).first).to_be_visible()
        for key in ("Escape", "c", "1", "2", "Enter"):
            page.keyboard.press(key)
        anyway = page.get_by_role("dialog").get_by_role("button", name=re.compile("anyway|Call"))
        # The dialog may close between the question and the click.
        anyway.evaluate_all("buttons => buttons[0]?.click()")


@pytest.mark.slow
def test_second_evening_of_two(new_player: MakePlayer, chromium: Browser, site: Site) -> None:
    # A rated duel that Ann wins, after which she follows Bob; then another browser.
    first, bob = new_player("Ann"), new_player("Bob")
    begin_duel(first, bob, best_of=1, rated=True)
    play_throw(1, (first, "rock"), (bob, "scissors"))
    expect_end("You win", first)
    first.page.goto(f"/@{bob.name}/")
    first.page.get_by_label(f"More about {bob.name}").click()
    first.page.get_by_role("button", name="Follow", exact=True).click()
    expect(first.page.get_by_text(f"You follow {bob.name}.")).to_be_visible()
    table = first.open_table(seats=2)
    first.sit_and(ready=False)
    ann = Player(chromium.new_context(base_url=site.url, **PHONE), None)
    ann.name, page = first.name, ann.page
    ann.log_in()
    expect(page.get_by_role("heading", name=re.compile(str(ann.name)))).to_be_visible()

    greeting = page.locator(".greeting")
    expect(greeting).to_contain_text(re.compile(r"Duel 16\d\d"))
    going_on = page.get_by_role("region", name="Continue")
    expect(going_on.get_by_role("link")).to_have_attribute("href", table)
    look_at(page, "second-evening-lobby")

    going_on.get_by_role("link").click()
    ann.expect_live()
    bob.go(table)
    bob.sit_and(ready=True)
    ann.sit_and(ready=True)
    play_to_the_end(ann, bob)

    page.goto("/")
    expect(page.get_by_role("region", name="Continue")).to_have_count(0)
    page.get_by_role("link", name="Daily table").click()
    page.get_by_role("button", name="Play today's table").click()
    ann.expect_live()
    page.reload()
    ann.expect_live()
    play_daily(ann)
    page.get_by_role("link", name="See your result").first.click()
    expect(page.locator("[data-shared]")).to_have_value(re.compile(r"chips [■◧□]*\nPlace \d+ of"))
    expect(page.locator(".top .streak")).to_contain_text("1")
    look_at(page, "daily-result")
    page.get_by_role("link", name="Look at the table").click()
    expect(page.locator(".ending")).to_be_visible()
    expect(page.get_by_role("button", name="Play again")).to_have_count(0)

    page.goto("/people/")
    following = page.get_by_role("region", name="Following")
    following.get_by_role("link", name=f"Challenge {bob.name}").click()
    ann.fill(best_of=5)
    page.get_by_role("button", name="Create the duel").click()
    ann.expect_live()
    bob.go(ann.path)
    bob.press("Accept")
    for number in (1, 2, 3):
        play_throw(number, (ann, "rock"), (bob, "paper"))
    expect_end(f"{bob.name} wins", ann)
    habits = page.get_by_role("region", name="Your habits")
    expect(habits).to_contain_text("After a loss you threw Rock twice.")
    expect(habits).to_contain_text(f"{bob.name} beat it twice.")
    look_at(page, "second-evening-habits")

    page.goto(f"/@{ann.name}/")
    expect(page.locator(".record").first).to_be_visible()
    rows = page.get_by_role("region", name="Finished games").locator("tbody tr")
    expect(rows.first.get_by_role("link").first).to_have_attribute("href", re.compile("^/"))
    look_at(page, "second-evening-profile")
    page.goto(f"/@{bob.name}/?game=duel")
    expect(page.locator(".together")).to_contain_text("You won 1")
    assert ann.problems == []
    ann.context.close()
