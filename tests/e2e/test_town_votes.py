import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import MakePlayer
from tests.e2e.player import DESKTOP, Player
from tests.e2e.site import Site
from tests.e2e.towns import leave_town, look

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ZONE = "America/New_York"


def vote(player: Player, name: str) -> None:
    citizen = player.page.get_by_role("button", name=re.compile(rf"ote for {name}\b"))
    citizen.click()
    expect(citizen).to_have_attribute("aria-pressed", "true")


def post(player: Player, text: str) -> None:
    player.page.locator("#post-text").fill(text)
    player.press(re.compile("^Post"))
    expect(player.page.locator("#post-text")).to_have_value("")


def test_votes_wagons_search_and_a_last_will(new_player: MakePlayer) -> None:
    people = [new_player(name, {**DESKTOP, "viewport": {"width": 1280, "height": 800}})
              for name in ("Ann", "Bob", "Cyd", "Dan")]  # fmt: skip
    ann, bob, cyd, dan = people
    ann.page.goto("/mafia/new/?setup=dynamite")
    look(ann.page, "votes-new")
    ann.fill(seats=4, length=10)
    ann.page.get_by_label("Last wills").check()
    ann.page.get_by_role("button", name="Open the game").click()
    ann.expect_live()
    for player in (bob, cyd, dan):
        player.go(ann.path)
        player.press("Take a seat")
    for player in people:
        player.press("Ready")
    expect(ann.page.get_by_role("heading", name="Day 1")).to_be_visible()

    ann.page.get_by_role("tab", name="Will").click()
    expect(ann.page.locator(".notes small")).to_contain_text("You have no will.")
    ann.page.locator("#will").fill(f"It was {bob.name}.")
    ann.press("Keep")
    expect(ann.page.locator(".notes small")).to_contain_text("Kept.")
    look(ann.page, "votes-will")
    ann.go(ann.path)
    ann.page.get_by_role("tab", name="Will").click()
    expect(ann.page.locator("#will")).to_have_value(f"It was {bob.name}.")

    post(bob, "Good morning.")
    vote(bob, str(cyd.name))
    post(cyd, "A lovely day for a walk.")
    vote(cyd, str(bob.name))
    vote(dan, str(bob.name))
    vote(bob, str(ann.name))
    lines = dan.page.locator(".posts > li:not(.post-phase)")
    expect(lines).to_have_count(6)
    expect(lines.nth(1)).to_contain_text(f"{bob.name} votes for {cyd.name}")
    expect(lines.nth(4)).to_contain_text(f"{dan.name} votes for {bob.name}")
    expect(lines.nth(4).locator(".votes")).to_have_text("2")
    dan.press("Find")
    dan.page.locator(".thread-tools").get_by_role("button", name="Votes").click()
    expect(lines).to_have_count(2)
    dan.page.get_by_placeholder("Search").fill("lovely")
    expect(lines).to_have_count(1)
    expect(dan.page.locator(".thread-tools [role=status]")).to_have_text("1 of 2 posts")

    # The votes tab: the wagons now and before, the text, and the way to a post.
    page = dan.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("tab", name="Votes").click()
    shown = page.locator(".wagon")
    expect(shown).to_have_count(2)
    expect(shown.first).to_contain_text(str(bob.name))
    expect(shown.first.locator(".wagon-voters li")).to_contain_text([str(cyd.name), str(dan.name)])
    expect(page.locator(".vote-history")).to_contain_text(f"Not voting (1): {ann.name}")
    scrubber = page.locator("#vote-moment")
    scrubber.focus()
    page.keyboard.press("Home")
    expect(shown).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text(str(cyd.name))
    page.keyboard.press("End")
    expect(shown).to_have_count(2)
    page.get_by_role("button", name="Copy as text").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert f"{bob.name} (2): {cyd.name} (#2, " in text
    assert f"Not voting (1): {ann.name}" in text
    page.locator(".wagon .vote-place").first.click()
    expect(page.locator("#post-2")).to_be_focused()
    expect(page.get_by_placeholder("Search")).to_have_count(0)
    look(dan.page, "votes-wagons")

    vote(ann, str(dan.name))
    for player in people:
        player.press(re.compile("^Done for today"))
    expect(ann.page.get_by_role("heading", name="Night 1")).to_be_visible()
    leave_town(ann)
    for player in (bob, cyd, dan):
        done(player)
    expect(bob.page.get_by_text(f"It was {bob.name}.")).to_have_count(0)
    will = bob.page.locator(".post.is-will")
    expect(will).to_contain_text(f"It was {bob.name}.", timeout=90_000)
    expect(will.locator(".tag").first).to_have_text("last will")
    look(bob.page, "votes-will-read")
    bob.press("Find")
    phases = bob.page.get_by_role("group", name="Phase")
    phases.get_by_role("button", name="Day 1").click()
    expect(bob.page.locator(".posts > .post")).to_have_count(2)
    expect(bob.page.locator(".posts > .post-vote")).to_have_count(5)
    phases.get_by_role("button", name="Night 1").click()
    expect(bob.page.locator(".posts > .post-vote")).to_have_count(0)
    look(bob.page, "votes-phase")
    for player in people[1:]:
        if not player.page.locator(".ending").count():
            leave_town(player)
    expect(bob.page.locator(".ending")).to_be_visible(timeout=90_000)
    bob.page.goto("/mafia/archive/?setup=dynamite&size=4")
    row = bob.page.locator(".finished li").first
    expect(row).to_contain_text(re.compile(r"(won|Draw) on (day|night) \d.*4 players"))
    expect(row).to_contain_text(str(ann.name))
    look(bob.page, "votes-archive")
    bob.page.goto(f"/@{ann.name}/?game=dynamite")
    expect(bob.page.get_by_text(re.compile("left town in night 1"))).to_be_visible()
    look(bob.page, "votes-profile")
    bob.page.get_by_role("link", name=re.compile("^Story")).click()
    expect(bob.page.locator(".chapter .tag", has_text="last will")).to_be_visible()


def done(player: Player) -> None:
    """Check in for the night, also where the board asks about having chosen nobody."""
    player.press(re.compile("^Done for tonight"))
    question = player.page.get_by_role("dialog", name="Done: nobody chosen?")
    # The last who is done ends the night.
    day = player.page.get_by_role("heading", name=re.compile("^Day "))
    expect(question.or_(player.page.get_by_text("You are done.")).or_(day).first).to_be_visible()
    if question.count():
        question.get_by_role("button", name="Done", exact=True).click()


def test_an_appointment_is_made_and_shown_in_local_time(new_player: MakePlayer) -> None:
    ann = new_player("Ann", {**DESKTOP, "timezone_id": ZONE})
    page = ann.page
    page.goto("/mafia/new/?setup=agora")
    expect(page.get_by_label(re.compile("^Begins .your time"))).to_be_visible()
    begins = (datetime.now(UTC) + timedelta(days=2)).astimezone(ZoneInfo(ZONE))
    page.locator("[name=begins]").fill(f"{begins:%Y-%m-%dT20:00}")
    page.get_by_role("button", name="Open the game").click()
    ann.expect_live()
    notice = page.locator(".appointment")
    expect(notice).to_contain_text(re.compile(rf"{begins:%B}.* (08:00 PM|20:00)"))
    at = notice.locator("time").get_attribute("datetime") or ""
    there = datetime.fromisoformat(at).astimezone(ZoneInfo(ZONE))
    assert (there.date(), there.hour, there.minute) == (begins.date(), 20, 0)
    ann.press("Ready")
    expect(page.get_by_text("You are ready. Be here at that time.")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)
    look(page, "votes-appointment")
    page.goto("/mafia/")
    expect(page.locator("[data-lobby=agora]")).to_contain_text(re.compile("begins .*(08:00|20:00)"))
    look(page, "votes-lobby")
    page.goto("/turns/")
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    look(page, "votes-turns-none")


def test_the_next_game_is_one_press_away(site: Site, new_player: MakePlayer) -> None:
    ann = new_player("Ann")
    paths = []
    for hours in (10, 5):
        town = site.call("begin", idle=ann.name, phase_seconds=hours * 3_600)
        paths.append(f"/mafia/{town['public_id']}/")
    ann.page.goto("/turns/")
    links = ann.page.locator(".mine a")
    expect(links).to_have_count(2)
    expect(links.nth(0)).to_have_attribute("href", paths[1])
    expect(links.nth(0)).to_contain_text("left)")
    look(ann.page, "votes-turns")
    ann.go(paths[1])
    way = ann.page.get_by_role("link", name="Next game")
    expect(way).to_have_count(0)
    done(ann)
    expect(way).to_be_visible()
    look(ann.page, "votes-next")
    way.click()
    ann.page.wait_for_url(re.compile(re.escape(paths[0])))
    ann.expect_live()


PEOPLE, SEATS, ROUNDS = 7, 9, 12
MAFIA = ("mafioso", "agent")


def living(first: Player) -> list[str]:
    """Return who lives, as the first of the people sees it."""
    shown = first.page.locator(".citizen:not(.is-dead) .target-text b").all_inner_texts()
    return [str(first.name) if name == "You" else name for name in shown if name != "Nobody"]


def card(player: Player, verb: str, name: str) -> Locator:
    called = "You" if name == player.name else re.escape(name)
    return player.button(re.compile(rf"^{verb} {called}\b"))


def use_power(one: Player, role: str, name: str) -> None:
    """Choose somebody for the night, and confirm it where that is asked about."""
    choice = card(one, "Choose:", name)
    expect(choice).to_be_visible()
    # Another member of the mafia may have chosen.
    if choice.get_attribute("aria-pressed") != "true":
        choice.click()
    if role == "agent":
        one.page.get_by_role("dialog").get_by_role("button", name="Forge it").click()
        expect(one.page.get_by_text("That is final.")).to_be_visible()
    else:
        expect(one.page.locator(".notice")).to_contain_text("It can be changed until dawn.")


def use_powers(site: Site, people: list[Player], roles: dict[str, str], suspect: str) -> None:
    """Each uses the role's power; the mafia chooses after its bots, and kills a plain citizen."""
    victim = next(name for name in roles if roles[name] == "citizen")
    for one in people:
        if roles[str(one.name)] in ("doctor", "sheriff", "agent"):
            use_power(one, roles[str(one.name)], suspect)
    site.call("wait_for_bots", public_id=people[0].path.split("/")[2])
    for one in people:
        if roles[str(one.name)] == "mafioso":
            use_power(one, "mafioso", victim)


def check_in(people: list[Player]) -> None:
    names = living(people[0])
    for one in people:
        if one.name in names:
            done(one)


def lynch(people: list[Player], round_no: int, suspect: str) -> None:
    """As many vote as decide the day: bots do so much later, on days of an hour."""
    names = living(people[0])
    voters = [one for one in people if one.name in names]
    # The suspect votes if it must.
    voters.sort(key=lambda one: one.name == suspect)
    for one in voters[: len(names) // 2 + 1]:
        is_over = one.page.get_by_role("heading", name=f"Night {round_no + 1}")
        own = one.page.locator("button.citizen[aria-pressed=true]")
        sure = one.page.get_by_role("dialog").get_by_role("button", name="Vote", exact=True)
        card(one, "Vote for", suspect).click()
        expect(sure.or_(own).first).to_be_visible()
        if sure.count():
            sure.click()
        expect(own.or_(is_over).or_(one.page.locator(".ending")).first).to_be_visible()


def test_seven_people_and_two_bots_play_a_town_with_every_role(site: Site, new_player: MakePlayer):
    people = [new_player(f"Cit{no}") for no in range(PEOPLE)]
    first = people[0]
    path = first.open("/mafia/new/", "Open the game", seats=SEATS, length=60)
    for one in people[1:]:
        one.go(path)
        one.press("Take a seat")
    first.press(re.compile("^Fill 2 seats with bots"))
    expect(first.page.get_by_role("heading", name="9 of 9 seats taken")).to_be_visible()
    for one in people:
        one.press("Ready")
    for one in people:
        expect(one.page.locator(".role-card")).to_be_visible()
    roles = site.call("roles", public_id=path.split("/")[2])
    # Who kills is lynched first: the town shrinks no more than it must.
    mafia = [name for role in MAFIA for name in roles if roles[name] == role]
    assert len(mafia) == 3
    for one in people:
        for fellow in set(mafia) - {one.name} if one.name in mafia else ():
            expect(one.page.locator(".role-card")).to_contain_text(f"{fellow} (")
    over = first.page.locator(".ending h2")
    for round_no in range(1, ROUNDS):
        night, day = (
            first.page.get_by_role("heading", name=f"{stage} {round_no}")
            for stage in ("Night", "Day")
        )
        expect(night.or_(over).first).to_be_visible()
        if over.count():
            break
        suspect = next(name for name in mafia if name in living(first))
        if round_no == 1:
            use_powers(site, people, roles, suspect)
        check_in(people)
        expect(day.or_(over).first).to_be_visible()
        lynch(people, round_no, suspect)
    expect(over).to_have_text(re.compile("The town wins"))
    first.page.get_by_role("link", name="The whole story").click()
    expect(first.page.get_by_role("heading", name="Who was what")).to_be_visible()
    told = ("doctor, protected", "sheriff, read the file", ") chose to kill", "finds out")
    for deed in (*told, "agent of the mafia, forged the file"):
        expect(first.page.locator(".story")).to_contain_text(deed)
