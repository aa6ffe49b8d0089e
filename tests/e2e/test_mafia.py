import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.inspection import barriers
from tests.e2e.player import MOVING, PHONE, Player
from tests.e2e.site import Site
from tests.e2e.towns import begin, leave_town, look, open_town, read_the_story, see_the_end, talk

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def live_in_town(player: Player, *, votes: bool = True) -> None:
    """Do what Agora waits for: be done by night, go with the most votes by day."""
    page = player.page
    question = page.get_by_role("dialog", name="Done: nobody chosen?")
    if question.count():
        player._try(question.get_by_role("button", name="Done", exact=True))
    elif (done := player.button(re.compile("^Done for tonight"))).count():
        player._try(done)
    citizens = page.locator("button.citizen[aria-pressed]:not(.is-mine)")
    has_voted = page.locator("button.citizen[aria-pressed=true]").count() > 0
    if votes and page.locator(".phase-day").count() and citizens.count() and not has_voted:
        leading = page.locator("button.citizen:not(.is-mine):has(.has-votes)")
        player._try(leading.first if leading.count() else citizens.first)


def live_with_dynamite(player: Player) -> None:
    """Do what Dynamite waits for: vote by day, confront by night if one can, be done."""
    target = player.page.locator("button.citizen[aria-pressed]")
    if target.count() and not player.page.locator("button.citizen[aria-pressed=true]").count():
        player._try(target.last)
    elif (done := player.button(re.compile("^Done for to"))).count():
        player._try(done)


def test_one_person_and_six_bots_play_a_town_to_its_end(site: Site, new_player: MakePlayer):
    ann = new_player("Ann")
    page = ann.page
    page.goto("/mafia/")
    look(page, "lobby-empty")
    open_town(ann, "agora")
    begin(ann, 7, "before", "Night 1")
    expect(page.locator(".role-card")).to_be_visible()
    look(page, "night")
    has_talked = False
    while not page.locator(".ending").count():
        live_in_town(ann, votes=has_talked)
        own = page.locator("button.citizen[aria-pressed=true] .target-text b").all_inner_texts()
        if own and page.locator(".phase-day").count():
            # A day without a majority would last its whole time.
            site.call("lynch", public_id=ann.path.split("/")[2], choice=own[0].split()[0])
        if not has_talked and page.locator(".phase-day").count():
            has_talked = True
            talk(ann)
            look(page, "day")
        see_the_end(ann)
    expect(page.locator(".ending h2")).to_have_text(re.compile("wins|A draw"))
    look(page, "over")
    expect(page.locator(".posts")).to_contain_text("I was at home all night")
    read_the_story(page, "story")
    page.goto("/mafia/")
    expect(page.locator(".finished")).to_contain_text(str(ann.name))
    look(page, "lobby")


@pytest.mark.timeout(1_200)
def test_one_person_and_seven_bots_play_dynamite_to_its_end(new_player: MakePlayer) -> None:
    ann = new_player("Ann")
    page = ann.page
    for count, path in ((1, "?setup=dynamite"), (2, "")):
        page.goto(f"/mafia/{path}")
        expect(page.locator("[data-lobby]")).to_have_count(count)
    for path in ("/mafia/", "/rules/dynamite/", "/mafia/new/?setup=dynamite"):
        page.goto(path)
        look(page, f"dynamite-{path.split('/')[-2]}")
    open_town(ann, "dynamite")
    begin(ann, 8, "dynamite-before", "Day 1")
    expect(page.locator(".team-card")).to_be_visible()
    expect(page.locator(".gauge")).to_be_visible()
    talk(ann)
    look(page, "dynamite-day")
    unseen = {"night": ".phase-night", "deaths": ".obituary", "dead": ".grave"}
    while not page.locator(".ending").count():
        live_with_dynamite(ann)
        for name in [name for name, sign in unseen.items() if page.locator(sign).count()]:
            del unseen[name]
            look(page, f"dynamite-{name}")
        see_the_end(ann)
    expect(page.locator(".ending h2")).to_have_text(re.compile("wins?$|A draw"))
    look(page, "dynamite-over")
    read_the_story(page, "dynamite-story")


def test_spectators_and_the_dead_have_words_and_rooms_of_their_own(new_player: MakePlayer) -> None:
    ann, bob = new_player("Ann"), new_player("Bob")
    path = open_town(ann, "agora", minutes=60)
    ann.press(re.compile("^Fill 6 seats with bots"))
    expect(ann.page.get_by_role("heading", name="7 of 7 seats taken")).to_be_visible()
    ann.press("Ready")
    expect(ann.page.locator(".role-card")).to_be_visible()

    ann.page.get_by_role("tab", name="Notes").click()
    with ann.page.expect_response(re.compile("/notebook/$")):
        ann.page.locator("#notes").fill("I trust nobody")
    ann.go(path)
    ann.page.get_by_role("tab", name="Notes").click()
    expect(ann.page.locator("#notes")).to_have_value("I trust nobody")

    bob.go(path)
    expect(bob.page.get_by_role("heading", name="You are watching")).to_be_visible()
    expect(bob.page.locator("button.citizen, .role-card, #post-text, #notes")).to_have_count(0)
    bob.page.get_by_label("Say something, or type a command").fill("good evening")
    bob.page.get_by_role("button", name="Send").click()
    expect(bob.page.locator(".said-text")).to_have_text("good evening")
    expect(ann.page.get_by_role("tab", name="Chat")).to_have_count(0)
    look(bob.page, "spectator")
    bob.page.get_by_role("tab", name="Notes").click()
    bob.page.locator("#notes").fill("I only watch")
    expect(bob.page.get_by_text("Only players' notes are kept")).to_be_visible()
    look(bob.page, "spectator-notes")

    leave_town(ann)
    expect(ann.page.get_by_role("heading", name="You are dead")).to_be_visible()
    expect(ann.page.get_by_role("heading", name="The graveyard")).to_be_visible()
    # She was the last who had not chosen, so the night ends.
    expect(ann.page.locator(".phase-day")).to_be_visible()
    ann.page.locator("#post-text").fill("Cold here.")
    ann.page.keyboard.press("Control+Enter")
    expect(ann.page.locator(".post-text")).to_have_text("Cold here.")
    expect(bob.page.locator(".citizen.is-dead", has_text=str(ann.name))).to_have_count(1)
    expect(bob.page.get_by_text("graveyard")).to_have_count(0)
    assert "Cold here." not in bob.page.content()
    look(ann.page, "dead")

    expect(ann.button(re.compile("^Play again"))).to_be_visible()
    expect(bob.button("See how it ends")).to_have_count(0)
    ann.page.goto("/")
    expect(ann.page.locator(".mine")).to_contain_text("you are dead")
    ann.go(path)
    ann.press("See how it ends")
    expect(ann.page.locator(".ending")).to_be_visible(timeout=90_000)
    look(ann.page, "played-out")


#: Whether the page is dark, by the colour behind it.
IS_DARK = """() => {
  const channels = getComputedStyle(document.documentElement).backgroundColor.match(/[\\d.]+/g);
  return channels.slice(0, 3).map(Number).every((channel) => channel < 110);
}"""
#: Note each sky that comes, since it stays for a second only.
WATCH_SKY = """() => {
  window.skies = [];
  const note = (node) => node.classList?.contains("sky") && window.skies.push(node.className);
  const watch = (records) => records.forEach(({ addedNodes }) => addedNodes.forEach(note));
  new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
}"""


def begin_as_mafioso(site: Site, player: Player) -> tuple[str, list[str]]:
    town = site.call("begin", idle=player.name, role="mafioso")
    return town["public_id"], town["others"]


def ends(page: Page, selector: str) -> tuple[float, float]:
    """Return where an element begins and ends, from the top of the window."""
    box = page.locator(selector).bounding_box()
    assert box
    return box["y"], box["y"] + box["height"]


def test_a_mafioso_lives_through_night_dawn_and_the_end(site: Site, new_player: MakePlayer) -> None:
    ann = new_player("Ann")
    name, others = begin_as_mafioso(site, ann)
    page = ann.page
    page.emulate_media(reduced_motion="reduce")
    ann.go(f"/mafia/{name}/")

    # The card tells the role; a key closes it, and it does not come again.
    card = page.get_by_role("dialog", name="Your card")
    expect(card.get_by_role("heading")).to_have_text("Mafioso")
    expect(card).to_contain_text("Be as many as the town.")
    look(page, "night-card")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    ann.go(f"/mafia/{name}/")
    expect(page.locator(".role-card")).to_be_visible()
    expect(card).to_have_count(0)

    # The night takes the page in both themes.
    expect(page.locator("html")).to_have_attribute("data-stage", "night")
    for theme in ("dark", "light"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        assert page.evaluate(IS_DARK), theme
    expect(page.locator(".house.is-lit")).to_have_count(5)
    page.get_by_role("button", name=re.compile("^The mafia")).click()
    expect(page.locator(".thread.room-mafia")).to_be_visible()
    expect(ann.button(re.compile("^Post to the mafia"))).to_be_visible()
    # In another tab a post to the mafia is being written.
    writing = page.context.new_page()
    writing.goto(page.url)
    writing.get_by_role("button", name=re.compile("^The mafia")).click()
    writing.get_by_label("Your post to the mafia").fill("Not yet, because")

    # A guest is shown the way to a game like this.
    guest = new_player()
    guest.go(f"/mafia/{name}/")
    expect(guest.page.locator(".own-card, .role-card, .done-bar .btn-brass")).to_have_count(0)
    expect(guest.page.locator(".house.is-mine, .house.is-target")).to_have_count(0)
    link = guest.page.get_by_role("link", name="Play one like it: sign up")
    expect(link).to_have_attribute("href", re.compile("signup/.next=/mafia/"))

    # Nobody is done without a choice by accident.
    ann.press(re.compile("^Done for tonight"))
    question = page.get_by_role("dialog", name="Done: nobody chosen?")
    assert barriers(page) == []
    question.get_by_role("button", name="Choose").click()
    expect(ann.button(re.compile("^Done for tonight"))).to_be_visible()
    victim = others[0]
    ann.button(f"Choose: {victim}").click()
    expect(page.locator(".house.is-target")).to_have_count(1)
    ann.press(re.compile("^Done for tonight"))
    expect(page.locator(".done-bar")).to_contain_text("You are done.")
    expect(ann.button(re.compile("^Undo"))).to_be_visible()
    look(page, "night-night")

    # Dawn: an obituary, a light that is out, and the town's own room.
    site.call("run_out", public_id=name)
    expect(page.locator("html")).to_have_attribute("data-stage", "day")
    expect(page.locator(".sky")).to_be_hidden()
    expect(page.locator(".obituary")).to_contain_text(victim)
    expect(page.locator(".obituary .scene-killed")).to_be_visible()
    expect(page.locator(".house.is-lit")).to_have_count(4)
    expect(page.locator(".role-card")).not_to_have_attribute("open", "")
    # The talk goes back to the town, but not for who was writing.
    expect(ann.button(re.compile("^Post to the town"))).to_be_visible()
    expect(writing.locator("html")).to_have_attribute("data-stage", "day")
    expect(writing.get_by_label("Your post to the mafia")).to_have_value("Not yet, because")
    writing.close()
    page.evaluate("() => { document.documentElement.dataset.theme = 'light'; }")
    assert not page.evaluate(IS_DARK)
    look(page, "night-dawn")

    # The end: it comes into sight, all cards are open, the vote that decided is quoted, the winners
    # are lit.
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    site.call("act", public_id=name, without=[ann.name, victim], choice=ann.name)
    ending = page.locator(".ending")
    expect(ending.locator("h2")).to_have_text("The town wins")
    expect(ending.locator("h2")).to_be_in_viewport()
    expect(ending).to_contain_text("You lost.")
    expect(ending.locator(".fate-card")).to_have_count(5)
    expect(ending.locator(".fate-card.is-winner")).to_have_count(4)
    expect(ending.locator(".fate-card", has_text="Mafioso")).to_contain_text("lynched on day 1")
    quote = ending.locator(".deciding blockquote")
    expect(quote).to_have_text(f"{others[3]} votes for {ann.name}.")
    look(page, "night-end")

    # The replay asks nothing of the player whose eyes it shows.
    page.evaluate("() => localStorage.clear()")
    page.goto(f"/mafia/{name}/replay/")
    expect(page.get_by_role("heading", name="Night 1")).to_be_visible()
    expect(page.locator(".town-card h2")).to_have_text(ann.name)
    expect(page.locator(".town-card p", has_text="Press")).to_have_count(0)
    expect(page.locator(".own-card")).to_have_count(0)


def test_a_phone_has_choices_first_and_dawn_lasts_a_second(site: Site, new_player: MakePlayer):
    ann = new_player("Ann", look=PHONE | MOVING)
    name, _ = begin_as_mafioso(site, ann)
    page = ann.page
    ann.go(f"/mafia/{name}/")
    # Without a press the card goes after a while.
    expect(page.locator(".own-card")).to_be_visible()
    expect(page.locator(".own-card")).to_have_count(0)

    top, bottom = ends(page, ".citizens-box ul.citizens")
    assert top < 500
    assert bottom <= ends(page, ".role-card")[0]
    assert ends(page, ".done-bar")[1] <= 844

    page.evaluate(WATCH_SKY)
    site.call("run_out", public_id=name)
    expect(page.get_by_role("heading", name="Day 1")).to_be_visible()
    expect(page.locator(".sky")).to_have_count(0)
    assert page.evaluate("() => window.skies") == ["sky sky-day"]


#: Whether all of these are on the screen, whole.
ON_SCREEN = """(names) => names.filter((name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return box.top < 0 || box.bottom > innerHeight || box.width === 0;
})"""


def test_the_talk_is_on_the_first_screen_and_one_press_away_on_a_phone(
    site: Site, new_player: MakePlayer
) -> None:
    ann = new_player("Ann")
    name, _ = begin_as_mafioso(site, ann)
    page = ann.page
    ann.go(f"/mafia/{name}/")
    page.keyboard.press("Escape")
    site.call("run_out", public_id=name)
    expect(page.get_by_role("heading", name="Day 1")).to_be_visible()
    page.get_by_role("button", name=re.compile("^The town")).click()
    expect(page.get_by_role("log", name="What happened")).not_to_contain_text("sits down")
    for width, height in ((1280, 800), (1366, 650), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(ON_SCREEN, [".thread-box", "#post-text", ".phase"]) == [], width
        expect(page.locator(".to-talk")).to_be_hidden()
    page.locator("#post-text").fill("Who is it?")
    ann.press(re.compile("^Post"))
    menu = page.locator(".post-menu").first
    menu.locator("summary").click()
    menu.get_by_role("button", name="Quote").click()
    expect(page.locator("#post-text")).to_have_value(re.compile("^> @"))
    expect(menu).not_to_have_attribute("open", "")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("h1").click()
    expect(ann.button(re.compile("^Talk"))).to_be_visible()
    ann.press(re.compile("^Talk"))
    expect(ann.button("Town")).to_be_visible()
    assert page.evaluate(ON_SCREEN, [".thread .panel-head"]) == []
    ann.press("Town")
    expect(ann.button(re.compile("^Talk"))).to_be_visible()
    look(page, "talk")


@pytest.mark.timeout(600)
def test_an_idle_seat_is_taken_over_and_wins(site: Site, new_player: MakePlayer) -> None:
    ann, bob, eve = new_player("Ann"), new_player("Bob"), new_player()
    town = site.call("begin", idle=ann.name)
    name, path = town["public_id"], f"/mafia/{town['public_id']}/"
    ann.go(path)
    expect(ann.page.locator(".role-card")).to_be_visible()
    expect(ann.page.locator(".notice-warning")).to_have_count(0)

    # A night and a day in which everybody is there but Ann.
    site.call("act", public_id=name, without=[ann.name])
    site.call("run_out", public_id=name)
    expect(ann.page.get_by_role("heading", name="Day 1")).to_be_visible()
    expect(ann.page.locator(".notice-warning")).to_contain_text("You did nothing in the last phase")
    look(ann.page, "warned")
    site.call("act", public_id=name, without=[ann.name])
    bob.go(path)
    expect(bob.page.get_by_role("button", name=re.compile("^Take over"))).to_have_count(0)
    site.call("run_out", public_id=name)
    expect(ann.page.locator(".notice-warning")).to_contain_text("Your seat is open")
    look(ann.page, "idle")

    # It is offered in the list and on the board; who is not logged in is shown the way.
    eve.go(path)
    expect(eve.page.locator(".town-card")).to_contain_text("A seat is open here. Sign up or log in")
    bob.page.goto("/mafia/")
    row = bob.page.get_by_role("row", name=re.compile(re.escape(town["title"])))
    expect(row).to_contain_text("night 2 · a seat is open")
    look(bob.page, "offered-lobby")
    row.get_by_role("link", name=re.compile("^Take over")).click()
    expect(bob.page.locator(".open-seat")).to_contain_text(str(ann.name))
    look(bob.page, "offered")
    bob.press(f"Take over the seat of {ann.name}")
    bob.page.get_by_role("dialog").get_by_role("button", name="Take over").click()
    expect(bob.page.locator(".role-card")).to_be_visible()
    expect(bob.page.locator(".notice-warning")).to_have_count(0)
    look(bob.page, "came")

    # The replaced one sees what everybody sees.
    expect(ann.page.get_by_role("heading", name="You were replaced")).to_be_visible()
    expect(ann.page.locator(".role-card, button.citizen, #post-text, .open-seat")).to_have_count(0)
    expect(ann.page.get_by_role("tab", name="Chat")).to_have_count(0)
    said = f"{bob.name} took over seat 1 from {ann.name}."
    for player in (ann, bob, eve):
        player.page.get_by_role("tab", name="Log").click()
        expect(player.page.locator("main")).to_contain_text(said)
    look(ann.page, "replaced")

    # Bob votes with the others, and the town wins.
    site.call("act", public_id=name, without=[bob.name])
    site.call("run_out", public_id=name)
    expect(bob.page.get_by_role("heading", name="Day 2")).to_be_visible()
    bob.page.get_by_role("button", name=re.compile(f"^Vote for {town['mafioso']}")).click()
    # Stored and shown: another vote in between would be for a phase that has moved on.
    own = bob.page.get_by_role("listitem").filter(has_text="You")
    expect(own.first).to_contain_text(f"votes for {town['mafioso']}")
    site.call("act", public_id=name, without=[bob.name, town["mafioso"]], choice=town["mafioso"])
    expect(bob.page.locator(".ending")).to_contain_text("You won.")
    expect(ann.page.locator(".ending h2")).to_have_text("The town wins")
    expect(ann.page.locator(".ending")).not_to_contain_text("You won.")
    bob.page.get_by_role("link", name="The whole story").click()
    expect(bob.page.locator(".story-roles")).to_contain_text(f"took over from {ann.name}")
    expect(bob.page.locator(".story")).to_contain_text(said)
    look(bob.page, "story-of-two")
    ann.page.goto(f"/@{ann.name}/")
    expect(ann.page.locator(".record div", has_text="Reliability")).to_contain_text("new")
    look(ann.page, "profile-reliability")
