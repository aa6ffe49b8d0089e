"""A duellist with a browser, and a spectator."""

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.player import Player


def quick_duel(player: Player, *lengths: str) -> str:
    """Tick lengths, by default Quick alone, and press the big button on the duels' page; return
    the duel's path.
    """
    player.page.goto("/duels/")
    for length in ("quick", "long") if lengths else ():
        player.page.locator(f"[name=length][value={length}]").set_checked(length in lengths)
    player.page.locator(".duel-ways").get_by_role("button", name=re.compile("^Quick duel")).click()
    player.expect_live()
    return player.path


def create_duel(player: Player, **fields: object) -> str:
    return player.open("/duels/new/", "Create the duel", **fields)


def join(player: Player, opener: Player) -> None:
    """Take the free seat; the player who opened the duel sees the newcomer and is ready again."""
    player.press(re.compile("^(Take the seat and play|Accept)$"))
    expect(opener.page.get_by_role("alert").filter(has_text=str(player.name))).to_be_visible()
    opener.press("Ready")


def begin_duel(ann: Player, bob: Player, **options: object) -> str:
    """One creates a duel, the other joins; return its path when both are asked to throw."""
    path = create_duel(ann, **options)
    bob.go(path)
    join(bob, ann)
    expect_throw(1, ann, bob)
    return path


def say(player: Player, text: str) -> None:
    player.page.get_by_label(re.compile("^Say something")).fill(text)
    player.page.get_by_role("button", name="Send").click()


def expect_throw(number: int, *players: Player) -> None:
    for player in players:
        heading = player.page.get_by_role("heading", name=f"Throw {number}: choose your hand")
        expect(heading).to_be_visible()
        expect(player.page.locator(".throw-card:not([disabled])")).to_have_count(3)


def throw(player: Player, hand: str) -> None:
    player.page.locator(f".throw-card.card-{hand}").click()


def play_throw(number: int, *thrown: tuple[Player, str]) -> None:
    """Both throw; the second waits until the first throw is shown."""
    expect_throw(number, *(player for player, _ in thrown))
    (first, hand), (second, other) = thrown
    throw(first, hand)
    expect(first.page.locator(".is-own .is-down")).to_be_visible()
    throw(second, other)


def throw_until_the_end(page: Page, ending: str = ".ending") -> None:
    card = page.locator("button.throw-card:not([disabled])").first
    for _ in range(60):
        page.locator(ending).or_(card).first.wait_for()
        if page.locator(ending).is_visible():
            return
        heading = page.locator(".throw-dock h2").inner_text()
        card.click()
        page.locator(".throw-dock h2", has_text=heading).wait_for(state="detached")
    raise AssertionError("the duel does not end")


def expect_end(headline: str, *players: Player) -> None:
    for player in players:
        expect(player.page.locator(".ending h2")).to_contain_text(headline)


class Spectator:
    """A guest's page and every frame that was sent to it."""

    def __init__(self, guest: Player, path: str) -> None:
        self.frames: list[dict[str, Any]] = []
        guest.page.on("websocket", lambda socket: socket.on("framereceived", self._heard))
        guest.go(path)
        self.page = guest.page

    def _heard(self, text: str | bytes) -> None:
        self.frames.append(json.loads(text))

    def views(self) -> list[dict[str, Any]]:
        """Return each view that was told, whole or in parts."""
        found: list[dict[str, Any]] = []
        for frame in self.frames:
            if frame["type"] in ("view", "parts"):
                found.append(frame.get("view") or found[-1] | frame["parts"])
        return found
