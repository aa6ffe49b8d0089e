"""Towns in the browser: one person plays whole games with bots, and reads their stories."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import Player
from tests.e2e.towns import begin, leave_town, look, open_town, read_the_story, see_the_end, talk

pytestmark = pytest.mark.browser


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


# A day in which nobody gets a majority lasts a minute.
@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_one_person_and_six_bots_play_a_town_to_its_end(new_player: MakePlayer) -> None:
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


@pytest.mark.slow
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


@pytest.mark.slow
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
