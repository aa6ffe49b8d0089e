"""Seven people and two bots play a town to its end, each in a browser of their own."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.boot import PATIENCE
from tests.e2e.conftest import MakePlayer
from tests.e2e.player import Player

pytestmark = pytest.mark.browser

PEOPLE, SEATS, ROUNDS = 7, 9, 12
MAFIA = ("Mafioso", "Agent of the mafia")
#: With a role of their own by night: the verb of the story.
ACTORS = ("Doctor", "Sheriff", *MAFIA)


class Town:
    def __init__(self, people: list[Player]) -> None:
        self.people = people
        self.roles = {
            str(one.name): one.page.locator(".role-card summary b").inner_text() for one in people
        }
        knowing = next(one for one in people if self.roles[str(one.name)] in MAFIA)
        fellows = knowing.page.locator(".role-card").inner_text()
        self.mafia = [name for name in self.names() if f"{name} (" in fellows]
        self.mafia.append(str(knowing.name))
        # Who kills is lynched first: the town shrinks no more than it must.
        self.mafia.sort(
            key=lambda name: f"{name} (Agent" in fellows or self.roles.get(name) == MAFIA[1]
        )

    def names(self) -> list[str]:
        first = self.people[0]
        shown = first.page.locator(".citizen:not(.is-dead) .target-text b").all_inner_texts()
        called = {"You": str(first.name)}
        return [called.get(name, name) for name in shown if name != "Nobody"]

    def wanted(self) -> str:
        names = self.names()
        return next(name for name in self.mafia if name in names)

    def victim(self) -> str:
        """Return a victim whose death leaves every role in play."""
        town = [name for name in self.names() if name not in self.mafia]
        bots = [name for name in town if name not in self.roles]
        plain = [name for name in town if self.roles.get(name) == "Ordinary citizen"]
        return [*plain, *bots, *town][0]

    def living(self) -> list[Player]:
        names = self.names()
        return [one for one in self.people if one.name in names]


def card(player: Player, verb: str, name: str) -> Locator:
    called = "You" if name == player.name else re.escape(name)
    return player.button(re.compile(f"^{verb} {called}\\b"))


def spend_the_night(town: Town, round_no: int) -> None:
    target, suspect = town.victim(), town.wanted()
    for one in town.living():
        expect(one.page.get_by_role("heading", name=f"Night {round_no}")).to_be_visible()
        role = town.roles[str(one.name)]
        if role in ACTORS:
            name = target if role in MAFIA else suspect
            choice, chosen = card(one, "Choose:", name), card(one, "Chosen:", name)
            expect(choice.or_(chosen)).to_be_visible()
            # Another member of the mafia may have chosen.
            if not chosen.count():
                choice.click()
        if role == MAFIA[1]:
            one.page.get_by_role("dialog").get_by_role("button", name="Forge it").click()
            expect(one.page.get_by_text("That is final.")).to_be_visible()
        elif role in ACTORS:
            expect(one.page.locator(".notice")).to_contain_text("It can be changed until dawn.")
    for one in town.living():
        one.press(re.compile("^Done for tonight"))


def lynch(town: Town, round_no: int) -> None:
    wanted = town.wanted()
    for one in town.living():
        if not one.page.get_by_role("heading", name=f"Day {round_no}").count():
            return
        if one.page.locator("button.citizen[aria-pressed=true]").count() == 0:
            one._try(card(one, "Vote for", wanted))


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_seven_people_and_two_bots_play_a_town_with_every_role(new_player: MakePlayer) -> None:
    people = [new_player(f"Cit{no}") for no in range(PEOPLE)]
    first = people[0]
    first.page.goto("/mafia/new/")
    first.page.locator("[name=seats]").fill(str(SEATS))
    first.page.get_by_role("button", name="Open the game").click()
    first.expect_live()
    for one in people[1:]:
        one.go(first.path)
        one.press("Take a seat")
    first.press(re.compile("^Fill 2 seats with bots"))
    expect(first.page.get_by_role("heading", name="9 of 9 seats taken")).to_be_visible()
    for one in people:
        one.press("Ready")
    town = Town(people)
    assert len(town.mafia) == 3
    for round_no in range(1, ROUNDS):
        night, day = (
            first.page.get_by_role("heading", name=f"{stage} {round_no}")
            for stage in ("Night", "Day")
        )
        over = first.page.locator(".ending h2")
        expect(night.or_(over).first).to_be_visible(timeout=5 * PATIENCE * 1000)
        if over.count():
            break
        spend_the_night(town, round_no)
        expect(day.or_(over).first).to_be_visible(timeout=10 * PATIENCE * 1000)
        if over.count():
            break
        lynch(town, round_no)
    expect(over).to_have_text(re.compile("The town wins"))
    first.page.get_by_role("link", name="The whole story").click()
    expect(first.page.get_by_role("heading", name="Who was what")).to_be_visible()
    told = ("doctor, protected", "sheriff, read the file", ") chose to kill", "finds out")
    for deed in (*told, "agent of the mafia, forged the file"):
        expect(first.page.locator(".story")).to_contain_text(deed)
