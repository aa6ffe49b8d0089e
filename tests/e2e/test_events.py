"""Evenings in a Train: alone with bots, and four people; from the form to the cup."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.duelist import play_throw, throw_until_the_end
from tests.e2e.player import DESKTOP, PHONE, Player
from tests.e2e.site import Site
from tests.e2e.test_pages import look_at
from tests.games.events.test_pages import verify

pytestmark = pytest.mark.browser

#: What the page says once the viewer's pair is decided, and where the viewer plays no more.
DECIDED = re.compile("You go on|in a few seconds|You ride|Winner|The clock runs")
ENDED = re.compile("You ride|Winner")


def founded(page: Page, bots: int = 8) -> str:
    """Make a Train, whose founder is aboard; return its address."""
    page.goto("/events/new/")
    page.get_by_label("Bots fill it up to").fill(str(bots))
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", name="You are aboard")).to_be_visible()
    return page.url


GOES_ON = "You go on. The next station begins when all pairs are decided."
RIDES = re.compile(r"^You ride in the train of \w+\.$")


def notice_of(player: Player, words: str | re.Pattern[str]) -> Locator:
    return player.page.locator(".ending .notice", has_text=words)


def pairs_of(people: list[Player]) -> list[list[Player]]:
    """Wait until all are at their tables, and return who meets whom."""
    at = dict[str, list[Player]]()
    for player in people:
        player.page.wait_for_url("**/duels/**")
        at.setdefault(player.path, []).append(player)
    return list(at.values())


def win(winner: Player, loser: Player, *, throws: int) -> Player:
    for number in range(1, throws + 1):
        play_throw(number, (winner, "rock"), (loser, "scissors"))
    for player in (winner, loser):
        expect(player.page.locator(".ending")).to_be_visible()
    return winner


@pytest.mark.slow
def test_one_person_plays_a_train_with_bots_to_its_end(site: Site, new_player: MakePlayer) -> None:
    ann = new_player("Ann", PHONE)
    page = ann.page
    address = founded(page)
    public_id = address.rstrip("/").rpartition("/")[2]
    assert re.fullmatch(r"\d+:\d\d", page.locator(".event-clock").inner_text())
    look_at(page, "event-announced")
    # The first opponent is known some seconds before the table, to which the page goes.
    site.call("bring_forward", public_id=public_id)
    expect(page.locator(".event-now")).to_contain_text("in a few seconds")
    assert page.locator(".trains > li").count() == 4
    assert "is-me" in (page.locator(".trains > li").first.get_attribute("class") or "")
    now = page.locator(".event-now")
    while True:
        page.wait_for_url("**/duels/**")
        throw_until_the_end(page)
        page.get_by_role("link", name="To Our Train").click()
        # In the end it says where one rides, or who won; else it leads to the next table.
        told = now.filter(has_text=DECIDED)
        told.or_(page.locator("#board")).first.wait_for()
        if told.is_visible() and ENDED.search(told.inner_text()):
            break
    look_at(page, "event-after")
    expect(page.locator(".event-now h2")).to_have_text(re.compile(" won$"), timeout=120_000)
    look_at(page, "event-over")
    assert page.locator(".trains > li").count() == 7
    proof = json.loads(page.request.get(f"{address}proof.json").text())
    said = verify(proof)
    assert len(said) == 2
    assert not any(words.startswith("WRONG") for words in said)
    page.locator("summary", has_text="Proof").click()
    page.get_by_role("link", name="Check it here").click()
    expect(page.locator("[data-proof-said] li")).to_have_count(2)
    expect(page.locator("[data-proof-said] .tag-good")).to_have_count(2)
    page.goto("/events/")
    expect(page.get_by_role("heading", name="Events")).to_be_visible()
    look_at(page, "events")
    page.get_by_role("link", name="All finished events").click()
    expect(page.get_by_role("link", name="Our Train").first).to_be_visible()
    look_at(page, "events-finished")


def test_four_people_play_a_train_to_the_cup(site: Site, new_player: MakePlayer) -> None:
    looks = {"Ann": PHONE, "Bob": DESKTOP, "Cid": PHONE, "Dee": DESKTOP}
    people = [new_player(name, look) for name, look in looks.items()]
    address = founded(people[0].page, bots=0)
    for player in people[1:]:
        player.page.goto(address)
        player.page.get_by_role("button", name="Register").click()
        expect(player.page.get_by_role("heading", name="You are aboard")).to_be_visible()
    site.call("bring_forward", public_id=address.rstrip("/").rpartition("/")[2])
    winners = [win(*pair, throws=2) for pair in pairs_of(people)]
    for player in people:
        expect(notice_of(player, GOES_ON if player in winners else RIDES)).to_be_visible()
        # An event's call is no game that waits.
        expect(player.page.locator(".next-game")).to_have_count(0)
        player.page.get_by_role("link", name="To Our Train").click()
    for player in people:
        if player not in winners:
            expect(player.page.locator(".event-now")).to_contain_text("You ride in the train of")
            expect(player.page.get_by_role("link", name="plays now: watch")).to_be_visible()
    (final,) = pairs_of(winners)
    champion = win(*final, throws=3)
    for player in final:
        words = "You have won the event." if player is champion else "You came second."
        expect(notice_of(player, words)).to_be_visible()
        look_at(player.page, f"event-ending-{player is champion}")
        player.page.get_by_role("link", name="To Our Train").click()
    for player in people:
        expect(player.page.locator(".event-now h2")).to_have_text(f"{champion.name} won")
    champion.page.goto(f"/@{champion.name}/")
    expect(champion.page.locator("main")).to_contain_text("Trains won 1")
    look_at(champion.page, "event-cup")


def test_who_ticks_stay_is_not_taken_to_the_table(site: Site, new_player: MakePlayer) -> None:
    page = new_player("Ann").page
    address = founded(page)
    page.get_by_label("Stay here").check()
    site.call("bring_forward", public_id=address.rstrip("/").rpartition("/")[2])
    link = page.get_by_role("link", name="Go to your table")
    expect(link).to_be_visible()
    expect(page).to_have_url(address)
    # What waits for the user is at the bell of every page.
    page.goto("/shop/")
    expect(page.locator("[data-bell-list]")).to_contain_text("Our Train, station 1")
    page.goto(address)
    link.click()
    page.wait_for_url("**/duels/**")
