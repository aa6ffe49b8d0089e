"""Seven people and two bots play a town to its end, each in a browser of their own."""

from __future__ import annotations

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
    """What the people of a town know together."""

    def __init__(self, people: list[Player]) -> None:
        self.people = people
        self.roles = {str(one.name): _role(one) for one in people}
        knowing = next(one for one in people if self.roles[str(one.name)] in MAFIA)
        fellows = knowing.page.locator(".role-card").inner_text()
        names = knowing.page.locator(".citizen .target-text b").all_inner_texts()
        self.names = [
            str(knowing.name) if name == "You" else name for name in names if name != "Nobody"
        ]
        self.mafia = [name for name in self.names if f"{name} (" in fellows] + [str(knowing.name)]
        # Who kills is lynched first: the town shrinks no more than it must.
        self.mafia.sort(key=lambda name: f"{name} (Agent" in fellows or self.is_agent(name))

    def is_agent(self, name: str) -> bool:
        return self.roles.get(name) == "Agent of the mafia"

    @property
    def victim(self) -> str:
        """Whom the mafia had better kill: somebody of the town who need not vote."""
        bots = [name for name in self.names if name not in self.roles and name not in self.mafia]
        plain = [name for name, role in self.roles.items() if role == "Ordinary citizen"]
        return [*bots, *plain][0]

    def living(self) -> list[Player]:
        return [
            one for one in self.people if not one.page.locator(".citizen.is-mine.is-dead").count()
        ]


def _role(player: Player) -> str:
    role = player.page.locator(".role-card summary b")
    expect(role).to_be_visible()
    return role.inner_text()


def card(player: Player, verb: str, name: str) -> Locator:
    """Return the card of a citizen, as somebody is asked to press it."""
    called = "You" if name == player.name else re.escape(name)
    return player.button(re.compile(f"^{verb} {called}\\b"))


def spend_the_night(town: Town) -> None:
    """Let each do what the role can do, then check in."""
    target = town.victim
    for one in town.living():
        role = town.roles[str(one.name)]
        if role in ACTORS:
            wanted = town.mafia[0] if role in ("Doctor", "Sheriff") else target
            card(one, "Choose:", wanted).click()
        if role == "Agent of the mafia":
            one.page.get_by_role("dialog").get_by_role("button", name="Turn it round").click()
            expect(one.page.get_by_text("That is final.")).to_be_visible()
        elif role in ACTORS:
            expect(one.page.get_by_text("It can be changed until dawn.")).to_be_visible()
    for one in town.living():
        one.press(re.compile("^Done for tonight"))


def lynch(town: Town, round_no: int) -> None:
    """Vote for the next of the mafia, one after the other until the day is over."""
    for one in town.living():
        if not one.page.get_by_role("heading", name=f"Day {round_no}").count():
            return
        if one.page.locator("button.citizen[aria-pressed=true]").count() == 0:
            one._try(card(one, "Vote for", town.mafia[0]))


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
        spend_the_night(town)
        expect(day.or_(over).first).to_be_visible(timeout=10 * PATIENCE * 1000)
        if over.count():
            break
        lynch(town, round_no)
        town.mafia = [name for name in town.mafia if name != town.mafia[0]]
    expect(over).to_have_text(re.compile("The town wins"))
    first.page.get_by_role("link", name="The whole story").click()
    expect(first.page.get_by_role("heading", name="Who was what")).to_be_visible()
    for verb in ("save", "file", "kill", "turned"):
        expect(first.page.locator(".chapter-night").first).to_contain_text(re.compile(verb))
